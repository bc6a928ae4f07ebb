import AllotFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotBatch

struct OrderedPipelineTests {
    /// What a run gives, whether it fails or not.
    private struct Outcome: Equatable {
        var output: [UInt8]
        var rejects: [UInt8]
        var error: CSVError?
        var statistics: EchoStatistics?
    }

    private func run(
        _ csv: [UInt8], chunkSize: Int, workers: Int, rejects: Bool = false,
        onChunk: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws -> Outcome {
        let (output, rejected) = (MemoryOutput(), MemoryOutput())
        var outcome = Outcome(output: [], rejects: [])
        do {
            outcome.statistics = try EchoProcessor.run(
                InputFile(bytes: csv, name: "in.csv"), chunkSize: chunkSize, workers: workers, output: output,
                rejects: rejects ? rejected : nil, onChunk: onChunk)
        } catch let error as CSVError {
            outcome.error = error
        }
        (outcome.output, outcome.rejects) = (output.bytes, rejected.bytes)
        return outcome
    }

    /// What a run must give, worked out by the oracle.
    private func expected(_ bytes: [UInt8], rejects: Bool) -> Outcome {
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
                outcome.error = CSVError(path: "in.csv", line: line, column: column, message: problem.message())
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
            for rejects in [true, false] {
                let expected = expected(bytes, rejects: rejects)
                for chunkSize in [1, 2, 3, 5, 8, 13, 21, 50, 100, 1000] {
                    let workers = Int.random(in: 1...8, using: &generator)
                    #expect(try run(bytes, chunkSize: chunkSize, workers: workers, rejects: rejects) == expected)
                }
            }
        }
    }

    @Test("Later chunks are written after a slow one")
    func laterChunksWaitForASlowOne() throws {
        let rows = "first\nsecond\nthird\nfourth\n"
        let thirdIsDone = DispatchSemaphore(value: 0)
        let outcome = try run(Array("id\n\(rows)".utf8), chunkSize: 6, workers: 3) { chunk in
            if chunk.starts(with: Array("first".utf8)) { thirdIsDone.wait() }
            if chunk.starts(with: Array("third".utf8)) { thirdIsDone.signal() }
        }
        #expect(String(decoding: outcome.output, as: UTF8.self) == rows)
    }

    @Test("The first error in the file is reported, whichever thread finds one first")
    func theFirstErrorOfTheFileIsReported() throws {
        let csv = Array("id\nok-1\nbad\"1\nok-2\nbad\"2\nok-3\n".utf8)
        let secondIsFound = DispatchSemaphore(value: 0)
        let outcome = try run(csv, chunkSize: 7, workers: 3) { chunk in
            if chunk.starts(with: Array("bad\"1".utf8)) { secondIsFound.wait() }
            if chunk.starts(with: Array("bad\"2".utf8)) { secondIsFound.signal() }
        }
        #expect(outcome.error?.line == 3)
        #expect(outcome.error?.column == 4)
        #expect(String(decoding: outcome.output, as: UTF8.self) == "ok-1\n")
    }

    @Test("An error stops every thread", arguments: 1...8)
    func anErrorStopsEveryThread(workers: Int) throws {
        let csv = "id\n" + String(repeating: "ok\n", count: 500) + "a,b\n" + String(repeating: "ok\n", count: 20000)
        for _ in 0..<20 {
            let (live, processed) = (Counter(), Counter())
            let parser = CSVRecordParser(columnCount: 1)
            let error = #expect(throws: CSVError.self) {
                let reader = try ChunkReader(InputFile(csv), chunkSize: 9)
                let pipeline = OrderedPipeline(workerCount: workers, chunkLimit: 3)
                _ = try pipeline.run(reader, adding: EchoStatistics(), output: MemoryOutput()) {
                    let token = Token(live)
                    return EchoProcessor(parser: parser) { _ in
                        withExtendedLifetime(token) { _ = processed.value.add(1, ordering: .relaxed) }
                    }
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
        let (onTheirWay, most) = (Counter(), Counter())
        _ = try EchoProcessor.run(
            InputFile("id\n" + String(repeating: "row\n", count: 2000)), chunkSize: 5, workers: workers,
            chunkLimit: chunkLimit, output: CountingSink { onTheirWay.value.subtract(1, ordering: .relaxed) },
            onChunk: { _ in
                let count = onTheirWay.value.add(1, ordering: .relaxed).newValue
                most.value.max(count, ordering: .relaxed)
            })
        #expect(most.value.load(ordering: .relaxed) <= chunkLimit)
        #expect(onTheirWay.value.load(ordering: .relaxed) == 0)
    }

    @Test("Progress grows to the size of the file")
    func progressGrowsToTheSizeOfTheFile() throws {
        let csv = "\u{FEFF}id\n" + String(repeating: "row\n", count: 1000)
        let steps = Mutex<[Int]>([])
        _ = try EchoProcessor.run(
            InputFile(csv), chunkSize: 50, progress: { done in steps.withLock { $0.append(done) } })
        let seen = steps.withLock { $0 }
        #expect(seen == seen.sorted())
        #expect(seen.last == 4006)
    }

    @Test("The error about a record that is too long has the line of the record", arguments: 1...4)
    func aRecordThatIsTooLongIsNamedByItsLine(workers: Int) throws {
        let csv = "id\n1\n\"2\n2\"\n\"" + String(repeating: "3\n", count: 100)
        let output = MemoryOutput()
        let error = #expect(throws: CSVError.self) {
            try EchoProcessor.run(InputFile(csv), chunkSize: 10, limit: 50, workers: workers, output: output)
        }
        #expect(error?.line == 5)
        #expect(error?.column == 1)
        #expect(error?.message.hasPrefix("this quote is not closed within the 50 bytes of the longest record") == true)
        #expect(output.text == "1\n\"2\n2\"\n")
    }

    @Test("A full disk ends the run, also that of the rejects", arguments: 1...8)
    func aFullDiskStopsEverything(workers: Int) throws {
        let rows = String(repeating: "row\n", count: 5000)
        let error = #expect(throws: FileError.self) {
            try EchoProcessor.run(
                InputFile("id\n" + rows), workers: workers, output: AtomicOutput(path: "/dev/full"))
        }
        #expect(error?.systemErrorNumber == ENOSPC)
        let malformed = String(repeating: "a,b\n", count: 500)
        let other = #expect(throws: FileError.self) {
            let full = try AtomicOutput(path: "/dev/full", option: "--rejects")
            _ = try EchoProcessor.run(InputFile("id\n" + malformed), workers: workers, rejects: full)
        }
        #expect(other?.description.contains("--rejects") == true)
    }

    @Test(
        "An error ends the run even if the input is a pipe that has stalled, compressed or not", arguments: 1...4,
        [false, true])
    func anErrorDoesNotWaitForAStalledPipe(workers: Int, isCompressed: Bool) throws {
        let pipe = Pipe()
        let rows = String(repeating: "ok\n", count: 20)
        let text = Array("id\n\(rows)a\"b\n\(rows)".utf8)
        try pipe.fileHandleForWriting.write(contentsOf: isCompressed ? Gzip.cut(text, to: text.count) : text)
        // The writer stays open and silent.
        let error = #expect(throws: CSVError.self) {
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            _ = try EchoProcessor.run(
                InputFile(borrowing: descriptor, name: "standard input"), chunkSize: 16, workers: workers)
        }
        #expect(error?.description.hasPrefix("standard input:22:2: a quote inside an unquoted field") == true)
        try pipe.fileHandleForWriting.close()
    }

    @Test("After an error the old output file is unchanged")
    func anErrorLeavesTheOldOutput() throws {
        let folder = try TemporaryFolder(["out.csv": "old"])
        do {
            let output = try AtomicOutput(path: folder.path("out.csv"))
            _ = try EchoProcessor.run(InputFile("id\nok\na,b\n"), output: output)
            try output.commit()
        } catch is CSVError {}
        #expect(try folder.names() == ["out.csv"])
        #expect(try folder.text("out.csv") == "old")
    }

    @Test("An input file can be replaced by its own output")
    func anInputCanBeItsOwnOutput() throws {
        let text = "id\n" + String(repeating: "row\n", count: 1000)
        let folder = try TemporaryFolder(["users.csv": text])
        let output = try AtomicOutput(path: folder.path("users.csv"))
        try output.write(Array("id\n".utf8))
        _ = try EchoProcessor.run(InputFile(path: folder.path("users.csv")), chunkSize: 100, output: output)
        try output.commit()
        #expect(try folder.text("users.csv") == text)
    }

    /// Counts how many of it there are.
    private final class Token: Sendable {
        private let live: Counter

        init(_ live: Counter) {
            self.live = live
            live.value.add(1, ordering: .relaxed)
        }

        deinit { live.value.subtract(1, ordering: .relaxed) }
    }

    /// A number that threads share.
    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    /// Tells when something is written.
    private struct CountingSink: ByteSink {
        let onWrite: @Sendable () -> Void

        init(_ onWrite: @escaping @Sendable () -> Void) { self.onWrite = onWrite }

        func write(_ bytes: [UInt8]) { onWrite() }
    }
}
