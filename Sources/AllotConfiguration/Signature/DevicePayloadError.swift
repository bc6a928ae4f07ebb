/// The problems of a payload that is malformed, or not for this device. `Sendable`.
public struct DevicePayloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The class of problem, for programs that act on it.
        public let code: Code
        /// The fault and its fix.
        public let message: String

        /// The message.
        public var description: String { message }
    }

    /// A class of problems.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `expired`.
        public let description: String

        /// The payload is malformed.
        public static let invalid = Code(description: "invalid")
        /// The payload is for another app.
        public static let otherApp = Code(description: "otherApp")
        /// The payload is for another device.
        public static let otherDevice = Code(description: "otherDevice")
        /// The payload was issued more than a day in the future.
        public static let notYetValid = Code(description: "notYetValid")
        /// The payload has expired.
        public static let expired = Code(description: "expired")
    }

    /// The problems; at least one.
    public let problems: [Problem]

    /// The messages of all problems.
    public var description: String { problems.map(\.message).joined(separator: "; ") }
}

extension [DevicePayloadError.Problem] {
    mutating func add(_ message: String, _ code: DevicePayloadError.Code = .invalid) {
        append(DevicePayloadError.Problem(code: code, message: message))
    }

    /// Finds the problems of members that have the right types; the others are `nil`.
    mutating func findInvalid(
        _ app: String?, _ device: String?, _ issued: Int64?, _ expires: Int64?, _ operation: DevicePayload.Operation?,
        _ values: JSONObject?, _ variants: JSONObject?
    ) {
        if let app, app.isEmpty { add("app is empty; name the app, such as com.example.shop") }
        if let device, device.isEmpty { add("device is empty; name the device that the payload is for") }
        if let device, device.utf8.contains(UInt8(ascii: "*")) {
            add("the device \(QuotedText(device)) has a \"*\", but there are no wildcards; name one device")
        }
        if let issued, issued < 0 { add("issued is before 1970; give seconds since then") }
        if let issued, let expires, expires <= issued { add("expires is not later than issued; give a later time") }
        for section in values?.members ?? [] {
            if case .object(let settings) = section.value, !settings.isEmpty { continue }
            add(
                "values has no settings in the section \(QuotedText(section.key)); "
                    + "write {\"SECTION\": {\"SETTING\": value}}")
        }
        for experiment in variants?.members ?? [] {
            if case .string(let variant) = experiment.value, !variant.isEmpty { continue }
            add("the variant of \(QuotedText(experiment.key)) is not a text; write {\"EXPERIMENT\": \"VARIANT\"}")
        }
        guard let operation, let values, let variants else { return }
        switch operation {
        case .apply where values.isEmpty && variants.isEmpty:
            add("there is nothing to apply; give values, or the operation reset")
        case .reset where !values.isEmpty || !variants.isEmpty:
            add("a reset has no values and no variants; omit them, or give the operation apply")
        default: break
        }
    }
}
