/// Whole records of a file, as many as fit, in a buffer that is used again for the next ones.
struct Chunk: Sendable {
    /// A buffer that holds the records, and perhaps more.
    var buffer: [UInt8] = []
    /// The number of bytes of the records, from the start of the buffer.
    var count = 0
    /// The number of bytes of the file up to the end of the chunk.
    var inputEnd = 0

    /// A copy of the records. Complexity: O(*n*).
    var records: [UInt8] {
        Array(buffer.prefix(count))
    }
}
