import NIOCore
import NIOEmbedded
import Testing

@testable import AllotTLS

struct RecordJoinerTests {
    /// Writes buffers of some lengths, and flushes. Returns the lengths of what comes out.
    private func lengths(_ lengths: [Int]) throws -> [Int] {
        let channel = EmbeddedChannel(handler: RecordJoiner())
        var (completed, expected, received) = (0, [UInt8](), [UInt8]())
        for (number, length) in lengths.enumerated() {
            let bytes = [UInt8](repeating: UInt8(number), count: length)
            let promise = channel.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenSuccess { _ in completed += 1 }
            channel.write(ByteBuffer(bytes: bytes), promise: promise)
            expected += bytes
        }
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        channel.flush()
        var found: [Int] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
            found.append(buffer.readableBytes)
            received += Array(buffer.readableBytesView)
        }
        #expect(received == expected)
        #expect(completed == lengths.count)
        return found
    }

    @Test("What is written between two flushes is joined, up to the length of a record")
    func joined() throws {
        let cases: [(lengths: [Int], joined: [Int])] = [
            ([], []), ([5], [5]), ([9, 40, 9, 2000, 9], [2067]), ([16_000, 384], [16_384]),
            ([16_000, 385], [16_000, 385]), ([9, 100_000, 9], [9, 100_000, 9]), ([9, 16_383, 9], [9, 16_383, 9]),
            (Array(repeating: 1000, count: 40), [16_000, 16_000, 8000]), ([0], [0]), ([5, 0], [5]),
        ]
        for (lengths, joined) in cases { #expect(try self.lengths(lengths) == joined, "\(lengths)") }
    }

    @Test("Memory that was written is not changed by what is written later")
    func memory() throws {
        let channel = EmbeddedChannel(handler: RecordJoiner())
        var kept: [ByteBuffer] = []
        for number in 0..<3 {
            try channel.writeOutbound(ByteBuffer(repeating: UInt8(number), count: 10))
            kept.append(try #require(try channel.readOutbound(as: ByteBuffer.self)))
        }
        #expect(kept.map { Array($0.readableBytesView) } == (0..<3).map { Array(repeating: UInt8($0), count: 10) })
    }

    @Test("What is not flushed fails with the connection")
    func closes() throws {
        let channel = EmbeddedChannel(handler: RecordJoiner())
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        var completed = 0
        for _ in 0..<2 {
            let promise = channel.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenFailure { _ in completed += 1 }
            channel.write(ByteBuffer(string: "x"), promise: promise)
        }
        try channel.close().wait()
        channel.embeddedEventLoop.run()
        #expect(completed == 2)
    }
}
