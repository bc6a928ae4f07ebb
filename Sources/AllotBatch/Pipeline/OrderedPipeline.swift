import AllotFiles
import Dispatch

/// Processes the chunks of a file on several threads and writes the results in the order of the file.
///
/// The output, the statistics and the error are the same whatever the number of threads and the size of the chunks.
/// Memory is bounded: at most `chunkLimit` chunks have been read and not yet written, and their buffers are reused.
struct OrderedPipeline: Sendable {
    /// The number of threads that process chunks, including the caller's; at least 1.
    let workerCount: Int
    /// The largest number of chunks that have been read and not yet written.
    let chunkLimit: Int

    /// Creates a pipeline; by default with a worker for each processor that the process may use.
    init(workerCount: Int? = nil, chunkLimit: Int? = nil) {
        self.workerCount = max(workerCount ?? Processors.availableCount, 1)
        self.chunkLimit = max(chunkLimit ?? self.workerCount * 2 + 2, 1)
    }

    /// Reads to the end, with a processor from `makeProcessor` on each thread, and returns when all threads have ended.
    ///
    /// The statistics of all chunks are added to `statistics`. Rejected rows go to `rejects`; without it they are
    /// dropped. `progress` receives the number of input bytes that have been processed, in growing order, from one
    /// thread at a time.
    ///
    /// Throws the first error in the order of the file: `CSVError` for a row, `FileError` or the error of a sink for a
    /// file. The output of the rows before it has been written by then; the caller decides whether to commit outputs.
    func run<Processor: ChunkProcessor>(
        _ reader: consuming ChunkReader, adding statistics: Processor.Statistics, output: any ByteSink,
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

/// The result of a pipeline.
struct PipelineResult<Statistics: BatchStatistics>: Sendable {
    var statistics: Statistics
    var rejects = RejectedTotal()
    var longFields = LongFields()
}

/// Processes the records of chunks. Each worker thread has a processor of its own for many chunks.
protocol ChunkProcessor: SendableMetatype {
    /// The counts.
    associatedtype Statistics: BatchStatistics

    /// Processes whole records. `output` is empty at first.
    ///
    /// Throws to stop at a row; `output` then holds the output of the rows before it, and the problem's offset gives
    /// the line and column. Of several problems in a file the first one in the file is reported.
    mutating func process(_ chunk: Span<UInt8>, into output: inout ChunkOutput) throws(RowProblem) -> Statistics
}

/// Counts that are added up over chunks, in the order of the chunks.
protocol BatchStatistics: Sendable {
    /// Adds the counts of the next chunk.
    mutating func merge(_ next: Self)
}
