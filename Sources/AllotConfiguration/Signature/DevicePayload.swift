/// The payload of a token for one device: settings that the device uses for a while instead of those that it fetched,
/// or an instruction to go back to those. `Sendable`.
///
/// ```json
/// {"app": "com.example.shop", "device": "E621E1F8-…", "issued": 1795262400, "expires": 1795867200,
///  "operation": "apply", "values": {"Checkout": {"ButtonColor": "#1a7f37"}}}
/// ```
///
/// It is sent in a ``SignedToken``. It has no member in common with a configuration, so that the signature of one is
/// never valid for the other.
///
/// ```swift
/// let payload = try DevicePayload(
///     app: "com.example.shop", device: "E621E1F8", issued: 1_795_262_400, applying: ["Checkout": ["Steps": 1]])
/// print(payload.isExpired(at: 1_795_262_400 + DevicePayload.defaultLifetime))  // true
/// ```
public struct DevicePayload: Sendable, Hashable {
    /// An instruction to the device.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// Use the values.
        case apply
        /// Use what was fetched.
        case reset
    }

    /// The app that it is for, by an ID such as its bundle identifier.
    public let app: String
    /// The device that it is for, by the ID that the app uses there; compared byte by byte.
    public let device: String
    /// When it was issued, in seconds since 1970.
    public let issued: Int64
    /// When it expires, in seconds since 1970; later than ``issued``.
    public let expires: Int64
    /// The instruction to the device.
    public let operation: Operation
    /// The values by section and setting: an object of objects. Empty for ``Operation/reset``.
    public let values: JSONObject
    /// The variants that the device counts as, by experiment: texts. Empty unless given.
    public let variants: JSONObject

    /// The lifetime of a payload unless it names another: 7 days, in seconds.
    public static let defaultLifetime: Int64 = 7 * 24 * 60 * 60

    /// A payload that applies values.
    ///
    /// - Parameters:
    ///   - app: the app, by an ID such as its bundle identifier.
    ///   - device: the device, by the ID that the app uses there.
    ///   - issued: seconds since 1970.
    ///   - expires: seconds since 1970; without it ``defaultLifetime`` after `issued`.
    ///   - values: section → setting → value.
    ///   - variants: experiment → variant.
    /// - Throws: ``DevicePayloadError`` with all problems: an empty app or device, a device with a wildcard, times in
    ///   the wrong order, nothing to apply, and malformed values and variants.
    public init(
        app: String, device: String, issued: Int64, expires: Int64? = nil, applying values: JSONObject,
        variants: JSONObject = [:]
    ) throws(DevicePayloadError) {
        try self.init(
            app: app, device: device, issued: issued, expires: Self.expiry(expires, issued), operation: .apply,
            values: values, variants: variants)
    }

    /// A payload that sends a device back to what it fetched.
    public init(resetting device: String, app: String, issued: Int64, expires: Int64? = nil) throws(DevicePayloadError)
    {
        try self.init(
            app: app, device: device, issued: issued, expires: Self.expiry(expires, issued), operation: .reset,
            values: [:], variants: [:])
    }

    private static func expiry(_ expires: Int64?, _ issued: Int64) -> Int64 {
        expires ?? issued.addingReportingOverflow(defaultLifetime).partialValue
    }

    /// Creates a payload of its members, of which those that could not be read are `nil`.
    init(
        app: String?, device: String?, issued: Int64?, expires: Int64?, operation: Operation?, values: JSONObject?,
        variants: JSONObject?, problems: [DevicePayloadError.Problem] = []
    ) throws(DevicePayloadError) {
        var problems = problems
        if let app, app.isEmpty { problems.add("app is empty; name the app, such as com.example.shop") }
        if let device, device.isEmpty { problems.add("device is empty; name the device that the payload is for") }
        if let device, device.utf8.contains(UInt8(ascii: "*")) {
            problems.add("the device \(QuotedText(device)) has a \"*\", but there are no wildcards; name one device")
        }
        if let issued, issued < 0 { problems.add("issued is before 1970; give seconds since then") }
        if let issued, let expires, expires <= issued {
            problems.add("expires is not later than issued; give a later time")
        }
        for section in values?.members ?? [] where section.value.asObject?.isEmpty ?? true {
            problems.add(
                "values has no settings in the section \(QuotedText(section.key)); "
                    + "write {\"SECTION\": {\"SETTING\": value}}")
        }
        for experiment in variants?.members ?? [] where experiment.value.text?.isEmpty ?? true {
            problems.add(
                "the variant of \(QuotedText(experiment.key)) is not a text; write {\"EXPERIMENT\": \"VARIANT\"}")
        }
        if let operation, let values, let variants {
            let isEmpty = values.isEmpty && variants.isEmpty
            if operation == .apply, isEmpty {
                problems.add("there is nothing to apply; give values, or the operation reset")
            } else if operation == .reset, !isEmpty {
                problems.add("a reset has no values and no variants; omit them, or give the operation apply")
            }
        }
        guard problems.isEmpty, let app, let device, let issued, let expires, let operation, let values,
            let variants
        else { throw DevicePayloadError(problems: problems) }
        (self.app, self.device, self.issued, self.expires, self.operation) = (app, device, issued, expires, operation)
        (self.values, self.variants) = (values, variants)
    }

    /// How much the clocks of the issuer and the device may differ, in seconds: a day.
    static let tolerance: Int64 = 86_400

    /// Whether it has expired at an instant in seconds since 1970.
    public func isExpired(at seconds: Int64) -> Bool { seconds >= expires }

    /// Returns if the payload is for this app on this device, now.
    ///
    /// - Parameters:
    ///   - app: this app's ID; `nil` for any app.
    ///   - device: this device's ID; `nil` for any device.
    ///   - seconds: now, in seconds since 1970.
    /// - Throws: ``DevicePayloadError`` with all reasons against it.
    public func check(app: String?, device: String?, at seconds: Int64) throws(DevicePayloadError) {
        var problems: [DevicePayloadError.Problem] = []
        if let app, !UTF8Order.areEqual(app, self.app) {
            problems.add(
                "the payload is for the app \(QuotedText(self.app)), but this is \(QuotedText(app))", .otherApp)
        }
        if let device, !UTF8Order.areEqual(device, self.device) {
            problems.add(
                "the payload is for the device \(QuotedText(self.device)), but this is \(QuotedText(device)); sign "
                    + "another for this device", .otherDevice)
        }
        if issued > seconds, issued - seconds > Self.tolerance {
            problems.add(
                "the payload was issued \(issued - seconds) seconds after this device's time; correct the clocks",
                .notYetValid)
        }
        if isExpired(at: seconds) {
            problems.add("the payload expired \(seconds - expires) seconds ago; sign it again", .expired)
        }
        if !problems.isEmpty { throw DevicePayloadError(problems: problems) }
    }
}
