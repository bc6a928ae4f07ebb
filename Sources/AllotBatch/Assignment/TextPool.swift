/// Short texts that rows are put together from, in one array: appending one counts no references.
struct TextPool: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// The number of texts.
    var count: Int { ends.count }

    /// Adds a text; its index is the number of texts before it.
    mutating func add(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        ends.append(bytes.count)
    }

    /// Appends a text to a row.
    @inline(__always)
    func append(_ index: Int, to output: inout [UInt8]) {
        output.append(index == 0 ? 0..<ends[index] : ends[index - 1]..<ends[index], of: bytes.span)
    }
}
