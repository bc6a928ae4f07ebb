/// Why a row cannot be processed, and where in its chunk.
public struct RowProblem: Error, Sendable, Hashable {
    /// The offset of the byte in the chunk that a person should look at first.
    public let offset: Int
    /// What is wrong and how to mend it.
    public let message: String

    /// Creates a problem at a byte of the chunk.
    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    /// Creates the problem of a malformed record.
    public init(_ problem: CSVProblem, offset: Int) {
        self.init(offset: offset, message: problem.message)
    }
}
