import Synchronization

/// Takes processed chunks in any order and writes them in the order of the file: the thread that delivers the next
/// chunk writes it and all chunks that wait for it, while others go on working.
final class OrderedWriter<Statistics: BatchStatistics>: Sendable {
    private struct Queue {
        var waiting: [Int: ProcessedChunk<Statistics>] = [:]
        var nextIndex = 0
        var isWriting = false
        var spares: [ChunkOutput] = []
    }

    private struct Progress {
        var line: Int
        var result: PipelineResult<Statistics>
        var error: (any Error)?
    }

    private let inputName: String
    private let output: (any ByteSink)?
    private let rejects: (any ByteSink)?
    private let progress: (@Sendable (Int) -> Void)?
    private let queue = Mutex(Queue())
    private let state: Mutex<Progress>

    init(
        inputName: String, firstLine: Int, _ statistics: Statistics, output: (any ByteSink)?,
        rejects: (any ByteSink)?, progress: (@Sendable (Int) -> Void)?
    ) {
        (self.inputName, self.output, self.rejects, self.progress) = (inputName, output, rejects, progress)
        state = Mutex(Progress(line: firstLine, result: PipelineResult(statistics: statistics)))
    }

    /// The result once all threads have ended; throws the error that ended the work.
    func result() throws -> PipelineResult<Statistics> {
        try state.withLock { state in
            if let error = state.error { throw error }
            return state.result
        }
    }

    /// An empty output, with the memory of an earlier one if possible.
    func takeSpare() -> ChunkOutput { queue.withLock { $0.spares.popLast() } ?? ChunkOutput() }

    /// Delivers the chunk with the number `index`. Calls `written` for each chunk that this thread writes. Returns
    /// `false` if writing fails, which ends the work.
    func deliver(_ chunk: consuming ProcessedChunk<Statistics>, index: Int, written: () -> Void) -> Bool {
        // Moved, not copied: a buffer with two owners could not be reused.
        var delivered: ProcessedChunk<Statistics>? = consume chunk
        let mustWrite = queue.withLock { queue in
            queue.waiting[index] = delivered.take()
            guard !queue.isWriting, queue.nextIndex == index else { return false }
            queue.isWriting = true
            return true
        }
        guard mustWrite else { return true }
        while var next = takeNext() {
            do {
                try write(next)
            } catch {
                // `isWriting` stays set, so that no thread writes from now on.
                state.withLock { $0.error = error }
                return false
            }
            var spare: ChunkOutput? = next.takeOutput()
            queue.withLock { queue in
                if let spare = spare.take() { queue.spares.append(spare) }
            }
            written()
        }
        return true
    }

    /// The next chunk. Returns `nil` if it has not been delivered, and writing ends.
    private func takeNext() -> ProcessedChunk<Statistics>? {
        queue.withLock { queue in
            guard let chunk = queue.waiting.removeValue(forKey: queue.nextIndex) else {
                queue.isWriting = false
                return nil
            }
            queue.nextIndex += 1
            return chunk
        }
    }

    private func write(_ chunk: ProcessedChunk<Statistics>) throws {
        try state.withLock { state in
            if !chunk.output.main.isEmpty { try output?.write(chunk.output.main) }
            if let rejects, chunk.output.rejects.count > 0 {
                try rejects.write(chunk.output.rejects.bytes(firstLine: state.line))
            }
            switch chunk.failure {
            case nil: break
            case .reading(let error): throw error
            case .row(let position, let message):
                throw CSVError(
                    path: inputName, line: state.line + position.lineFeeds, column: position.column, message: message)
            }
            if let statistics = chunk.statistics { state.result.statistics.merge(statistics) }
            state.result.rejects.merge(chunk.output.rejects.total, firstLine: state.line)
            state.result.longFields.merge(chunk.output.longFields, firstLine: state.line)
            state.line += chunk.lineFeeds
        }
        progress?(chunk.inputEnd)
    }
}
