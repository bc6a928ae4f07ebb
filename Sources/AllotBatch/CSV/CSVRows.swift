import AllotFiles

/// Reads a CSV file row after row, with the fields of each where they stand.
///
///     var rows = try CSVRows(InputFile(path: "users.csv"))
///     let country = try rows.header.index(of: "country", in: rows.name)
///     while try rows.next() {
///         print(rows.line, rows.text(country))
///     }
///
/// For rows that are counted rather than written again; ``BatchAssignment`` works on many at once. A malformed row ends
/// the reading with the message that `allot assign` gives. Memory is bounded by the longest record.
public struct CSVRows: ~Copyable, Sendable {
    /// The bytes that fields are ranges of: a part of the file, and behind it values that had doubled quotes.
    public private(set) var bytes: [UInt8] = []
    /// The line on which the present row begins, from 1; line feeds within quotes count.
    public private(set) var line = 0
    /// The number of rows so far, the present one among them.
    public private(set) var rowCount = 0

    private var reader: ChunkReader
    private var parser: CSVRecordParser
    /// Where a value without its doubled quotes stands, by column; it counts only for fields that have some.
    private var unescaped: [Range<Int>]
    private var chunkEnd = 0
    private var nextLine: Int

    /// Reads the header of a file.
    ///
    /// Throws `FileError` when the file cannot be read, `CSVError` when it has no header or a malformed one.
    public init(
        _ input: consuming InputFile, chunkSize: Int = ChunkReader.defaultChunkSize,
        maximumRecordLength: Int = ChunkReader.defaultMaximumRecordLength
    ) throws {
        reader = try ChunkReader(input, chunkSize: chunkSize, maximumRecordLength: maximumRecordLength)
        let columnCount = reader.header.names.count
        parser = CSVRecordParser(columnCount: columnCount)
        unescaped = Array(repeating: 0..<0, count: columnCount)
        nextLine = reader.header.lineCount + 1
    }

    /// The names of the columns.
    public var header: CSVHeader { reader.header }

    /// The input's name for messages: its path, or `standard input`.
    public var name: String { reader.inputName }

    /// The number of bytes read from the input so far.
    public var bytesRead: Int { reader.bytesRead }

    /// Goes on to the next row; `false` at the end of the file.
    ///
    /// Throws `CSVError` for a malformed row and `FileError` when reading fails; do not go on after either.
    /// Complexity: O(length of the row).
    public mutating func next() throws -> Bool {
        if bytes.count > chunkEnd { bytes.removeLast(bytes.count - chunkEnd) }
        while !parseNext() {
            guard try readChunk() else { return false }
        }
        line = nextLine
        if let problem = parser.problem { throw error(at: problem.offset, problem.message) }
        rowCount += 1
        nextLine += 1
        for column in 0..<parser.columnCount where parser[column].isQuoted { takeQuoted(column) }
        return true
    }

    /// Where the value of a field stands in ``bytes``, until the next row is read.
    public subscript(column: Int) -> Range<Int> {
        let field = parser[column]
        return field.hasEscapes ? unescaped[column] : field.range
    }

    /// The value of a field as text.
    public func text(_ column: Int) -> String {
        String(decoding: bytes[self[column]], as: UTF8.self)
    }

    /// An error about the value of a field of the present row, with its place.
    public func error(in column: Int, _ message: String) -> CSVError {
        error(at: parser[column].writtenRange.lowerBound, message)
    }

    private func error(at offset: Int, _ message: String) -> CSVError {
        var position = ChunkPosition()
        let start = parser.recordStart
        position.advance(to: offset - start, in: bytes.span.extracting(start..<chunkEnd))
        return CSVError(path: name, line: line + position.lineFeeds, column: position.column, message: message)
    }

    private mutating func parseNext() -> Bool {
        // Taken out for the time being, while the parser changes.
        var bytes: [UInt8] = []
        swap(&bytes, &self.bytes)
        defer { swap(&bytes, &self.bytes) }
        return parser.next(in: bytes.span)
    }

    private mutating func readChunk() throws -> Bool {
        var chunk = Chunk()
        swap(&chunk.buffer, &bytes)
        do {
            guard try reader.next(into: &chunk) else {
                chunkEnd = 0
                parser.start()
                return false
            }
        } catch let problem as RowProblem {
            throw CSVError(path: name, line: nextLine, column: 1, message: problem.message)
        }
        swap(&chunk.buffer, &bytes)
        chunkEnd = chunk.count
        bytes.removeLast(bytes.count - chunkEnd)
        parser.start()
        return true
    }

    /// Counts the line feeds of a quoted field, and makes its doubled quotes single in a copy.
    private mutating func takeQuoted(_ column: Int) {
        let field = parser[column]
        nextLine += LineFeeds.count(in: bytes.span.extracting(field.range))
        guard field.hasEscapes else { return }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: field.range.count))
        var span = bytes.mutableSpan
        var end = start
        var index = field.start
        while index < field.end {
            let byte = span[index]
            span[end] = byte
            end &+= 1
            index &+= byte == CSVByte.quote ? 2 : 1
        }
        unescaped[column] = start..<end
    }
}
