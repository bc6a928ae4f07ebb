/// Something that a dialect cannot express exactly.
struct Unsupported: Error {
    /// The cause and the remedy, to follow the name of an experiment or of an operator.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// All reasons why a statement cannot be written.
public struct SQLTranslationError: Error, Sendable, CustomStringConvertible {
    /// One sentence for each cause, with the experiment, the operator and the remedy.
    public let problems: [String]

    /// The problems, one a line.
    public var description: String { problems.joined(separator: "\n") }
}
