import AllotFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotBatch

struct OrderedPipelineTests {
    private let folder: TemporaryFolder

    init() throws {
        BrokenPipe.becomesError()
        folder = try TemporaryFolder()
    }

    /// Keeps what is written.
    private final class ListSink: ByteSink {
        private let state = Mutex<[UInt8]>([])

        var bytes: [UInt8] {
            state.withLock { $0 }
        }

        func write(_ bytes: [UInt8]) {
            state.withLock { $0 += bytes }
        }
    }

    /// What a run gives, whether it fails or not.
    private struct Outcome: Equatable {
        var output: [UInt8]
        var rejects: [UInt8]
        var error: CSVError?
        var statistics: EchoStatistics?
    }

    private func run(
        _ path: String, chunkSize: Int, workers: Int, rejects: Bool = false,
        onChunk: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws -> Outcome {
        let reader = try ChunkReader(InputFile(path: path), chunkSize: chunkSize)
        let parser = CSVRecordParser(columnCount: reader.header.names.count)
        let output = ListSink()
        let rejected = ListSink()
        var outcome = Outcome(output: [], rejects: [])
        do {
            let result = try OrderedPipeline(workerCount: workers).run(
                reader, adding: EchoStatistics(), output: output, rejects: rejected
            ) {
                EchoProcessor(parser: parser, rejects: rejects, onChunk: onChunk)
            }
            outcome.statistics = result.statistics
        } catch let error as CSVError {
            outcome.error = error
        }
        outcome.output = output.bytes
        outcome.rejects = rejected.bytes
        return outcome
    }

    /// What a run must give, worked out by the oracle.
    private func expected(_ path: String, bytes: [UInt8], rejects: Bool) -> Outcome {
        var records = ReferenceCSV.records(bytes, columnCount: nil)
        let columnCount = records.first?.fields.count ?? 0
        records = ReferenceCSV.records(bytes, columnCount: columnCount)
        while columnCount > 1, records.last?.range.isEmpty == true { records.removeLast() }
        var outcome = Outcome(output: [], rejects: [], statistics: EchoStatistics())
        for record in records.dropFirst() {
            guard let problem = record.problem else {
                outcome.output += bytes[record.range] + [10]
                outcome.statistics?.rows += 1
                outcome.statistics?.lengths.append(record.range.count)
                continue
            }
            let (line, column) = ReferenceCSV.position(of: record.problemOffset, in: bytes)
            guard rejects else {
                outcome.statistics = nil
                outcome.error = CSVError(path: path, line: line, column: column, message: problem.message())
                break
            }
            outcome.rejects += Array("\(line),\(column),".utf8)
            outcome.rejects.appendCSVField(problem.message())
            outcome.rejects += [UInt8(ascii: ",")]
            outcome.rejects.appendCSVField(Array(bytes[record.range]).span)
            outcome.rejects += [10]
        }
        return outcome
    }

    @Test("The result is the same for every chunk size and number of threads", arguments: 0..<12)
    func everyChunkSizeAndThreadCountGivesTheSame(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        for style in NastyCSV.Style.allCases {
            let bytes = Array("x,\"y\nz\"\r\n".utf8) + NastyCSV.bytes(using: &generator, style: style, length: 250)
            let path = try folder.write(bytes, to: "input.csv")
            for rejects in [true, false] {
                let expected = expected(path, bytes: bytes, rejects: rejects)
                for chunkSize in [1, 2, 3, 5, 8, 13, 21, 50, 100, 1000] {
                    let workers = Int.random(in: 1...8, using: &generator)
                    #expect(try run(path, chunkSize: chunkSize, workers: workers, rejects: rejects) == expected)
                }
            }
        }
    }

    @Test("The output is in order even if some chunks take longer", arguments: 1...8)
    func keepsTheOrderUnderUnevenWork(workers: Int) throws {
        let rows = (0..<1000).map { "row-\($0)\n" }.joined()
        let path = try folder.write("id\n" + rows, to: "input.csv")
        let outcome = try run(path, chunkSize: 24, workers: workers) { chunk in
            // Anything from nothing to thousands of steps.
            var hash = chunk.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
            for _ in 0..<(hash >> 32) % 2000 { hash = hash &* 6_364_136_223_846_793_005 &+ 1 }
            withExtendedLifetime(hash) {}
        }
        #expect(String(decoding: outcome.output, as: UTF8.self) == rows)
        #expect(outcome.statistics?.rows == 1000)
        #expect(outcome.statistics?.lengths == (0..<1000).map { "row-\($0)".utf8.count })
    }

    @Test("Later chunks are written after a slow one")
    func laterChunksWaitForASlowOne() throws {
        let path = try folder.write("id\nfirst\nsecond\nthird\nfourth\n", to: "input.csv")
        let thirdIsDone = DispatchSemaphore(value: 0)
        let outcome = try run(path, chunkSize: 6, workers: 3) { chunk in
            if chunk.starts(with: Array("first".utf8)) { thirdIsDone.wait() }
            if chunk.starts(with: Array("third".utf8)) { thirdIsDone.signal() }
        }
        #expect(String(decoding: outcome.output, as: UTF8.self) == "first\nsecond\nthird\nfourth\n")
    }

    @Test("The first error in the file is reported, whichever thread finds one first")
    func theFirstErrorOfTheFileIsReported() throws {
        let path = try folder.write("id\nok-1\nbad\"1\nok-2\nbad\"2\nok-3\n", to: "input.csv")
        let secondIsFound = DispatchSemaphore(value: 0)
        let outcome = try run(path, chunkSize: 7, workers: 3) { chunk in
            if chunk.starts(with: Array("bad\"1".utf8)) { secondIsFound.wait() }
            if chunk.starts(with: Array("bad\"2".utf8)) { secondIsFound.signal() }
        }
        #expect(outcome.error?.line == 3)
        #expect(outcome.error?.column == 4)
        #expect(String(decoding: outcome.output, as: UTF8.self) == "ok-1\n")
    }

    @Test("An error stops every thread", arguments: 1...8)
    func anErrorStopsEveryThread(workers: Int) throws {
        let path = try folder.write(
            "id\n" + String(repeating: "ok\n", count: 500) + "a,b\n" + String(repeating: "ok\n", count: 20000),
            to: "input.csv")
        for _ in 0..<20 {
            let live = Counter()
            let processed = Counter()
            let parser = CSVRecordParser(columnCount: 1)
            let pipeline = OrderedPipeline(workerCount: workers, chunkLimit: 3)
            let error = #expect(throws: CSVError.self) {
                let reader = try ChunkReader(InputFile(path: path), chunkSize: 9)
                _ = try pipeline.run(reader, adding: EchoStatistics(), output: ListSink()) {
                    CountedProcessor(echo: EchoProcessor(parser: parser), live: live, processed: processed)
                }
            }
            #expect(error?.line == 502)
            #expect(error?.column == 3)
            #expect(live.value.load(ordering: .relaxed) == 0)
            #expect(processed.value.load(ordering: .relaxed) <= 500 / 3 + 2 + 3)
        }
    }

    @Test(
        "No more chunks than the limit have been read and not yet written",
        arguments: [(1, 1), (1, 2), (2, 1), (4, 2), (3, 5), (8, 3)])
    func chunksInMemoryAreLimited(workers: Int, chunkLimit: Int) throws {
        let rows = String(repeating: "row\n", count: 2000)
        let path = try folder.write("id\n" + rows, to: "input.csv")
        let onTheirWay = Counter()
        let most = Counter()
        let output = CountingSink { onTheirWay.value.subtract(1, ordering: .relaxed) }
        let reader = try ChunkReader(InputFile(path: path), chunkSize: 5)
        let parser = CSVRecordParser(columnCount: 1)
        _ = try OrderedPipeline(workerCount: workers, chunkLimit: chunkLimit).run(
            reader, adding: EchoStatistics(), output: output
        ) {
            EchoProcessor(parser: parser) { _ in
                let count = onTheirWay.value.add(1, ordering: .relaxed).newValue
                most.value.max(count, ordering: .relaxed)
            }
        }
        #expect(most.value.load(ordering: .relaxed) <= chunkLimit)
        #expect(onTheirWay.value.load(ordering: .relaxed) == 0)
    }

    @Test("Progress grows to the size of the file")
    func progressGrowsToTheSizeOfTheFile() throws {
        let path = try folder.write("\u{FEFF}id\n" + String(repeating: "row\n", count: 1000), to: "input.csv")
        let reader = try ChunkReader(InputFile(path: path), chunkSize: 50)
        let parser = CSVRecordParser(columnCount: 1)
        let steps = Mutex<[Int]>([])
        _ = try OrderedPipeline(workerCount: 3).run(
            reader, adding: EchoStatistics(), output: ListSink(),
            progress: { done in steps.withLock { $0.append(done) } },
            makeProcessor: { EchoProcessor(parser: parser) })
        let seen = steps.withLock { $0 }
        #expect(seen == seen.sorted())
        #expect(seen.last == 4006)
    }

    @Test("A file with only a header gives no output")
    func aHeaderAloneGivesNothing() throws {
        let outcome = try run(try folder.write("id,b\n\n", to: "input.csv"), chunkSize: 100, workers: 4)
        #expect(outcome == Outcome(output: [], rejects: [], statistics: EchoStatistics()))
    }

    @Test("The error about a record that is too long has the line of the record", arguments: 1...4)
    func aRecordThatIsTooLongIsNamedByItsLine(workers: Int) throws {
        let text = "id\n1\n\"2\n2\"\n\"" + String(repeating: "3\n", count: 100)
        let path = try folder.write(text, to: "input.csv")
        let parser = CSVRecordParser(columnCount: 1)
        let output = ListSink()
        let error = #expect(throws: CSVError.self) {
            let reader = try ChunkReader(InputFile(path: path), chunkSize: 10, maximumRecordLength: 50)
            _ = try OrderedPipeline(workerCount: workers).run(reader, adding: EchoStatistics(), output: output) {
                EchoProcessor(parser: parser)
            }
        }
        #expect(error?.line == 5)
        #expect(error?.column == 1)
        #expect(error?.message.hasPrefix("this quote is not closed within the 50 bytes of the longest record") == true)
        #expect(String(decoding: output.bytes, as: UTF8.self) == "1\n\"2\n2\"\n")
    }

    @Test("A full disk ends the run", arguments: 1...8)
    func aFullDiskStopsEverything(workers: Int) throws {
        let path = try folder.write("id\n" + String(repeating: "row\n", count: 5000), to: "input.csv")
        let parser = CSVRecordParser(columnCount: 1)
        let output = try AtomicOutput(path: "/dev/full")
        let error = #expect(throws: FileError.self) {
            let reader = try ChunkReader(InputFile(path: path), chunkSize: 20)
            _ = try OrderedPipeline(workerCount: workers).run(reader, adding: EchoStatistics(), output: output) {
                EchoProcessor(parser: parser)
            }
        }
        #expect(error?.code == .diskFull)
    }

    @Test("A failure of the reject output ends the run")
    func aFailingRejectOutputStopsEverything() throws {
        let path = try folder.write("id\n" + String(repeating: "a,b\n", count: 500), to: "input.csv")
        let parser = CSVRecordParser(columnCount: 1)
        let rejects = try AtomicOutput(path: "/dev/full", option: "--rejects")
        let error = #expect(throws: FileError.self) {
            let reader = try ChunkReader(InputFile(path: path), chunkSize: 20)
            _ = try OrderedPipeline(workerCount: 3).run(
                reader, adding: EchoStatistics(), output: ListSink(), rejects: rejects
            ) {
                EchoProcessor(parser: parser, rejects: true)
            }
        }
        #expect(error?.description.contains("--rejects") == true)
    }

    @Test("An error ends the run even if the input is a pipe that has stalled", arguments: 1...4)
    func anErrorDoesNotWaitForAStalledPipe(workers: Int) throws {
        let pipe = Pipe()
        let text = "id\n" + String(repeating: "ok\n", count: 20) + "a\"b\n" + String(repeating: "ok\n", count: 20)
        try pipe.fileHandleForWriting.write(contentsOf: Array(text.utf8))
        // The writer stays open and silent.
        let error = #expect(throws: CSVError.self) {
            let reader = try ChunkReader(
                InputFile(borrowing: pipe.fileHandleForReading.fileDescriptor, name: "standard input"), chunkSize: 16)
            let parser = CSVRecordParser(columnCount: 1)
            _ = try OrderedPipeline(workerCount: workers).run(reader, adding: EchoStatistics(), output: ListSink()) {
                EchoProcessor(parser: parser)
            }
        }
        #expect(error?.description.hasPrefix("standard input:22:2: a quote inside an unquoted field") == true)
        try pipe.fileHandleForWriting.close()
    }

    @Test("After an error the old output file is unchanged")
    func anErrorLeavesTheOldOutput() throws {
        let path = try folder.write("id\nok\na,b\n", to: "input.csv")
        _ = try folder.write("old", to: "out.csv")
        do {
            let output = try AtomicOutput(path: folder.path("out.csv"))
            let reader = try ChunkReader(InputFile(path: path))
            let parser = CSVRecordParser(columnCount: 1)
            _ = try OrderedPipeline().run(reader, adding: EchoStatistics(), output: output) {
                EchoProcessor(parser: parser)
            }
            try output.commit()
        } catch is CSVError {}
        #expect(try folder.names() == ["input.csv", "out.csv"])
        #expect(try folder.text("out.csv") == "old")
    }

    @Test("An input file can be replaced by its own output")
    func anInputCanBeItsOwnOutput() throws {
        let text = "id\n" + String(repeating: "row\n", count: 1000)
        let path = try folder.write(text, to: "users.csv")
        let output = try AtomicOutput(path: path)
        let reader = try ChunkReader(InputFile(path: path), chunkSize: 100)
        let parser = CSVRecordParser(columnCount: 1)
        try output.write(Array("id\n".utf8))
        _ = try OrderedPipeline(workerCount: 2).run(reader, adding: EchoStatistics(), output: output) {
            EchoProcessor(parser: parser)
        }
        try output.commit()
        #expect(try folder.text("users.csv") == text)
    }

    /// Counts how many of it there are, and the chunks.
    private struct CountedProcessor: ChunkProcessor {
        private final class Token: Sendable {
            let live: Counter

            init(_ live: Counter) {
                self.live = live
                live.value.add(1, ordering: .relaxed)
            }

            deinit {
                live.value.subtract(1, ordering: .relaxed)
            }
        }

        var echo: EchoProcessor
        private let token: Token
        private let processed: Counter

        init(echo: EchoProcessor, live: Counter, processed: Counter) {
            self.echo = echo
            token = Token(live)
            self.processed = processed
        }

        mutating func process(
            _ chunk: Span<UInt8>, into output: inout ChunkOutput
        ) throws(RowProblem) -> EchoStatistics {
            processed.value.add(1, ordering: .relaxed)
            return try echo.process(chunk, into: &output)
        }
    }

    /// A number that threads share.
    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    /// Tells when something is written.
    private final class CountingSink: ByteSink {
        private let onWrite: @Sendable () -> Void

        init(_ onWrite: @escaping @Sendable () -> Void) {
            self.onWrite = onWrite
        }

        func write(_ bytes: [UInt8]) {
            onWrite()
        }
    }
}
