import AllotConfiguration
import AllotFiles
import Synchronization

/// A destination for bytes, which are written piece after piece.
public protocol ByteSink: Sendable {
    /// Writes all the bytes, or throws.
    func write(_ bytes: [UInt8]) throws
}

extension AtomicOutput: ByteSink {}

/// An output in memory.
///
/// ```swift
/// let output = MemoryOutput()
/// output.write(Array("unit,variant\n".utf8))
/// print(output.bytes.count)
/// ```
public final class MemoryOutput: ByteSink {
    private let written = Mutex<[UInt8]>([])

    /// Begins without bytes.
    public init() {}
    /// The bytes that were written so far.
    public var bytes: [UInt8] { written.withLock { $0 } }
    /// Adds bytes at the end.
    public func write(_ bytes: [UInt8]) { written.withLock { $0 += bytes } }
}

/// Whole records of a file, as many as fit, in a buffer that is reused for later records.
struct Chunk: Sendable {
    /// A buffer that begins with the records and may hold more bytes after them.
    var buffer: [UInt8] = []
    /// The number of bytes of the records, from the start of the buffer.
    var count = 0
    /// The number of bytes of the file up to the end of the chunk.
    var inputEnd = 0

    var records: [UInt8] { Array(buffer.prefix(count)) }
}

package struct ChunkOutput: Sendable {
    package var main: [UInt8] = []
    var rejects = RejectedRows()
    var longFields = LongFields()

    /// Makes room for the next chunk and keeps the memory.
    mutating func removeAll() {
        main.removeAll(keepingCapacity: true)
        rejects.removeAll()
        longFields = LongFields()
    }
}

/// Rejected rows, as CSV with the place where each is malformed, the reason, and the row as it was, as one field. Line
/// numbers are filled in when the rows are written, since a chunk does not know how many lines come before it.
struct RejectedRows: Sendable {
    static func header(_ delimiter: CSVDelimiter) -> [UInt8] { delimiter.header(["line", "column", "reason", "row"]) }

    /// The sum of a chunk's rows; lines are counted from the start of the chunk.
    private(set) var total = RejectedTotal()

    private var bytes: [UInt8] = []
    private var lineNumbers: [(offset: Int, lineFeeds: Int)] = []
    private var position = ChunkPosition()

    var count: Int { lineNumbers.count }

    /// Adds a row.
    mutating func append(
        _ record: Range<Int>, of chunk: Span<UInt8>, because problem: RowProblem, delimiter: CSVDelimiter = .comma
    ) {
        position.advance(to: record.lowerBound, in: chunk)
        // A quoted field that is open at the end of the file has the last line feed.
        let lines = record.last.map { chunk[$0] == CSVByte.lineFeed } ?? false ? record.dropLast() : record
        total.add(
            line: position.lineFeeds, lineCount: LineFeeds.count(in: chunk.extracting(lines)) + 1,
            byteCount: record.count)
        position.advance(to: problem.offset, in: chunk)
        total.first =
            total.first ?? .init(line: position.lineFeeds, column: position.column, reason: problem.message)
        lineNumbers.append((bytes.count, position.lineFeeds))
        bytes.append(delimiter.byte)
        bytes.append(contentsOf: "\(position.column)".utf8)
        bytes.append(delimiter.byte)
        bytes.appendCSVField(problem.message, delimiter: delimiter)
        bytes.append(delimiter.byte)
        bytes.appendCSVField(chunk.extracting(record), delimiter: delimiter)
        bytes.append(CSVByte.lineFeed)
    }

    func bytes(firstLine: Int) -> [UInt8] {
        guard !lineNumbers.isEmpty else { return [] }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + lineNumbers.count * 8)
        for (index, number) in lineNumbers.enumerated() {
            let end = index + 1 < lineNumbers.count ? lineNumbers[index + 1].offset : bytes.count
            result.append(contentsOf: String(firstLine + number.lineFeeds).utf8)
            result.append(contentsOf: bytes[number.offset..<end])
        }
        return result
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lineNumbers.removeAll(keepingCapacity: true)
        total = RejectedTotal()
        position = ChunkPosition()
    }
}

/// The rows of a file that were rejected, together. `Sendable`.
public struct RejectedTotal: Sendable, Hashable {
    /// A row of several lines, of which most are probably rows of their own: one quote too many makes them one.
    public struct Swallowed: Sendable, Hashable {
        /// The line on which the row begins, from 1.
        public internal(set) var line: Int
        /// The number of its lines.
        public let lineCount: Int
        /// The number of its bytes.
        public let byteCount: Int
    }

    /// The place where a row is malformed, and the reason.
    public struct Rejection: Sendable, Hashable, CustomStringConvertible {
        /// The line, from 1.
        public internal(set) var line: Int
        /// The column in Unicode scalars, from 1.
        public let column: Int
        /// The fault and its fix.
        public let reason: String

        /// The place and the reason: `line 3, column 7: …`
        public var description: String { "line \(line), column \(column): \(reason)" }
    }

    /// The number of rows.
    public private(set) var rowCount = 0
    /// The first row's fault.
    public fileprivate(set) var first: Rejection?
    /// The number of their lines.
    public private(set) var lineCount = 0
    /// The number of their bytes, without the line ends.
    public private(set) var byteCount = 0
    /// The number of rows of several lines.
    public private(set) var swallowedCount = 0
    /// The longest row of several lines.
    public private(set) var longest: Swallowed?

    mutating func add(line: Int, lineCount: Int, byteCount: Int) {
        rowCount += 1
        self.lineCount += lineCount
        self.byteCount += byteCount
        guard lineCount > 1 else { return }
        swallowedCount += 1
        if lineCount > longest?.lineCount ?? 1 {
            longest = Swallowed(line: line, lineCount: lineCount, byteCount: byteCount)
        }
    }

    /// Adds the rows of the next chunk, which begins on a line.
    mutating func merge(_ next: Self, firstLine: Int) {
        rowCount += next.rowCount
        if first == nil, var rejection = next.first {
            rejection.line += firstLine
            first = rejection
        }
        lineCount += next.lineCount
        byteCount += next.byteCount
        swallowedCount += next.swallowedCount
        guard var other = next.longest, other.lineCount > longest?.lineCount ?? 1 else { return }
        other.line += firstLine
        longest = other
    }
}

struct ProcessedChunk<Statistics: BatchStatistics>: Sendable {
    /// The reason why the work ends with this chunk.
    enum Failure: Sendable {
        /// A row cannot be processed; the position is relative to the chunk.
        case row(ChunkPosition, message: String)
        case reading(any Error)
    }

    var output = ChunkOutput()
    var statistics: Statistics?
    var lineFeeds = 0
    var inputEnd = 0
    var failure: Failure?

    mutating func takeOutput() -> ChunkOutput {
        var taken = ChunkOutput()
        swap(&taken, &output)
        taken.removeAll()
        return taken
    }
}

/// A line and column that follow an offset forward through a chunk. Complexity: O(1) for each byte.
struct ChunkPosition: Sendable, Hashable {
    private var offset = 0
    private(set) var lineFeeds = 0
    /// The column in Unicode scalars, from 1.
    private(set) var column = 1

    /// Moves forward to an offset. An offset before the current one is ignored; one after the chunk means its end.
    mutating func advance(to target: Int, in chunk: Span<UInt8>) {
        let target = min(target, chunk.count)
        while offset < target {
            let byte = chunk[offset]
            offset += 1
            if byte == CSVByte.lineFeed {
                lineFeeds += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}
