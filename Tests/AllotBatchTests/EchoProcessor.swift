import AllotFiles

@testable import AllotBatch

/// What the echo counts: enough to tell whether chunks were merged in order.
struct EchoStatistics: BatchStatistics, Equatable {
    var rows = 0
    var lengths: [Int] = []

    mutating func merge(_ next: Self) {
        rows += next.rows
        lengths += next.lengths
    }
}

/// Writes each row as it was, with a line feed.
struct EchoProcessor: ChunkProcessor {
    var parser: CSVRecordParser
    var rejects = false
    /// Called with each chunk before anything else.
    var onChunk: (@Sendable ([UInt8]) -> Void)?

    mutating func process(_ chunk: Span<UInt8>, into output: inout ChunkOutput) throws(RowProblem) -> EchoStatistics {
        if let onChunk { onChunk(chunk.withUnsafeBufferPointer { Array($0) }) }
        var statistics = EchoStatistics()
        parser.start()
        while parser.next(in: chunk) {
            if let problem = parser.problem {
                guard rejects else { throw problem }
                output.rejects.append(parser.record, of: chunk, because: problem)
                continue
            }
            for index in parser.record { output.main.append(chunk[index]) }
            output.main.append(UInt8(ascii: "\n"))
            statistics.rows += 1
            statistics.lengths.append(parser.record.count)
        }
        return statistics
    }
}

extension EchoProcessor {
    /// Runs a pipeline that writes each row as it was. Malformed rows are set aside if there are `rejects`.
    static func run(
        _ input: consuming InputFile, chunkSize: Int = 20, limit: Int = ChunkReader.defaultMaximumRecordLength,
        workers: Int = 3, chunkLimit: Int? = nil, output: any ByteSink = MemoryOutput(),
        rejects: (any ByteSink)? = nil, progress: (@Sendable (Int) -> Void)? = nil,
        onChunk: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws -> EchoStatistics {
        let reader = try ChunkReader(input, chunkSize: chunkSize, maximumRecordLength: limit)
        let parser = CSVRecordParser(columnCount: reader.header.names.count)
        let setsAside = rejects != nil
        let pipeline = OrderedPipeline(workerCount: workers, chunkLimit: chunkLimit)
        return try pipeline.run(
            reader, adding: EchoStatistics(), output: output, rejects: rejects, progress: progress
        ) { EchoProcessor(parser: parser, rejects: setsAside, onChunk: onChunk) }.statistics
    }
}
