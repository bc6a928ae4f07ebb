import AllotConfiguration
import AllotFiles

/// Reads a CSV file, which may be gzip, in chunks that end where records end: without byte order mark, header and, if
/// there is more than one column, the empty lines at its very end. Memory is bounded by the longest record.
package struct ChunkReader: ~Copyable, Sendable {
    /// The size of a chunk unless a record is longer: 256 KiB, so that the buffers at work stay in a core's cache.
    package static let defaultChunkSize = 1 << 18
    /// The default length of the longest record that is read: 16 MiB without its line feed.
    package static let defaultMaximumRecordLength = 16 << 20

    package let header: CSVHeader
    package let inputName: String
    private let maximumRecordLength: Int
    private let chunkSize: Int
    private var source: RecordSource

    /// Reads the header of a file. Throws `FileError`, or `CSVError` if it has no header or a malformed one.
    package init(
        _ input: consuming InputFile, delimiter: CSVDelimiter = .comma, chunkSize: Int = defaultChunkSize,
        maximumRecordLength: Int = defaultMaximumRecordLength
    ) throws {
        let name = input.name
        inputName = name
        self.maximumRecordLength = max(maximumRecordLength, 1)
        self.chunkSize = min(max(chunkSize, 1), self.maximumRecordLength)
        var source = RecordSource(input, delimiter: delimiter)
        let record = try source.takeFirstRecord(chunkSize: self.chunkSize, limit: self.maximumRecordLength)
        do throws(RowProblem) {
            if record == nil, let damage = source.damage { throw damage }
            if let format = ForeignFormat(of: record ?? source.start, before: source.start) {
                throw RowProblem(offset: 0, message: format.message)
            }
            guard let record else { throw source.recordTooLong(limit: self.maximumRecordLength) }
            guard !record.isEmpty else {
                throw RowProblem(offset: 0, message: "the file is empty; its first line must name the columns")
            }
            header = try CSVHeader(record.span, delimiter: delimiter)
        } catch {
            let bytes = record ?? []
            var position = error.position
            position.advance(to: error.offset, in: bytes.span)
            var failure = CSVError(
                path: name, line: position.lineFeeds + 1, column: position.column, message: error.message)
            failure.foundDelimiter = error.foundDelimiter
            throw failure
        }
        self.source = source
    }

    /// The number of bytes of the input that were read so far, including the header and a byte order mark.
    package var bytesRead: Int { source.bytesRead }

    /// A copy of the whole records among the next bytes, which the first chunk has as well.
    mutating func firstRecords(among count: Int) throws(FileError) -> [UInt8] {
        try source.fill(to: count, stop: nil)
        return source.records
    }

    /// Reads the next chunk. Returns `false` at the end of the file or once `stop` is raised. Throws `FileError`, or
    /// `RowProblem` with its position for a record that is too long or compressed data that are damaged.
    mutating func next(into chunk: inout Chunk, stop: StopSignal? = nil) throws -> Bool {
        var capacity = chunkSize
        while true {
            try source.fill(to: capacity, stop: stop)
            if let stop, stop.isRaised { return false }
            if let end = source.chunkEnd(trimmingEmptyLines: header.names.count > 1) {
                source.take(end, into: &chunk)
                return true
            }
            if let damage = source.damage { throw damage }
            if source.isAtEnd { return false }
            guard capacity <= maximumRecordLength else {
                guard let end = source.chunkEnd(trimmingEmptyLines: false) else { break }
                source.take(end, into: &chunk)
                return true
            }
            capacity = min(capacity * 2, maximumRecordLength + 1)
        }
        throw source.recordTooLong(limit: maximumRecordLength)
    }
}
