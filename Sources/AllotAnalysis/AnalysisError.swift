/// Why a question has no answer.
public struct AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and how to fix it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// An experiment with `unit: none` has nothing of what a randomised one has.
    ///
    /// - Parameter what: what is missing.
    static func notRandomised(_ experiment: String, _ what: String) -> AnalysisError {
        AnalysisError("\(experiment) is not randomised (unit: none), so there is no \(what)")
    }
}
