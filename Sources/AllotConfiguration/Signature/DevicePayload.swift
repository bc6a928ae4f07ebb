/// What a signed payload says to one device: settings that it is to use for a while in place of those that it fetched,
/// or that it is to go back to those. `Sendable`.
///
/// ```json
/// {"app": "com.example.shop", "device": "E621E1F8-…", "issued": 1795262400, "expires": 1795867200,
///  "operation": "apply", "values": {"Checkout": {"ButtonColor": "#1a7f37"}}}
/// ```
///
/// It travels in a ``SignedToken``. No member of it is one of a configuration, so that the signature of one never
/// passes for that of the other.
///
/// ```swift
/// let payload = try DevicePayload(
///     app: "com.example.shop", device: "E621E1F8", issued: 1_795_262_400, applying: ["Checkout": ["Steps": 1]])
/// print(payload.isExpired(at: 1_795_262_400 + DevicePayload.defaultLifetime))  // true
/// ```
public struct DevicePayload: Sendable, Hashable {
    /// What the device is to do.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// Use the values.
        case apply
        /// Use what was fetched.
        case reset
    }

    /// The app that it is for, such as its bundle identifier.
    public let app: String
    /// The one device that it is for, by the ID that the app gives itself there; compared byte by byte.
    public let device: String
    /// When it was issued, in seconds since 1970.
    public let issued: Int64
    /// When its time is over, in seconds since 1970; later than ``issued``.
    public let expires: Int64
    /// What the device is to do.
    public let operation: Operation
    /// The values by section and setting: an object of objects. Empty for ``Operation/reset``.
    public let values: JSONObject
    /// The variants that the device is to count as, by experiment: texts. Empty unless given.
    public let variants: JSONObject

    /// How long a payload is in force unless it says otherwise: 7 days, in seconds.
    public static let defaultLifetime: Int64 = 7 * 24 * 60 * 60

    /// A payload that applies values.
    ///
    /// - Parameters:
    ///   - issued: seconds since 1970.
    ///   - expires: seconds since 1970; without it ``defaultLifetime`` after `issued`.
    ///   - values: section → setting → value.
    ///   - variants: experiment → variant.
    ///   - app: The app, such as its bundle identifier.
    ///   - device: The ID that the device gives itself.
    /// - Throws: ``DevicePayloadError`` with every problem: an app or device that is empty, a device with a wildcard,
    ///   times in the wrong order, nothing to apply, and values and variants that are of another form.
    public init(
        app: String, device: String, issued: Int64, expires: Int64? = nil, applying values: JSONObject,
        variants: JSONObject = [:]
    ) throws(DevicePayloadError) {
        try self.init(
            app: app, device: device, issued: issued, expires: expires, operation: .apply, values: values,
            variants: variants)
    }

    /// A payload that sends a device back to what it fetched.
    public init(
        resetting device: String, app: String, issued: Int64, expires: Int64? = nil
    ) throws(DevicePayloadError) {
        try self.init(
            app: app, device: device, issued: issued, expires: expires, operation: .reset, values: [:], variants: [:])
    }

    private init(
        app: String, device: String, issued: Int64, expires: Int64?, operation: Operation, values: JSONObject,
        variants: JSONObject
    ) throws(DevicePayloadError) {
        self.app = app
        self.device = device
        self.issued = issued
        self.expires = expires ?? issued.addingReportingOverflow(Self.defaultLifetime).partialValue
        self.operation = operation
        self.values = values
        self.variants = variants
        var problems = DevicePayloadProblems()
        findProblems(&problems)
        try problems.check()
    }

    /// Takes members that were read, and are wrong perhaps.
    init(
        unchecked app: String, device: String, issued: Int64, expires: Int64, operation: Operation, values: JSONObject,
        variants: JSONObject
    ) {
        self.app = app
        self.device = device
        self.issued = issued
        self.expires = expires
        self.operation = operation
        self.values = values
        self.variants = variants
    }

    /// By how much the clocks of who issues and of the device may differ, in seconds: a day.
    static let tolerance: Int64 = 86_400

    /// Whether its time is over at an instant in seconds since 1970.
    public func isExpired(at seconds: Int64) -> Bool {
        seconds >= expires
    }

    /// Returns if the payload is for this app on this device, now.
    ///
    /// - Parameter seconds: now, in seconds since 1970.
    /// - Parameter app: The app, such as its bundle identifier.
    /// - Parameter device: The ID that the device gives itself.
    /// - Throws: ``DevicePayloadError`` with every reason against it.
    public func check(app: String, device: String, at seconds: Int64) throws(DevicePayloadError) {
        try check(app: app as String?, device: device as String?, at: seconds)
    }

    /// The same, without looking at what is `nil`.
    package func check(app: String?, device: String?, at seconds: Int64) throws(DevicePayloadError) {
        var problems = DevicePayloadProblems()
        if let app, !UTF8Order.areEqual(app, self.app) {
            problems.add("it is for the app \(QuotedText(self.app)), and this is \(QuotedText(app))", .otherApp)
        }
        if let device, !UTF8Order.areEqual(device, self.device) {
            problems.add(
                "it is for the device \(QuotedText(self.device)), and this is \(QuotedText(device)); sign another for this "
                    + "device", .otherDevice)
        }
        if issued > seconds, issued - seconds > Self.tolerance {
            problems.add(
                "it was issued \(issued - seconds) seconds after this device's time; set the clocks right", .notYetValid
            )
        }
        if isExpired(at: seconds) {
            problems.add("its time was over \(seconds - expires) seconds ago; sign it anew", .expired)
        }
        try problems.check()
    }
}
