import Dispatch
import Synchronization

final class PipelineRun<Processor: ChunkProcessor>: Sendable {
    private struct Input: ~Copyable, Sendable {
        var reader: ChunkReader
        var nextIndex = 0
        var isAtEnd = false
    }

    /// A chunk that was read, by its number, or why it could not be read.
    private typealias Reading = (index: Int, failure: ProcessedChunk<Processor.Statistics>.Failure?)

    private let input: Mutex<Input>
    private let writer: OrderedWriter<Processor.Statistics>
    private let makeProcessor: @Sendable () -> Processor
    private let stop = StopSignal()
    private let freeSlots = DispatchSemaphore(value: 0)

    init(
        _ reader: consuming ChunkReader, writer: OrderedWriter<Processor.Statistics>, chunkLimit: Int,
        makeProcessor: @escaping @Sendable () -> Processor
    ) {
        input = Mutex(Input(reader: reader))
        self.writer = writer
        self.makeProcessor = makeProcessor
        // Dispatch traps if a semaphore is deallocated with a count below its initial value.
        for _ in 0..<chunkLimit { freeSlots.signal() }
    }

    /// Processes chunks until there are none left, or the work has failed.
    func work() {
        var processor = makeProcessor()
        var chunk = Chunk()
        while true {
            freeSlots.wait()
            guard let reading = read(into: &chunk) else {
                // Wakes the next thread that waits for a slot, which finds the end too and wakes the next.
                freeSlots.signal()
                return
            }
            let result =
                if let failure = reading.failure { ProcessedChunk<Processor.Statistics>(failure: failure) } else {
                    process(chunk, with: &processor)
                }
            // Chunks after a failed one need not be read. Those before it are being processed and may fail earlier.
            if result.failure != nil { stop.raise() }
            if !writer.deliver(consume result, index: reading.index, written: { freeSlots.signal() }) {
                stop.raise()
                freeSlots.signal()
            }
        }
    }

    private func read(into chunk: inout Chunk) -> Reading? {
        input.withLock { input in
            guard !input.isAtEnd, !stop.isRaised else { return nil }
            let index = input.nextIndex
            input.nextIndex += 1
            do {
                if try input.reader.next(into: &chunk, stop: stop) { return (index, nil) }
                input.isAtEnd = true
                return nil
            } catch {
                input.isAtEnd = true
                let problem = error as? RowProblem
                return (index, problem.map { .row($0.position, message: $0.message) } ?? .reading(error))
            }
        }
    }

    private func process(_ chunk: Chunk, with processor: inout Processor) -> ProcessedChunk<Processor.Statistics> {
        let bytes = chunk.buffer.span.extracting(first: chunk.count)
        var result = ProcessedChunk<Processor.Statistics>(output: writer.takeSpare(), inputEnd: chunk.inputEnd)
        do throws(RowProblem) {
            result.statistics = try processor.process(bytes, into: &result.output)
            result.lineFeeds = LineFeeds.count(in: bytes)
        } catch {
            var position = ChunkPosition()
            position.advance(to: error.offset, in: bytes)
            result.failure = .row(position, message: error.message)
        }
        return result
    }
}
