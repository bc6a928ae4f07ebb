/// Why a payload for one device is not one, or not for this device; every problem at once. `Sendable`.
public struct DevicePayloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One thing that is wrong.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// What kind of problem it is, for programs that act on it.
        public let code: Code
        /// What is wrong and how to put it right.
        public let message: String

        /// The message.
        public var description: String { message }
    }

    /// What kind of problem it is.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `expired`.
        public let description: String

        /// The payload is not in the form of one.
        public static let invalid = Code(description: "invalid")
        /// It is for another app.
        public static let otherApp = Code(description: "otherApp")
        /// It is for another device.
        public static let otherDevice = Code(description: "otherDevice")
        /// It was issued more than a day in the future.
        public static let notYetValid = Code(description: "notYetValid")
        /// Its time is over.
        public static let expired = Code(description: "expired")
    }

    /// What is wrong; at least one problem.
    public let problems: [Problem]

    /// The messages of all problems.
    public var description: String {
        problems.map(\.message).joined(separator: "; ")
    }
}

/// Collects what is wrong.
struct DevicePayloadProblems {
    private(set) var found: [DevicePayloadError.Problem] = []

    mutating func add(_ message: String, _ code: DevicePayloadError.Code = .invalid) {
        found.append(DevicePayloadError.Problem(code: code, message: message))
    }

    /// Throws if anything is wrong.
    func check() throws(DevicePayloadError) {
        if !found.isEmpty { throw DevicePayloadError(problems: found) }
    }
}
