/// Why a question has no answer.
public struct AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and how to fix it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
