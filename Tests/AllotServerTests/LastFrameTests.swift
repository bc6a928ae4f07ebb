import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@testable import AllotTLS

struct LastFrameTests {
    /// The frames of NIO, and not those of tests.
    private typealias Payload = NIOHTTP2.HTTP2Frame.FramePayload

    /// The steps: H for a head, a digit for that many bytes, T for trailers, E for an empty last frame, F for
    /// a flush.
    private func send(_ steps: String, to channel: EmbeddedChannel) -> [EventLoopFuture<Void>] {
        steps.compactMap { step in
            var payload: Payload?
            switch step {
            case "H": payload = .headers(.init(headers: [:]))
            case "T": payload = .headers(.init(headers: [:], endStream: true))
            case "E": payload = .data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))
            case "F": channel.flush()
            default:
                let bytes = ByteBuffer(repeating: 7, count: step.wholeNumberValue ?? 0)
                payload = .data(.init(data: .byteBuffer(bytes)))
            }
            guard let payload else { return nil }
            let promise = channel.eventLoop.makePromise(of: Void.self)
            channel.write(payload, promise: promise)
            return promise.futureResult
        }
    }

    /// The output, in the same letters; ! after the last frame of the stream.
    private func frames(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let payload = try channel.readOutbound(as: Payload.self) {
            switch payload {
            case .headers(let headers): text += headers.endStream ? "H!" : "H"
            case .data(let data): text += "\(data.data.readableBytes)" + (data.endStream ? "!" : "")
            default: text += "?"
            }
        }
        return text
    }

    @Test(
        "A stream ends with the last frame that says something, unless that has left",
        arguments: [
            ("H3EF", "H3!"), ("HEF", "H!"), ("HFEF", "H0!"), ("H34EF", "H34!"), ("HF3FEF", "H30!"), ("HF3F4EF", "H34!"),
            ("HFF3F", "H3"), ("H3TF", "H3H!"), ("TF", "H!"), ("H0EF", "H0!"), ("EF", "0!"),
        ])
    func ends(steps: String, expected: String) throws {
        let channel = EmbeddedChannel(handler: LastFrame())
        var completed = 0
        let futures = send(steps, to: channel)
        for future in futures { future.assumeIsolated().whenSuccess { _ in completed += 1 } }
        #expect(try frames(channel) == expected)
        #expect(completed == futures.count)
    }

    @Test("The promise of what is not flushed completes when the stream closes")
    func closes() throws {
        let channel = EmbeddedChannel(handler: LastFrame())
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        var completed = 0
        for future in send("3", to: channel) { future.assumeIsolated().whenFailure { _ in completed += 1 } }
        try channel.close().wait()
        channel.embeddedEventLoop.run()
        #expect(completed == 1)
    }
}
