import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import Testing

@testable import AllotServer
@testable import AllotTLS

/// Requests of HTTP/2 that are answered without a channel of their stream; as frames, in memory.
struct DirectFramesTests {
    /// Frames of NIO, and not those of tests.
    private typealias Frame = NIOHTTP2.HTTP2Frame

    private static let target = "/activeconfig/user/a?country=DE"

    /// A connection whose frames leave when a test says so.
    private final class Connection {
        let channel: EmbeddedChannel
        let log: LogRecord
        let service: DirectAnswers.Service
        let answers: StreamAnswers
        let sent = SentFrames()

        init(hosts: Set<String>? = nil, isReserved: Bool = false) throws {
            let limits = ConnectionLimits(timeout: .seconds(60), bodyBytes: 1000, hosts: hosts, draining: Draining())
            let (channel, log) = (EmbeddedChannel(), LogRecord(.debug))
            let logger = Logger(label: "test", factory: { _ in log })
            self.channel = channel
            self.log = log
            service = try DirectAnswers.Service(TestedRoutes().allot, logger: logger)
            answers = StreamAnswers(limits.turns.of(channel.eventLoop))
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(sent)
            try pipeline.addHandler(
                DirectFrames(
                    service, limits, refusals: RefusalLog(logger: logger), answers: answers, isReserved: isReserved))
            try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        }

        deinit {
            // NIO takes a promise that is never completed for a fault.
            while !sent.promises.isEmpty { sent.complete() }
        }

        /// Receives a head, or another block of fields.
        func receive(_ fields: [(String, String)], stream: Int = 1, ends: Bool = true) throws {
            try receive(.headers(.init(headers: HPACKHeaders(fields), endStream: ends)), stream: stream)
        }

        func receive(_ payload: Frame.FramePayload, stream: Int) throws {
            try channel.writeInbound(Frame(streamID: HTTP2StreamID(stream), payload: payload))
        }

        /// Asks for a configuration on each stream.
        func request(_ streams: [Int]) throws {
            for stream in streams { try receive(HTTP2Frame.request("GET", DirectFramesTests.target), stream: stream) }
        }

        func streamClosed(_ stream: Int) {
            channel.pipeline.fireUserInboundEventTriggered(
                StreamClosedEvent(streamID: HTTP2StreamID(stream), reason: nil))
        }

        /// Whether a frame was handed on to the multiplexer, since the last call.
        func isHandedOn() throws -> Bool { try channel.readInbound(as: Frame.self) != nil }

        /// Fills the room of the connection until the promise completes.
        func fill() -> EventLoopPromise<Void> {
            let promise = channel.eventLoop.makePromise(of: Void.self)
            answers.add(512 * 1024, until: promise)
            return promise
        }
    }

    /// Keeps the frames that are sent, and their promises.
    private final class SentFrames: ChannelOutboundHandler {
        typealias OutboundIn = Frame

        private(set) var frames: [Frame] = []
        private(set) var promises: [EventLoopPromise<Void>] = []
        private var flushedCount = 0

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            frames.append(unwrapOutboundIn(data))
            if let promise { promises.append(promise) }
        }

        func flush(context: ChannelHandlerContext) {
            flushedCount = frames.count
            context.flush()
        }

        /// The frames in letters: H for a head, D for data, R for a reset, ! after the last one of a stream. All were
        /// flushed.
        var text: String {
            #expect(flushedCount == frames.count)
            return frames.map { frame in
                switch frame.payload {
                case .headers(let headers): "\(Int(frame.streamID))H" + (headers.endStream ? "!" : "")
                case .data(let data): "D" + (data.endStream ? "!" : "")
                case .rstStream(let code): code == .cancel ? "\(Int(frame.streamID))R" : "?"
                default: "?"
                }
            }.joined(separator: " ")
        }

        func complete() {
            let all = promises
            promises = []
            for promise in all { promise.succeed(()) }
        }
    }

    /// One case: its name, the fields of the head, whether the request ends with them, and whether it is answered.
    private typealias Case = (name: String, fields: [(String, String)], ends: Bool, isDirect: Bool)

    private static func fields(
        _ path: String = target, method: String = "GET", _ more: (String, String)...
    ) -> [(String, String)] {
        HTTP2Frame.request(method, path) + more
    }

    private static let cases: [Case] = [
        ("usual", fields(), true, true),
        ("HEAD", fields(method: "HEAD"), true, true),
        ("cookies", fields(target, ("cookie", "a=b"), ("cookie", "c=d")), true, true),
        ("by query", fields("/active_config?userID=a"), true, true),
        ("generic", fields("/activeconfig/user"), true, true),
        ("a name that is not valid", fields(target, ("a b", "c")), true, true),
        ("a body", fields(), false, false),
        ("POST", fields(method: "POST"), true, false),
        ("DELETE", fields(method: "DELETE"), true, false),
        ("another route", fields("/health/live"), true, false),
        ("a slash too many", fields("//activeconfig/user/a"), true, false),
        ("a fragment", fields("/activeconfig/user/a#b"), true, false),
        ("not ASCII", fields("/activeconfig/user/é"), true, false),
        ("an absolute target", fields("https://localhost/activeconfig/user/a"), true, false),
        ("a long target", fields("/activeconfig/user/a?b=" + String(repeating: "x", count: 3000)), true, false),
        ("many fields", fields() + (0..<150).map { ("x-\($0)", "y") }, true, false),
        ("a long field", fields(target, ("x", String(repeating: "x", count: 20_000))), true, false),
        ("an expectation", fields(target, ("expect", "100-continue")), true, false),
        ("a length", fields(target, ("content-length", "0")), true, false),
        ("a method that is not valid", fields(method: "G T"), true, false),
        ("no method", Array(fields().dropFirst()), true, false),
        ("two paths", [(":path", "/")] + fields(), true, false),
        ("a pseudo-field at the end", Array(fields().dropFirst()) + [("a", "b"), (":method", "GET")], true, false),
        ("an unknown pseudo-field", [(":protocol", "websocket")] + fields(), true, false),
        ("trailers", [("a", "b")], true, false),
    ]

    @Test("Only usual requests for configurations are answered here")
    func places() throws {
        for (name, fields, ends, isDirect) in Self.cases {
            let connection = try Connection()
            try connection.receive(fields, ends: ends)
            #expect(try connection.isHandedOn() != isDirect, "\(name)")
            #expect(connection.sent.frames.isEmpty != isDirect, "\(name)")
        }
    }

    @Test("A connection that is kept for probes, or a foreign host, is for the guard of streams")
    func refusals() throws {
        for (hosts, isReserved) in [(["other.example"], false), (["localhost"], true), (["localhost"], false)] {
            let connection = try Connection(hosts: Set(hosts), isReserved: isReserved)
            try connection.receive(Self.fields())
            #expect(try connection.isHandedOn() == (isReserved || hosts != ["localhost"]), "\(hosts) \(isReserved)")
        }
    }

    /// A head as the codec of streams reads it, and the frames that it and ``LastFrame`` write for the same answer.
    private func codecFrames(_ fields: [(String, String)], _ service: DirectAnswers.Service) throws -> [String] {
        let channel = EmbeddedChannel(handlers: [LastFrame(), HTTP2FramePayloadToHTTPServerCodec()])
        try channel.writeInbound(Frame.FramePayload.headers(.init(headers: HPACKHeaders(fields), endStream: true)))
        guard case .head(let head)? = try channel.readInbound(as: HTTPRequestPart.self) else { return [] }
        let place = try #require(service.place(of: head))
        let answer = service.answer(head, at: place)
        let response = HTTPResponse(status: answer.status, headerFields: answer.headers)
        channel.write(HTTPResponsePart.head(response), promise: nil)
        if let body = answer.body, head.method != .head { channel.write(HTTPResponsePart.body(body), promise: nil) }
        channel.write(HTTPResponsePart.end(nil), promise: nil)
        channel.flush()
        var frames: [String] = []
        while let payload = try channel.readOutbound(as: Frame.FramePayload.self) { frames.append(text(payload)) }
        return frames
    }

    /// All that a frame says.
    private func text(_ payload: Frame.FramePayload) -> String {
        switch payload {
        case .headers(let headers): "\(headers.headers) \(headers.endStream)"
        case .data(let data):
            if case .byteBuffer(let bytes) = data.data {
                "\(Array(bytes.readableBytesView)) \(data.endStream)"
            } else {
                "?"
            }
        default: "?"
        }
    }

    @Test("An answer is the same frames as on a stream of its own")
    func framesAreThoseOfStreams() throws {
        let connection = try Connection()
        try connection.receive(Self.fields())
        guard case .headers(let head)? = connection.sent.frames.first?.payload else {
            Issue.record("there is no head")
            return
        }
        let tag = try #require(head.headers.first(name: "etag"))
        let requests = [
            Self.fields(), Self.fields(method: "HEAD"), Self.fields(Self.target, ("if-none-match", tag)),
            Self.fields(Self.target, ("accept-encoding", "gzip")), Self.fields("/activeconfig/user/%zz"),
            Self.fields("/active_config"), Self.fields("/activeconfig/user"),
            Self.fields(Self.target, ("origin", "https://shop.example"), ("cookie", "a=b"), ("cookie", "c=d")),
        ]
        var heads: Set<String> = []
        for fields in requests {
            let connection = try Connection()
            try connection.receive(fields)
            let frames = connection.sent.frames.map { text($0.payload) }
            #expect(try frames == codecFrames(fields, connection.service), "\(fields)")
            heads.insert(frames.first ?? "")
        }
        // 200, its HEAD, 304, gzip and 400 are different.
        #expect(heads.count >= 5)
    }

    @Test("A stream ends with its answer, and later frames of it are not handed on")
    func laterFrames() throws {
        let connection = try Connection()
        try connection.request([1])
        #expect(connection.sent.text == "1H D!")
        let later: [Frame.FramePayload] = [
            .windowUpdate(windowSizeIncrement: 1000), .rstStream(.cancel),
            .priority(.init(exclusive: false, dependency: 0, weight: 1)),
        ]
        for payload in later {
            try connection.receive(payload, stream: 1)
            #expect(try !connection.isHandedOn())
            // Those of other streams, and of the connection.
            for stream in [0, 3] {
                try connection.receive(payload, stream: stream)
                #expect(try connection.isHandedOn())
            }
        }
        connection.streamClosed(1)
        try connection.receive(.rstStream(.cancel), stream: 1)
        #expect(try connection.isHandedOn())
    }

    @Test("Requests wait while answers before them are not taken, and are answered in their order")
    func waiting() throws {
        let connection = try Connection()
        let room = connection.fill()
        try connection.request([1, 3, 5, 7, 9])
        try connection.receive(.windowUpdate(windowSizeIncrement: 1000), stream: 3)
        // The frame comes before the event.
        try connection.receive(.rstStream(.cancel), stream: 5)
        connection.streamClosed(5)
        #expect(connection.sent.frames.isEmpty)
        #expect(try !connection.isHandedOn())
        room.succeed(())
        #expect(connection.sent.text == "1H D! 3H D! 7H D! 9H D!")
    }

    @Test("Answers that are not taken take bounded memory, and all come once they are")
    func bounds() throws {
        let connection = try Connection()
        var received = 0
        func bytes() -> Int {
            connection.sent.frames.reduce(0) { sum, frame in
                if case .data(let data) = frame.payload { sum + data.data.readableBytes } else { sum }
            }
        }
        let room = connection.fill()
        let streams = (0..<100).map { 2 * $0 + 1 }
        try connection.request(streams)
        #expect(bytes() == 0)
        room.succeed(())
        while received < streams.count, connection.channel.embeddedEventLoop.now < .uptimeNanoseconds(1_000_000_000) {
            let before = bytes()
            connection.channel.embeddedEventLoop.advanceTime(by: LoopTurns.pause)
            connection.sent.complete()
            #expect(bytes() - before < 600_000)
            received = connection.sent.frames.count / 2
        }
        #expect(received == streams.count)
        #expect(connection.sent.text == streams.map { "\($0)H D!" }.joined(separator: " "))
    }

    @Test("A stream whose answer does not leave in twice the timeout is reset; one that has left is not")
    func deadlines() throws {
        let connection = try Connection()
        let loop = connection.channel.embeddedEventLoop
        try connection.request([1, 3])
        loop.advanceTime(by: .seconds(50))
        try connection.request([5])
        connection.streamClosed(3)
        loop.advanceTime(by: .seconds(69))
        #expect(connection.sent.text == "1H D! 3H D! 5H D!")
        loop.advanceTime(by: .seconds(1))
        #expect(connection.sent.text == "1H D! 3H D! 5H D! 1R")
        #expect(connection.log.lines.count { $0.contains("does not read") } == 1)
        connection.streamClosed(1)
        loop.advanceTime(by: .seconds(50))
        #expect(connection.sent.text == "1H D! 3H D! 5H D! 1R 5R")
        // Once, though the stream has not closed.
        loop.advanceTime(by: .seconds(500))
        #expect(connection.sent.frames.count == 8)
        #expect(connection.log.lines.count { $0.contains("does not read") } == 2)
    }

    @Test("A request that waits has no deadline, and goes on when the server is about to end")
    func quiescing() throws {
        let connection = try Connection()
        let room = connection.fill()
        try connection.request([1])
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(500))
        #expect(connection.sent.frames.isEmpty)
        room.succeed(())
        #expect(connection.sent.text == "1H D!")
    }

    @Test("A connection that has closed gets no more answers")
    func closedConnections() throws {
        let connection = try Connection()
        let room = connection.fill()
        try connection.request([1, 3])
        try connection.channel.close().wait()
        room.succeed(())
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(500))
        #expect(connection.sent.frames.isEmpty)
        #expect(connection.log.lines.isEmpty)
    }
}
