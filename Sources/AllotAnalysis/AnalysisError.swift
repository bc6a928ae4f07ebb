import AllotConfiguration

/// A question that has no answer.
public struct AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault and its fix.
    public let description: String

    init(_ description: String) { self.description = description }

    /// An experiment with `unit: none` lacks what a randomised one has.
    static func notRandomised(_ experiment: String, _ what: String) -> AnalysisError {
        AnalysisError("\(experiment) is not randomised (unit: none), so there is no \(what)")
    }

    /// The error for a name that definitions do not have, with the names that they have.
    package static func unknown(_ kind: String, _ name: String, among known: [String]) -> AnalysisError {
        let hint = NearestName.hint(for: name, among: known).map { "did you mean \(QuotedText($0))?" }
        let others = known.isEmpty ? "the definitions have none" : "there are \(known.listed(atMost: 12))"
        return AnalysisError("unknown \(kind) \(QuotedText(name)); \(hint ?? others)")
    }
}
