/// What has become of a chunk.
struct ProcessedChunk<Statistics: BatchStatistics>: Sendable {
    /// Why the work ends here.
    enum Failure: Sendable {
        /// A row cannot be processed; the position is relative to the chunk.
        case row(ChunkPosition, message: String)
        /// The chunk could not be read.
        case reading(any Error)
    }

    var output = ChunkOutput()
    var statistics = Statistics()
    var lineFeeds = 0
    var inputEnd = 0
    var failure: Failure?

    /// Takes the output's memory for another chunk.
    mutating func takeOutput() -> ChunkOutput {
        var taken = ChunkOutput()
        swap(&taken, &output)
        taken.removeAll()
        return taken
    }
}
