/// What a processor makes of one chunk.
public struct ChunkOutput: Sendable {
    /// The bytes for the main output.
    public var main: [UInt8] = []
    /// The rows that are set aside, for the reject output.
    public private(set) var rejects = RejectedRows()

    /// Creates an empty output.
    public init() {}

    /// Sets a row aside: adds `line,column,reason,row` to the reject output. Complexity: O(length of the row) and, over
    /// all the rejected rows of a chunk in their order, O(length of the chunk).
    public mutating func reject(_ record: Range<Int>, of chunk: Span<UInt8>, because problem: RowProblem) {
        rejects.append(record, of: chunk, because: problem)
    }

    /// Makes room for the next chunk and keeps the memory.
    mutating func removeAll() {
        main.removeAll(keepingCapacity: true)
        rejects.removeAll()
    }
}
