import AllotConfiguration

/// Something in a payload that Allot cannot decide exactly as the other system does, or cannot read. `Sendable`.
///
/// Thrown while one flag is translated, it makes that flag inexact; thrown elsewhere it ends the import.
public struct ImportProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where in the payload.
    package let path: PayloadPath
    /// What is wrong or cannot be exact, why, and what to do.
    package let message: String
    /// Whether a value has another type than it should have, which makes some SDKs refuse the whole payload.
    var isMismatch = false

    package init(_ path: PayloadPath, _ message: String) {
        self.path = path
        self.message = message
    }

    /// `$.flags[0].rules: message`
    public var description: String {
        "\(path): \(message)"
    }
}
