/// Rows that are set aside, as CSV with the columns `line`, `column`, `reason` and `row`.
///
/// `line` and `column` tell where the row is malformed; `row` is the row as it was, quoted as one field. The lines are
/// filled in when the rows are written: a chunk does not know how many lines come before it.
public struct RejectedRows: Sendable {
    /// The first line of a file of rejected rows.
    public static let header = Array("line,column,reason,row\n".utf8)

    private struct LineNumber {
        let offset: Int
        let lineFeeds: Int
    }

    private var bytes: [UInt8] = []
    private var lineNumbers: [LineNumber] = []
    private var position = ChunkPosition()

    /// The number of rows.
    public var count: Int {
        lineNumbers.count
    }

    mutating func append(_ record: Range<Int>, of chunk: Span<UInt8>, because problem: RowProblem) {
        position.advance(to: problem.offset, in: chunk)
        lineNumbers.append(LineNumber(offset: bytes.count, lineFeeds: position.lineFeeds))
        bytes.append(CSVByte.comma)
        bytes.appendDecimal(position.column)
        bytes.append(CSVByte.comma)
        bytes.appendCSV(problem.message)
        bytes.append(CSVByte.comma)
        bytes.appendCSV(chunk.extracting(record))
        bytes.append(CSVByte.lineFeed)
    }

    /// The rows of a chunk whose first line has the number `firstLine`.
    func bytes(firstLine: Int) -> [UInt8] {
        guard !lineNumbers.isEmpty else { return [] }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + lineNumbers.count * 8)
        for (index, number) in lineNumbers.enumerated() {
            let end = index + 1 < lineNumbers.count ? lineNumbers[index + 1].offset : bytes.count
            result.appendDecimal(firstLine + number.lineFeeds)
            result.append(contentsOf: bytes[number.offset..<end])
        }
        return result
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lineNumbers.removeAll(keepingCapacity: true)
        position = ChunkPosition()
    }
}
