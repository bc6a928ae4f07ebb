import AllotFiles
import Dispatch

/// Processes the chunks of a file on several threads and writes the results in the order of the file. Results do not
/// depend on threads and chunks. At most `chunkLimit` chunks are in memory, whose buffers are reused.
struct OrderedPipeline: Sendable {
    /// The number of threads that process chunks, including the caller's; at least 1.
    let workerCount: Int
    let chunkLimit: Int

    /// Creates a pipeline; by default with a worker for each processor that the process may use.
    init(workerCount: Int? = nil, chunkLimit: Int? = nil) {
        self.workerCount = max(workerCount ?? Processors.availableCount, 1)
        self.chunkLimit = max(chunkLimit ?? self.workerCount * 2 + 2, 1)
    }

    /// Reads to the end, with a processor on each thread, adds up the statistics, and drops rejected rows without
    /// `rejects`. Throws the first error in the order of the file, after the output of the rows before it has been
    /// written.
    func run<Processor: ChunkProcessor>(
        _ reader: consuming ChunkReader, adding statistics: Processor.Statistics, output: (any ByteSink)? = nil,
        rejects: (any ByteSink)? = nil, progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil,
        makeProcessor: @escaping @Sendable () -> Processor
    ) throws -> PipelineResult<Processor.Statistics> {
        let writer = OrderedWriter(
            inputName: reader.inputName, firstLine: reader.header.lineCount + 1, statistics, output: output,
            rejects: rejects, progress: progress)
        let run = PipelineRun(reader, writer: writer, chunkLimit: chunkLimit, makeProcessor: makeProcessor)
        DispatchQueue.concurrentPerform(iterations: workerCount) { _ in run.work() }
        return try writer.result()
    }
}

struct PipelineResult<Statistics: BatchStatistics>: Sendable {
    var statistics: Statistics
    var rejects = RejectedTotal()
    var longFields = LongFields()
}

/// Processes the records of chunks. Each worker thread has a processor of its own for many chunks.
protocol ChunkProcessor: SendableMetatype {
    associatedtype Statistics: BatchStatistics

    /// Processes whole records into `output`, which holds the rows before one that stops the work.
    mutating func process(_ chunk: Span<UInt8>, into output: inout ChunkOutput) throws(RowProblem) -> Statistics
}

/// Counts that are added up over chunks, in the order of the chunks.
protocol BatchStatistics: Sendable {
    mutating func merge(_ next: Self)
}
