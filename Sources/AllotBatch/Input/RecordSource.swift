import AllotConfiguration
import AllotFiles

/// The bytes of a file that have been read and not taken, decompressed if they are gzip. A record begins at 0.
struct RecordSource: ~Copyable, Sendable {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let input: InputFile
    private let delimiter: CSVDelimiter
    /// The decompression; `nil` for a plain file.
    private var gzip: GzipStream?
    private var buffer: [UInt8] = []
    private var filled = 0
    private var taken = 0
    private var framing: CSVFraming
    /// Whether the whole file has been read.
    private(set) var isAtEnd = false

    init(_ input: consuming InputFile, delimiter: CSVDelimiter) {
        self.input = input
        self.delimiter = delimiter
        framing = CSVFraming(delimiter: delimiter)
    }

    /// The number of bytes of the file that were read so far, and decompressed.
    var bytesRead: Int {
        switch gzip {
        case .some(let gzip): gzip.byteCount
        case nil: taken + filled
        }
    }

    /// The first bytes that have been read and not yet taken.
    var start: [UInt8] { Array(buffer.prefix(min(filled, 4096))) }

    /// The problem of the record that the bytes begin with, which have been read and not yet taken: it is longer than
    /// `limit`. Its place is that of the quote that is still open, or the beginning of the record.
    func recordTooLong(limit: Int) -> RowProblem {
        let bytes = buffer.span.extracting(first: filled)
        var parser = CSVRecordParser(columnCount: 1, delimiter: delimiter)
        guard parser.next(in: bytes), parser.malformation == .unclosedQuote else {
            return RowProblem(.recordTooLong(limit: limit), offset: 0)
        }
        var problem = RowProblem(.quoteTooLong(limit: limit), offset: 0)
        problem.position.advance(to: parser.malformationOffset, in: bytes)
        return problem
    }

    /// The fault of compressed data, at the end of what has been read and not yet taken; `nil` without one.
    var damage: RowProblem? {
        guard let fault = decompressionFault else { return nil }
        var problem = RowProblem(offset: 0, message: fault)
        problem.position.advance(to: filled, in: buffer.span.extracting(first: filled))
        return problem
    }

    private var decompressionFault: String? {
        switch gzip {
        case .some(let gzip): gzip.fault
        case nil: nil
        }
    }

    /// A copy of the whole records that have been read and not yet taken.
    var records: [UInt8] { chunkEnd(trimmingEmptyLines: true).map { Array(buffer.prefix($0)) } ?? [] }

    /// Takes the first record, with its line end. Returns `nil` if it is longer than `limit`, or for ``damage``.
    mutating func takeFirstRecord(chunkSize: Int, limit: Int) throws(FileError) -> [UInt8]? {
        try read(to: max(chunkSize, Self.byteOrderMark.count), stop: nil)
        if buffer.prefix(filled).starts(with: GzipStream.mark) {
            gzip = GzipStream(Array(buffer.prefix(filled)), isWhole: isAtEnd)
            (filled, isAtEnd) = (0, false)
            try read(to: max(chunkSize, Self.byteOrderMark.count), stop: nil)
        }
        if buffer.prefix(filled).starts(with: Self.byteOrderMark) {
            buffer.removeFirst(Self.byteOrderMark.count)
            filled -= Self.byteOrderMark.count
            taken = Self.byteOrderMark.count
        }
        var capacity = chunkSize
        while true {
            try read(to: capacity, stop: nil)
            var framing = framing
            framing.scanFirstRecord(buffer.span.extracting(first: filled))
            self.framing = framing
            if let end = framing.lastRecordEnd ?? (isAtEnd ? filled : nil) {
                var chunk = Chunk()
                take(end, into: &chunk)
                let record = chunk.records
                let length = record.last == CSVByte.lineFeed ? record.count - 1 : record.count
                return length > limit ? nil : record
            }
            guard capacity <= limit, damage == nil else { return nil }
            capacity = min(capacity * 2, limit + 1)
        }
    }

    /// Reads until there are `capacity` bytes or the file ends, and finds the records in them.
    mutating func fill(to capacity: Int, stop: StopSignal?) throws(FileError) {
        try read(to: capacity, stop: stop)
        var framing = framing
        framing.scan(buffer.span.extracting(first: filled))
        self.framing = framing
    }

    private mutating func read(to capacity: Int, stop: StopSignal?) throws(FileError) {
        if buffer.count < capacity { buffer.append(contentsOf: [UInt8](repeating: 0, count: capacity - buffer.count)) }
        while filled < capacity, !isAtEnd, gzip?.fault == nil {
            if gzip?.needsInput != false {
                // A regular file never waits.
                if let stop, input.size == nil, !stop.waitUntilReadable(input.descriptor.number) { break }
                try gzip?.read(from: input)
            }
            if gzip == nil {
                let count = try input.read(into: &buffer, at: filled)
                filled += count
                isAtEnd = count == 0
            } else {
                let count = gzip?.decompress(into: &buffer, at: filled) ?? 0
                filled += count
                isAtEnd = gzip?.isAtEnd ?? true
            }
        }
    }

    /// The offset at which a chunk of whole records can end, perhaps before empty lines that may be the last of the
    /// file. Returns `nil` if there is nothing to take yet, or nothing is left.
    func chunkEnd(trimmingEmptyLines: Bool) -> Int? {
        guard filled > 0 else { return nil }
        if isAtEnd, framing.lastRecordEnd != filled { return filled }
        guard let end = framing.lastRecordEnd else { return nil }
        let isFollowed = end < filled && !(end == filled - 1 && buffer[end] == CSVByte.carriageReturn)
        guard trimmingEmptyLines, !isFollowed else { return end }
        let trimmed = withoutEmptyLines(end)
        return trimmed > 0 ? trimmed : nil
    }

    private func withoutEmptyLines(_ end: Int) -> Int {
        var end = end
        while end > 0 {
            var start = end - 1
            if start > 0, buffer[start - 1] == CSVByte.carriageReturn { start -= 1 }
            guard start == 0 || buffer[start - 1] == CSVByte.lineFeed else { break }
            end = start
        }
        return end
    }

    /// Moves the bytes before `end` to `chunk`, and the rest to its old buffer.
    mutating func take(_ end: Int, into chunk: inout Chunk) {
        let restCount = filled - end
        if chunk.buffer.count < restCount {
            chunk.buffer.append(contentsOf: [UInt8](repeating: 0, count: restCount - chunk.buffer.count))
        }
        chunk.buffer.withUnsafeMutableBytes { target in
            buffer.withUnsafeBytes { source in
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[end..<filled]))
            }
        }
        swap(&buffer, &chunk.buffer)
        taken += end
        filled = restCount
        framing.drop(before: end)
        chunk.count = end
        chunk.inputEnd = gzip?.byteCount ?? taken
    }
}
