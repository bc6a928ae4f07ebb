import AllotServing
import Logging
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing

@testable import AllotServer

/// Connections of HTTP/2 whose requests are answered without a task; as frames, in memory.
struct HTTP2HandlerTests {
    /// Frames of NIO, and not those of tests.
    private typealias Frame = NIOHTTP2.HTTP2Frame

    private static let target = "/activeconfig/user/a?country=DE"
    private static let flags = "/ofrep/v1/evaluate/flags"

    /// A connection whose frames leave when a test says so.
    private final class Connection {
        let channel = EmbeddedChannel()
        let log = LogRecord(.debug)
        let sent = SentFrames()

        init(hosts: Set<String>? = nil, isReserved: Bool = false) throws {
            let log = log
            let logger = Logger(label: "test", factory: { _ in log })
            let handlers = ConnectionHandlers(
                limits: ConnectionLimits(timeout: .seconds(60), bodyBytes: 1000, hosts: hosts, draining: Draining()),
                connections: ConnectionCounter(maximum: isReserved ? 0 : 10, ofClient: 10),
                refusals: RefusalLog(logger: logger),
                routes: AllotRoutes(try TestedRoutes().allot, logger: logger))
            let pipeline = channel.pipeline.syncOperations
            _ = handlers.connections.open(channel, of: nil)
            try pipeline.addHandler(sent)
            try pipeline.addHandler(HTTP2Handler(handlers, on: channel))
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

        func receive(_ payload: Frame.FramePayload, stream: Int = 1) throws {
            try channel.writeInbound(Frame(streamID: HTTP2StreamID(stream), payload: payload))
        }

        /// Receives bytes of a body.
        func receive(_ count: Int, ends: Bool = false) throws {
            let bytes = ByteBuffer(repeating: UInt8(ascii: " "), count: count)
            try receive(.data(.init(data: .byteBuffer(bytes), endStream: ends)))
        }

        /// Asks for a configuration on each stream.
        func request(_ streams: [Int]) throws {
            for stream in streams { try receive(HTTP2Frame.request("GET", HTTP2HandlerTests.target), stream: stream) }
        }

        func streamClosed(_ stream: Int) {
            channel.pipeline.fireUserInboundEventTriggered(
                StreamClosedEvent(streamID: HTTP2StreamID(stream), reason: nil))
        }

        /// Whether a frame was handed on to the manager of the connection, since the last call.
        func isHandedOn() throws -> Bool { try channel.readInbound(as: Frame.self) != nil }

        /// Lets all that was written leave.
        func complete() {
            sent.complete()
            channel.embeddedEventLoop.run()
        }

        /// Fills the room of the connection with answers that do not leave. One request more waits.
        func fill() throws {
            var (stream, count) = (2001, -1)
            while sent.frames.count > count {
                count = sent.frames.count
                try request([stream])
                stream += 2
            }
            sent.forget()
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

        /// Forgets the frames, but not that they have to leave.
        func forget() {
            (frames, flushedCount) = ([], 0)
        }

        /// The frames in letters: H for a head with its status, D for data, R for a reset, W for a window, ! after the
        /// last one of a stream. All were flushed.
        var text: String {
            #expect(flushedCount == frames.count)
            return frames.map { frame in
                let stream = Int(frame.streamID)
                return switch frame.payload {
                case .headers(let head):
                    "\(stream)H" + (head.headers.first(name: ":status") ?? "") + (head.endStream ? "!" : "")
                case .data(let data): "D" + (data.endStream ? "!" : "")
                case .rstStream(.cancel): "\(stream)R-cancel"
                case .rstStream(.noError): "\(stream)R"
                case .rstStream(.protocolError): "\(stream)R-protocol"
                case .windowUpdate(let growth): "\(stream)W\(growth)"
                default: "?"
                }
            }.joined(separator: " ")
        }

        /// The head of the first answer.
        var head: HPACKHeaders? {
            if case .headers(let head)? = frames.first?.payload { head.headers } else { nil }
        }

        /// The bytes of all bodies.
        var byteCount: Int {
            frames.reduce(0) { sum, frame in
                if case .data(let data) = frame.payload { sum + data.data.readableBytes } else { sum }
            }
        }

        func complete() {
            let all = promises
            promises = []
            for promise in all { promise.succeed(()) }
        }
    }

    private static func fields(
        _ path: String = target, method: String = "GET", _ more: (String, String)...
    ) -> [(String, String)] {
        HTTP2Frame.request(method, path) + more
    }

    /// One case: its name, the fields of the head, and the frames of the answer.
    private typealias Case = (name: String, fields: [(String, String)], frames: String)

    private static let cases: [Case] = [
        ("usual", fields(), "1H200 D!"),
        ("HEAD", fields(method: "HEAD"), "1H200!"),
        ("cookies", fields(target, ("cookie", "a=b"), ("cookie", "c=d")), "1H200 D!"),
        ("by query", fields("/active_config?userID=a"), "1H200 D!"),
        ("generic", fields("/activeconfig/user"), "1H200 D!"),
        ("a unit that cannot be decoded", fields("/activeconfig/user/%zz"), "1H400 D!"),
        ("an expectation", fields(target, ("expect", "100-continue")), "1H200 D!"),
        ("a length", fields(target, ("content-length", "0")), "1H200 D!"),
        ("another method", fields(method: "DELETE"), "1H405 D!"),
        ("OPTIONS", fields(method: "OPTIONS"), "1H204!"),
        ("an unknown method", fields(method: "BREW"), "1H501 D!"),
        ("an unknown path", fields("/none"), "1H404 D!"),
        ("an unknown path, HEAD", fields("/none", method: "HEAD"), "1H404!"),
        ("a fragment", fields("/activeconfig/user/a#b"), "1H400 D!"),
        ("not ASCII", fields("/activeconfig/user/é"), "1H400 D!"),
        ("not ASCII, HEAD", fields("/activeconfig/user/é", method: "HEAD"), "1H400!"),
        ("an absolute target", fields("https://localhost/activeconfig/user/a"), "1H400 D!"),
        ("a long target", fields("/activeconfig/user/a?b=" + String(repeating: "x", count: 20_000)), "1H414 D!"),
        ("many fields", fields() + (0..<150).map { ("x-\($0)", "y") }, "1H431 D!"),
        ("a long field", fields(target, ("x", String(repeating: "x", count: 20_000))), "1H431 D!"),
        ("another expectation", fields(target, ("expect", "tea")), "1H417 D!"),
        ("a method that is not valid", fields(method: "G T"), "1R-protocol"),
        ("no method", Array(fields().dropFirst()), "1R-protocol"),
        ("no path", Array(fields().dropLast()), "1R-protocol"),
        ("two paths", [(":path", "/")] + fields(), "1R-protocol"),
        ("a pseudo-field at the end", Array(fields().dropFirst()) + [("a", "b"), (":method", "GET")], "1R-protocol"),
        ("an unknown pseudo-field", [(":protocol", "websocket")] + fields(), "1R-protocol"),
        ("no pseudo-field", [("a", "b")], "1R-protocol"),
    ]

    @Test("A request is answered, refused, or reset if it is malformed")
    func heads() throws {
        for (name, fields, frames) in Self.cases {
            let connection = try Connection()
            try connection.receive(fields)
            #expect(connection.sent.text == frames, "\(name)")
        }
    }

    @Test("A foreign host is refused; the field Host counts only if there is no authority")
    func hosts() throws {
        let foreign = Self.fields().map { $0.0 == ":authority" ? ($0.0, "rebound.example") : $0 }
        let without = Self.fields().filter { $0.0 != ":authority" }
        for (fields, status) in [
            (Self.fields(), 200), (foreign, 400), (without, 200), (without + [("host", "rebound.example")], 400),
            (without + [("host", "localhost")], 200), (foreign + [("host", "localhost")], 400),
        ] {
            let connection = try Connection(hosts: ["localhost"])
            try connection.receive(fields)
            #expect(connection.sent.text == "1H\(status) D!", "\(fields)")
        }
    }

    @Test("On a connection that is kept for probes nothing else is answered")
    func reservedConnections() throws {
        let connection = try Connection(isReserved: true)
        try connection.receive(Self.fields())
        #expect(connection.sent.text == "1H503 D!")
        #expect(connection.sent.head?.first(name: "retry-after") == "1")
    }

    @Test("Heads of answers have names in small letters, the date, and the length of a body")
    func headsOfAnswers() throws {
        var tag = ""
        for more in [("a", "b"), ("accept-encoding", "gzip"), ("if-none-match", "")] {
            let connection = try Connection()
            try connection.receive(Self.fields() + [more.0 == "if-none-match" ? (more.0, tag) : more])
            let head = try #require(connection.sent.head)
            #expect(head.allSatisfy { $0.name == $0.name.lowercased() })
            #expect(head.first(name: "date")?.hasSuffix(" GMT") == true)
            #expect((head.first(name: "content-encoding") == "gzip") == (more.0 == "accept-encoding"))
            if more.0 == "if-none-match" {
                #expect(connection.sent.text == "1H304!")
                #expect(!head.contains(name: "content-length"))
            } else {
                #expect(connection.sent.text == "1H200 D!")
                #expect(head.first(name: "content-length") == "\(connection.sent.byteCount)")
            }
            tag = head.first(name: "etag") ?? ""
        }
    }

    @Test("Frames of the connection itself are handed on, and those of streams are not")
    func handedOn() throws {
        let connection = try Connection()
        try connection.request([1])
        let frames: [Frame.FramePayload] = [
            .windowUpdate(windowSizeIncrement: 1000), .rstStream(.cancel),
            .priority(.init(exclusive: false, dependency: 0, weight: 1)),
        ]
        for payload in frames {
            for stream in [0, 1, 3] {
                try connection.receive(payload, stream: stream)
                #expect(try connection.isHandedOn() == (stream == 0))
            }
        }
        #expect(connection.sent.text == "1H200 D!")
    }

    @Test("Once the answer before the end of a body has left, the client is to send no more")
    func bodiesThatAreNotNeeded() throws {
        for (fields, status) in [(Self.fields(), "200 D!"), (Self.fields("/none", method: "POST"), "404 D!")] {
            let connection = try Connection()
            try connection.receive(fields, ends: false)
            try connection.receive(10)
            #expect(connection.sent.text == "1H" + status)
            connection.complete()
            #expect(connection.sent.text == "1H\(status) 1R")
        }
    }

    @Test("A body that is too long or too slow is refused")
    func refusedBodies() throws {
        let fields = Self.fields(Self.flags, method: "POST", ("content-type", "application/json"))
        for (more, count, status) in [([("content-length", "1001")], 0, 413), ([], 1001, 413), ([], 9, 408)] {
            let connection = try Connection()
            try connection.receive(fields + more, ends: false)
            if count > 0 { try connection.receive(count) }
            connection.channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            #expect(connection.sent.text == "1H\(status) D!")
            connection.complete()
            #expect(connection.sent.text == "1H\(status) D! 1R")
        }
    }

    @Test("Windows are opened again while a body is needed, and that of the connection always")
    func windows() throws {
        let connection = try Connection()
        func used(_ stream: Int, _ left: Int) {
            connection.channel.pipeline.fireUserInboundEventTriggered(
                NIOHTTP2WindowUpdatedEvent(
                    streamID: HTTP2StreamID(stream), inboundWindowSize: left, outboundWindowSize: nil))
        }
        let fields = Self.fields(Self.flags, method: "POST", ("content-type", "application/json"))
        try connection.receive(fields, ends: false)
        for stream in [0, 1] {
            used(stream, 40_000)
            used(stream, 535)
        }
        #expect(connection.sent.text == "0W65000 1W65000")
        try connection.receive(1001)
        for stream in [0, 1] { used(stream, 535) }
        #expect(connection.sent.text == "0W65000 1W65000 1H413 D! 0W65000")
    }

    @Test("Requests wait while answers before them are not taken, and are answered in their order")
    func waiting() throws {
        let connection = try Connection()
        try connection.fill()
        try connection.request([1, 3, 5, 7, 9])
        // The frame comes before the event.
        try connection.receive(.rstStream(.cancel), stream: 5)
        connection.streamClosed(5)
        #expect(connection.sent.frames.isEmpty)
        connection.complete()
        #expect(connection.sent.text.hasSuffix(" 1H200 D! 3H200 D! 7H200 D! 9H200 D!"))
        #expect(connection.sent.frames.count == 10)
    }

    @Test("Answers that are not taken take bounded memory, and all come once they are")
    func bounds() throws {
        let connection = try Connection()
        try connection.fill()
        let streams = (0..<100).map { 2 * $0 + 1 }
        try connection.request(streams)
        #expect(connection.sent.byteCount == 0)
        while connection.sent.frames.count < 2 * streams.count + 2,
            connection.channel.embeddedEventLoop.now < .uptimeNanoseconds(1_000_000_000)
        {
            let before = connection.sent.byteCount
            connection.channel.embeddedEventLoop.advanceTime(by: LoopTurns.pause)
            connection.complete()
            #expect(connection.sent.byteCount - before < 600_000)
        }
        #expect(connection.sent.text.hasSuffix(streams.map { "\($0)H200 D!" }.joined(separator: " ")))
    }

    @Test("A stream whose answer does not leave in twice the timeout is reset; one that has left is not")
    func deadlines() throws {
        let connection = try Connection()
        let loop = connection.channel.embeddedEventLoop
        try connection.request([1, 3])
        loop.advanceTime(by: .seconds(50))
        try connection.request([5])
        connection.streamClosed(3)
        let answers = "1H200 D! 3H200 D! 5H200 D!"
        loop.advanceTime(by: .seconds(69))
        #expect(connection.sent.text == answers)
        loop.advanceTime(by: .seconds(1))
        #expect(connection.sent.text == answers + " 1R-cancel")
        #expect(connection.log.lines.count { $0.contains("does not read") } == 1)
        connection.streamClosed(1)
        loop.advanceTime(by: .seconds(50))
        // Once, though the stream has not closed.
        loop.advanceTime(by: .seconds(500))
        #expect(connection.sent.text == answers + " 1R-cancel 5R-cancel")
        #expect(connection.log.lines.count { $0.contains("does not read") } == 2)
    }

    @Test("A request that waits has no deadline, and goes on when the server is about to end")
    func quiescing() throws {
        let connection = try Connection()
        try connection.fill()
        try connection.request([1])
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(connection.sent.frames.isEmpty)
        connection.complete()
        #expect(connection.sent.text.hasSuffix(" 1H200 D!"))
    }

    @Test("A connection that has closed gets no more answers")
    func closedConnections() throws {
        let connection = try Connection()
        try connection.fill()
        try connection.request([1, 3])
        try connection.channel.close().wait()
        connection.complete()
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(500))
        #expect(connection.sent.frames.isEmpty)
        #expect(connection.log.lines.isEmpty)
    }
}
