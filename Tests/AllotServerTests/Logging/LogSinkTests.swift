import AllotFiles
import Synchronization
import Testing

@testable import AllotServer

struct LogSinkTests {
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

    /// The descriptor's answers, whether it gets writable, lines, those that are written, and the number of writes.
    private typealias Case = (answers: [Int], isWritable: Bool, lines: [String], written: [String], calls: Int?)

    @Test("A line is one write, which goes on after interruptions; a broken line is ended before the next")
    func linesAreWhole() {
        let long = String(repeating: "x", count: 100_000)
        let cases: [Case] = [
            ([], true, ["a", long], ["a", long], 2),
            // Signals, partial writes and full pipes.
            ([-Int(EINTR), 2, -Int(EAGAIN), 1], true, ["abcdef", "g"], ["abcdef", "g"], 6),
            ([3, -Int(EIO)], true, ["abcdef", "g", "h"], ["abc", "g", "h"], nil),
            ([3, -Int(EAGAIN)], false, ["abcdef", "g"], ["abc", "g"], nil),
            ([3, -Int(EIO), -Int(EIO)], true, ["abcdef", "g", "h"], ["abc", "h"], nil),
            ([6, -Int(EIO)], true, ["abcdef", "g"], ["abcdef", "g"], nil),
            ([3, -Int(EIO), 1, -Int(EIO)], true, ["abcdef", "g", "h"], ["abc", "h"], nil),
            // A lost line changes nothing.
            ([-Int(EPIPE), 0], true, ["a", "b", "c"], ["c"], 3),
        ]
        for (answers, isWritable, lines, written, calls) in cases {
            let script = Script(answers)
            var writer = LineWriter(write: { script.write($0) }, waitUntilWritable: { isWritable })
            for line in lines { writer.write(Array((line + "\n").utf8)) }
            #expect(script.text == written.map { $0 + "\n" }.joined(), "\(answers)")
            if let calls { #expect(script.state.withLock { $0.calls } == calls, "\(answers)") }
        }
    }

    /// More lines than a pipe and the queue hold, from many tasks.
    @Test("A reader that stops delays no task; what does not fit is dropped, and a line says how much")
    func aStoppedReaderDelaysNoTask() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { _ = close(ends[0]) }
        let sink = LogSink(LineWriter(descriptor: ends[1]), limit: 100_000)
        let (count, width) = (400, 1_000)
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    let letter = UInt8(ascii: "a") + UInt8(task)
                    for _ in 0..<count / 4 { sink.write(Self.line(letter, width), notice: Self.notice) }
                }
            }
        }
        // There is no reader: this returns all the same.
        sink.flush(within: .milliseconds(1))
        // Reads until the notice is there.
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !bytes.contains(UInt8(ascii: "!")) {
            let count = read(ends[0], &buffer, buffer.count)
            try #require(count > 0)
            bytes += buffer[..<count]
        }
        sink.write(Self.line(UInt8(ascii: "z"), 1), notice: Self.notice)
        sink.flush(within: .seconds(60))
        _ = close(ends[1])
        let rest = Self.lines(ends[0])
        let lines = bytes.split(separator: UInt8(ascii: "\n")) + rest
        let written = lines.count { $0.count == width && Set($0).count == 1 }
        #expect(written >= 90)
        #expect(written < count)
        let dropped = lines.filter { $0.contains(UInt8(ascii: "!")) }.map { String(decoding: $0, as: UTF8.self) }
        #expect(dropped == ["\(count - written)!"])
        #expect(lines.last.map { Array($0) } == [UInt8(ascii: "z")])
    }

    @Test("A line that is too long is dropped and counted, and the next ones are written")
    func longLines() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { _ = close(ends[0]) }
        let sink = LogSink(LineWriter(descriptor: ends[1]), limit: 1000)
        sink.write(Self.line(UInt8(ascii: "a"), 2000), notice: Self.notice)
        sink.flush(within: .seconds(60))
        sink.write(Self.line(UInt8(ascii: "b"), 1), notice: Self.notice)
        sink.flush(within: .seconds(60))
        _ = close(ends[1])
        #expect(Self.lines(ends[0]).map { String(decoding: $0, as: UTF8.self) } == ["1!", "b"])
    }

    @Test("A reader that closes does not end the process")
    func aClosedReaderEndsNothing() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        _ = close(ends[0])
        let sink = LogSink(LineWriter(descriptor: ends[1]))
        for _ in 0..<3 { sink.write(Self.line(UInt8(ascii: "a"), 10), notice: Self.notice) }
        sink.flush(within: .seconds(60))
        _ = close(ends[1])
    }

    private static func line(_ letter: UInt8, _ width: Int) -> [UInt8] {
        [UInt8](repeating: letter, count: width) + [UInt8(ascii: "\n")]
    }

    private static let notice: LogSink.Notice = { Array("\($0)!\n".utf8) }

    /// The lines until the end of a pipe.
    private static func lines(_ descriptor: Int32) -> [ArraySlice<UInt8>] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return bytes.split(separator: UInt8(ascii: "\n"))
    }
}
