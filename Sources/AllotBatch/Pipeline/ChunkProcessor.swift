/// What is done to the records of a chunk. Each worker thread has a processor of its own, for many chunks.
public protocol ChunkProcessor: SendableMetatype {
    /// What is counted.
    associatedtype Statistics: BatchStatistics

    /// Processes whole records. `output` comes empty.
    ///
    /// Throws to stop at a row; `output` then holds what the rows before it gave, and the problem's offset tells the
    /// line and column. Of several problems in a file the first is reported, whichever was found first.
    mutating func process(_ chunk: Span<UInt8>, into output: inout ChunkOutput) throws(RowProblem) -> Statistics
}

/// Counts that are added up over chunks, in their order.
public protocol BatchStatistics: Sendable {
    /// The counts of no chunk.
    init()

    /// Adds the counts of the chunk that comes next.
    mutating func merge(_ next: Self)
}
