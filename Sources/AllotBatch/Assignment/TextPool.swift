/// Short texts that rows are put together from, in one array: writing one counts no references.
struct TextPool: Sendable {
    /// The texts, and behind the last one room for a writer to read too far.
    private var bytes: [UInt8] = Array(repeating: 0, count: RowWriter.overrun)
    private var ranges: [Range<Int>] = []
    /// The length of the longest text.
    private(set) var maximumLength = 0

    /// The number of texts.
    var count: Int { ranges.count }

    /// Adds a text; its index is the number of texts before it.
    mutating func add(_ text: String) {
        let start = bytes.count - RowWriter.overrun
        bytes.insert(contentsOf: text.utf8, at: start)
        ranges.append(start..<bytes.count - RowWriter.overrun)
        maximumLength = max(maximumLength, text.utf8.count)
    }

    /// Writes a text.
    @inline(__always)
    func write(_ index: Int, to writer: inout RowWriter) {
        writer.write(ranges[index], of: bytes.span)
    }
}
