import AllotFiles

/// Processes the chunks of a file on several threads and writes what comes of them in the order of the file.
///
///     let reader = try ChunkReader(InputFile(path: "users.csv"))
///     let result = try OrderedPipeline().run(reader, output: output) { Processor(plan) }
///
/// The output, the statistics and the error are the same whatever the number of threads and the size of the chunks.
/// Memory is bounded: at most `chunkLimit` chunks are between being read and being written, in buffers that are used
/// again.
public struct OrderedPipeline: Sendable {
    /// The number of threads that process chunks, the caller's among them; at least 1.
    public var workerCount: Int
    /// The number of chunks that are read and not yet written, at most.
    public var chunkLimit: Int

    /// Creates a pipeline; by default with a worker for each processor that the process may use.
    public init(workerCount: Int? = nil, chunkLimit: Int? = nil) {
        self.workerCount = max(workerCount ?? Processors.availableCount, 1)
        self.chunkLimit = max(chunkLimit ?? self.workerCount * 2 + 2, 1)
    }

    /// Reads to the end, with a processor from `makeProcessor` on each thread, and returns when all threads have ended.
    ///
    /// Rejected rows go to `rejects`; without it they are dropped. `progress` is told the number of bytes of the input
    /// that are done, in growing order, by one thread at a time.
    ///
    /// Throws the first error in the order of the file: `CSVError` for a row, `FileError` or what a sink throws for a
    /// file. What the rows before it gave is written then, but outputs are for the caller to commit.
    public func run<Processor: ChunkProcessor>(
        _ reader: consuming ChunkReader, output: any ByteSink, rejects: (any ByteSink)? = nil,
        progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil,
        makeProcessor: @escaping @Sendable () -> Processor
    ) throws -> PipelineResult<Processor.Statistics> {
        let writer = OrderedWriter<Processor.Statistics>(
            inputName: reader.inputName, firstLine: reader.header.lineCount + 1, output: output, rejects: rejects,
            progress: progress)
        let run = PipelineRun(reader, writer: writer, chunkLimit: chunkLimit, makeProcessor: makeProcessor)
        WorkerThreads.run(workerCount) { run.work() }
        var result = try writer.result()
        result.byteCount = run.bytesRead
        return result
    }
}

/// What a pipeline has done.
public struct PipelineResult<Statistics: BatchStatistics>: Sendable {
    /// The statistics of all chunks.
    public var statistics = Statistics()
    /// The number of bytes read, the header and a byte order mark included.
    public var byteCount = 0
    /// The number of rows set aside.
    public var rejectCount = 0
}
