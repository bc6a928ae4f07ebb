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
}
