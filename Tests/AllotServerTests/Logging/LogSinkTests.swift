import Glibc
import Synchronization
import Testing

@testable import AllotServer

@Suite struct LogSinkTests {
    /// A descriptor that answers as a script says, then takes everything.
    private final class Script: Sendable {
        let state: Mutex<(answers: [Int], taken: [UInt8], calls: Int)>

        init(_ answers: [Int]) { state = Mutex((answers, [], 0)) }

        func write(_ bytes: UnsafeRawBufferPointer) -> Int {
            state.withLock { state in
                state.calls += 1
                let count = state.answers.isEmpty ? bytes.count : state.answers.removeFirst()
                if count > 0 { state.taken += bytes.prefix(count) }
                return count
            }
        }

        var text: String { state.withLock { String(decoding: $0.taken, as: UTF8.self) } }
    }

    private func written(_ answers: [Int], isWritable: Bool = true, _ lines: [String]) -> (text: String, calls: Int) {
        let script = Script(answers)
        let sink = LogSink(write: { script.write($0) }, waitUntilWritable: { isWritable })
        for line in lines { sink.write(Array(line.utf8)) }
        return (script.text, script.state.withLock { $0.calls })
    }

    @Test("A line is one write")
    func aLineIsOneWrite() {
        let long = String(repeating: "x", count: 100_000) + "\n"
        #expect(written([], ["a\n", long]) == ("a\n" + long, 2))
    }

    @Test("Writing continues after signals, partial writes and full pipes")
    func goesOnAfterSignalsPartsAndFullPipes() {
        #expect(written([-Int(EINTR), 2, -Int(EAGAIN), 1], ["abcdef\n", "g\n"]) == ("abcdef\ng\n", 6))
    }

    @Test("A broken line is ended before the next line")
    func aBrokenLineIsEndedBeforeTheNext() {
        #expect(written([3, -Int(EIO)], ["abcdef\n", "g\n", "h\n"]).text == "abc\ng\nh\n")
        #expect(written([3, -Int(EAGAIN)], isWritable: false, ["abcdef\n", "g\n"]).text == "abc\ng\n")
        #expect(written([3, -Int(EIO), -Int(EIO)], ["abcdef\n", "g\n", "h\n"]).text == "abc\nh\n")
        #expect(written([6, -Int(EIO)], ["abcdef\n", "g\n"]).text == "abcdef\ng\n")
        #expect(written([3, -Int(EIO), 1, -Int(EIO)], ["abcdef\n", "g\n", "h\n"]).text == "abc\nh\n")
    }

    @Test("A lost line changes nothing")
    func aLostLineChangesNothing() {
        #expect(written([-Int(EPIPE), 0], ["a\n", "b\n", "c\n"]) == ("c\n", 3))
    }

    @Test("Lines of many tasks do not mix")
    func linesOfManyTasksDoNotMix() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { _ = close(ends[0]) }
        let sink = LogSink(descriptor: ends[1])
        let (tasks, rounds, width) = (8, 5, 1_000)  // Less than a pipe holds: nobody reads yet.
        await withTaskGroup { group in
            for task in 0..<tasks {
                group.addTask {
                    let letter = UInt8(ascii: "a") + UInt8(task)
                    for _ in 0..<rounds { sink.write([UInt8](repeating: letter, count: width) + [UInt8(ascii: "\n")]) }
                }
            }
        }
        _ = close(ends[1])
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(ends[0], &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == tasks * rounds)
        #expect(lines.allSatisfy { $0.count == width && Set($0).count == 1 })
    }
}
