/// Why a payload for one device is malformed, or not for this device; all problems at once. `Sendable`.
public struct DevicePayloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The class of problem, for programs that act on it.
        public let code: Code
        /// What is wrong, and how to fix it.
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
        /// It is for another app.
        public static let otherApp = Code(description: "otherApp")
        /// It is for another device.
        public static let otherDevice = Code(description: "otherDevice")
        /// It was issued more than a day in the future.
        public static let notYetValid = Code(description: "notYetValid")
        /// It has expired.
        public static let expired = Code(description: "expired")
    }

    /// The problems; at least one.
    public let problems: [Problem]

    /// The messages of all problems.
    public var description: String {
        problems.map(\.message).joined(separator: "; ")
    }
}

/// Collects problems.
struct DevicePayloadProblems {
    private(set) var found: [DevicePayloadError.Problem] = []

    mutating func add(_ message: String, _ code: DevicePayloadError.Code = .invalid) {
        found.append(DevicePayloadError.Problem(code: code, message: message))
    }

    /// Throws if there are problems.
    func check() throws(DevicePayloadError) {
        if !found.isEmpty { throw DevicePayloadError(problems: found) }
    }
}
