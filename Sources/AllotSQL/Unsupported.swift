/// Why something cannot be said exactly in a dialect.
struct Unsupported: Error {
    /// What and why, to follow the name of what asks for it.
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// Of an engine whose patterns are documented too thinly to be translated to.
    static func patterns(of title: String) -> Unsupported {
        Unsupported(
            "the patterns of \(title) are not RE2's, and nothing says how they differ; "
                + "use $in, $startsWith, $endsWith or $contains")
    }
}

/// Why a statement cannot be written: everything at once.
public struct SQLTranslationError: Error, Sendable, CustomStringConvertible {
    /// One sentence for each cause, with the experiment, the operator and the remedy.
    public let problems: [String]

    public var description: String {
        problems.joined(separator: "\n")
    }
}
