import AllotConfiguration
import AllotFiles

/// Reads a CSV file row after row and gives the ranges of the fields, for rows that are counted and not written again.
/// A malformed row ends the reading as in `allot assign`. Memory is bounded by the longest record.
package struct CSVRows: ~Copyable, Sendable {
    /// The bytes that the fields are ranges of: a part of the file, followed by values that had doubled quotes.
    package private(set) var bytes: [UInt8] = []
    /// The line on which the current row begins, from 1; line feeds within quotes count.
    package private(set) var line = 0
    /// The number of rows so far, including the current one.
    package private(set) var rowCount = 0

    /// The values that are probably not what they are read as, of the rows so far.
    package private(set) var doubts = DoubtfulValues()
    package var unitColumns: [Int] = []

    private let nullWords: NullWords
    private var reader: ChunkReader
    private var parser: CSVRecordParser
    /// By column, the range of the value without doubled quotes; only valid for fields that have doubled quotes.
    private var unescaped: [Range<Int>]
    private var chunkEnd = 0
    private var nextLine: Int

    /// Reads the header of a file. Throws `FileError`, or `CSVError` if it has no header or a malformed one.
    package init(
        _ input: consuming InputFile, nullWords: [String] = [], delimiter: CSVDelimiter = .comma,
        chunkSize: Int = ChunkReader.defaultChunkSize,
        maximumRecordLength: Int = ChunkReader.defaultMaximumRecordLength
    ) throws {
        self.nullWords = NullWords(nullWords)
        reader = try ChunkReader(
            input, delimiter: delimiter, chunkSize: chunkSize, maximumRecordLength: maximumRecordLength)
        let columnCount = reader.header.names.count
        parser = CSVRecordParser(columnCount: columnCount, delimiter: delimiter)
        unescaped = Array(repeating: 0..<0, count: columnCount)
        nextLine = reader.header.lineCount + 1
    }

    package var header: CSVHeader { reader.header }
    package var name: String { reader.inputName }
    package var bytesRead: Int { reader.bytesRead }

    /// Moves to the next row. Returns `false` at the end. `CSVError` and `FileError` are final.
    package mutating func next() throws -> Bool {
        if bytes.count > chunkEnd { bytes.removeLast(bytes.count - chunkEnd) }
        while !parser.next(in: bytes) {
            guard try readChunk() else { return false }
        }
        line = nextLine
        if let problem = parser.problem { throw error(at: problem.offset, problem.message) }
        rowCount += 1
        nextLine += 1
        for column in 0..<parser.columnCount where parser[column].isQuoted { takeQuoted(column) }
        for column in unitColumns {
            let (id, lengths) = (self[column], UnitSuspicion.lengths)
            let isSuspicious = UnitSuspicion.mayApply(id.lowerBound, id.count, bytes.span, lengths.span)
            if isSuspicious { noteUnit(column) }
        }
        return true
    }

    private mutating func noteUnit(_ column: Int) {
        var doubts = doubts
        doubts.note(unit: bytes.span.extracting(self[column]), of: header.names[column])
        self.doubts = doubts
    }

    /// The range of a field's value in ``bytes``, until the next row is read.
    package subscript(column: Int) -> Range<Int> {
        let field = parser[column]
        let range = field.hasEscapes ? unescaped[column] : field.range
        return nullWords.isEmpty || !nullWords.contains(bytes.span.extracting(range)) ? range : range.prefix(0)
    }

    package func text(_ column: Int) -> String { String(decoding: bytes[self[column]], as: UTF8.self) }

    /// The instant in a field of the current row.
    ///
    /// - Throws: `CSVError` with the place for any other text.
    package func instant(_ column: Int) throws -> Instant {
        if let instant = TimeColumn.instant(parser[column], of: bytes.span) { return instant }
        throw error(in: column, TimeColumn.fault(of: text(column), in: header.names[column]))
    }

    /// An error about the value of a field of the current row, with its place.
    package func error(in column: Int, _ message: String) -> CSVError {
        error(at: parser[column].writtenRange.lowerBound, message)
    }

    private func error(at offset: Int, _ message: String) -> CSVError {
        var position = ChunkPosition()
        let start = parser.recordStart
        position.advance(to: offset - start, in: bytes.span.extracting(start..<chunkEnd))
        return CSVError(path: name, line: line + position.lineFeeds, column: position.column, message: message)
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
            throw CSVError(
                path: name, line: nextLine + problem.position.lineFeeds, column: problem.position.column,
                message: problem.message)
        }
        swap(&chunk.buffer, &bytes)
        chunkEnd = chunk.count
        bytes.removeLast(bytes.count - chunkEnd)
        parser.start()
        return true
    }

    /// Counts the line feeds of a quoted field, and copies its value with single instead of doubled quotes.
    private mutating func takeQuoted(_ column: Int) {
        let field = parser[column]
        let lineFeeds = LineFeeds.count(in: bytes.span.extracting(field.range))
        doubts.longFields.note(place: nextLine - 1, lineFeeds: lineFeeds)
        nextLine += lineFeeds
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
