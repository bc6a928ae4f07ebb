import AllotConfiguration
import AllotFiles
import Foundation
import TestSupport
import Testing

/// Clients of HTTP/2 that break its rules, or keep them with harm in mind. Each is left or refused, takes little
/// memory, and does not keep others from being served.
@Suite(.runsServer, .mayHang) struct HostileHTTP2Tests {
    private static let json = [("content-type", "application/json")]

    /// A server with TLS on definitions of its own.
    private func server(_ options: String..., folder: ServerFolder? = nil) throws -> RunningServer {
        try RunningServer(secure: folder ?? ServerFolder(), options)
    }

    /// Others are served, by the same process.
    private func expectService(_ server: RunningServer, _ comment: Comment? = nil) throws {
        let answer = try HTTP2Client(server).get("/health/live", 1)
        #expect(answer.status == 200, comment)
        #expect(answer.text == #"{"status":"ok"}"#, comment)
    }

    // MARK: Floods

    enum Flood: String, CaseIterable {
        case continuations, emptyContinuations, settings, manySettings, pings, resets, priorities, emptyData
        case zeroIncrements, trailers, unknownFrames

        /// The frames of one round, on a connection whose first stream waits for its body.
        func frames(_ number: Int) -> [HTTP2Frame] {
            let stream = 2 * number + 3
            switch self {
            case .continuations: return [HTTP2Frame(.continuation, stream: 3, HTTP2Frame.block([("a", "b")]))]
            case .emptyContinuations: return [HTTP2Frame(.continuation, stream: 3)]
            case .settings: return [.settings()]
            case .manySettings: return [.settings(Array(repeating: (1, 0), count: 100))]
            case .pings: return [HTTP2Frame(.ping, Array(repeating: 7, count: 8))]
            // CVE-2023-44487
            case .resets: return [.get("/explain/a", stream), .reset(stream)]
            case .priorities: return [HTTP2Frame(.priority, stream: stream, [0, 0, 0, 0, 16])]
            case .emptyData: return [.data(1, [])]
            case .zeroIncrements: return [.windowUpdate(1, 0)]
            case .trailers: return [.head("POST", "/exposures", 1, ends: false)]
            case .unknownFrames:
                var frame = HTTP2Frame(.data, stream: 1, Array(repeating: 0, count: 16_000))
                frame.kind = 0xEE
                return [frame]
            }
        }

        /// Frames of unknown kinds are ignored, and so is what comes for a stream that was reset, as the stream of the
        /// first window that grows by nothing is: they cost no more than their bytes.
        var isHarmless: Bool { self == .unknownFrames || self == .zeroIncrements }
    }

    @Test("A client that floods the server with frames is left", arguments: Flood.allCases)
    func floodsEnd(flood: Flood) throws {
        let server = try server()
        try expectService(server)
        let before = try server.residentBytes()
        let client = try HTTP2Client(server, window: 4096)
        try client.send(.head("POST", "/exposures", 1, ends: false))
        if flood == .continuations || flood == .emptyContinuations {
            try client.send(HTTP2Frame(.headers, stream: 3, HTTP2Frame.block(HTTP2Frame.request("GET", "/"))))
        }
        let count = flood.isHarmless ? 1000 : HostileScale.rounds(20_000)
        let sent = client.flood(count) { flood.frames($0) }
        // Else this waits in vain.
        if flood.isHarmless { #expect(sent == count) } else { try client.waitForEnd() }
        #expect(try server.residentBytes() - before < 20_000_000)
        try expectService(server)
    }

    @Test("A window that grows too far ends its stream or its connection")
    func windowsThatGrowTooFar() throws {
        let server = try server()
        for stream in [0, 1] {
            let client = try HTTP2Client(server)
            try client.send(.head("POST", "/exposures", 1, ends: false))
            _ = client.flood(3) { _ in [.windowUpdate(stream, 0x7FFF_FFFF)] }
            // FLOW_CONTROL_ERROR, unless the end overtakes the reason.
            let answer = try client.answer(1)
            #expect(client.isEnded || answer.reset == 3, "\(stream): \(answer)")
            #expect(client.goAway == nil || client.goAway == 3)
        }
        try expectService(server)
    }

    // MARK: Heads

    @Test("A head that is too long is refused, however few bytes it takes", arguments: [1, 2, 3])
    func longHeads(way: Int) throws {
        let server = try server()
        let before = try server.residentBytes()
        let client = try HTTP2Client(server)
        var block = HTTP2Frame.block(HTTP2Frame.request("GET", "/health/live"))
        switch way {
        // One field, many fields, and one that is named again and again from the dynamic table.
        case 1: block += HTTP2Frame.block([("long", String(repeating: "x", count: 70_000))])
        case 2: block += HTTP2Frame.block((0..<2000).map { ("field-\($0)", String(repeating: "x", count: 30)) })
        default:
            block += HTTP2Frame.indexed("bomb", String(repeating: "x", count: 3000))
            block += Array(repeating: 0x80 | 62, count: 16_000 - block.count)
        }
        var frames: [HTTP2Frame] = []
        var rest = block[...]
        repeat {
            let part = Array(rest.prefix(16_000))
            rest = rest.dropFirst(part.count)
            var frame = HTTP2Frame(frames.isEmpty ? .headers : .continuation, stream: 1, part)
            if frames.isEmpty { frame.flags |= HTTP2Frame.Flag.endStream }
            if rest.isEmpty { frame.flags |= HTTP2Frame.Flag.endHeaders }
            frames.append(frame)
        } while !rest.isEmpty
        try? client.send(frames)
        let answer = try client.answer(1)
        #expect(answer.status == 431 || answer.reset != nil || client.isEnded, "\(answer)")
        #expect(try server.residentBytes() - before < 20_000_000)
        try expectService(server)
    }

    // MARK: Streams and bodies

    @Test("Streams that never end leave room for others, and end with the time limit")
    func streamsThatNeverEnd() throws {
        let server = try server("--request-timeout", "2")
        let client = try HTTP2Client(server)
        let streams = (0..<100).map { 2 * $0 + 1 }
        try client.send(streams.map { .head("POST", "/exposures", $0, ends: false) })
        try expectService(server)
        for stream in streams {
            let answer = try client.answer(stream)
            #expect(answer.status == 408 || answer.reset != nil || client.isEnded, "\(stream): \(answer)")
        }
        try expectService(server)
    }

    @Test("A client that opens more streams than it may is left")
    func tooManyStreams() throws {
        let server = try server()
        let client = try HTTP2Client(server)
        try client.send((0...100).map { .head("POST", "/exposures", 2 * $0 + 1, ends: false) })
        try client.waitForEnd()
        #expect(client.answers.values.allSatisfy { !$0.isComplete })
        try expectService(server)
    }

    @Test("A body that is larger than the limit is refused, whether its length is announced or not")
    func largeBodies() throws {
        let server = try server()
        let before = try server.residentBytes()
        for length in [[("content-length", "100000000")], []] {
            let client = try HTTP2Client(server)
            let body = [UInt8](repeating: UInt8(ascii: " "), count: 9_000_000)
            #expect(try client.post("/exposures", body, 1, length).status == 413)
            guard !length.isEmpty else { continue }
            // The answer arrives whole, and the client is to stop without an error.
            try client.wait { $0.answers[1]?.reset != nil }
            #expect(client.answers[1]?.isComplete == true)
            #expect(client.answers[1]?.reset == 0)
            #expect(client.answers[1]?.text.contains("8388608 bytes") == true)
        }
        #expect(try server.residentBytes() - before < 40_000_000)
        try expectService(server)
    }

    @Test("Many bodies that are announced and not sent take nothing from others")
    func announcedBodies() throws {
        let server = try server()
        let clients = try (0..<HostileScale.connections(4)).map { _ in try HTTP2Client(server) }
        for client in clients {
            try client.send(
                (0..<100).map {
                    .head("POST", "/exposures", 2 * $0 + 1, [("content-length", "4000000")], ends: false)
                })
        }
        let client = try HTTP2Client(server)
        #expect(try client.post("/exposures", Array(#"{"exposures":[]}"#.utf8), 1).status == 200)
    }

    // MARK: What is read

    @Test("An export and a stream of events come over HTTP/2 as well")
    func exportsAndEvents() throws {
        let folder = try ServerFolder()
        let server = try server(folder: folder)
        let time = ISO8601DateFormatter().string(from: Date())
        let client = try HTTP2Client(server)
        let long = String(repeating: "u", count: 100)
        let events = (0..<800).map {
            #"{"id":"\#($0)","unit":"\#($0)-\#(long)","experiment":"e","variant":"v","at":"\#(time)"}"#
        }
        let body = Array(#"{"exposures":[\#(events.joined(separator: ","))]}"#.utf8)
        #expect(try client.post("/exposures", body, 1).status == 200)
        try client.send(.get("/exposures", 3), .get("/events", 5))
        let export = try client.answer(3)
        // Both are more than a first window.
        #expect(export.status == 200)
        #expect(export.body.count > 65_535)
        #expect(export.text.split(separator: "\n").count == 801)
        try client.wait { $0.answers[5]?.text.contains("event: message") ?? false }
        try folder.write(Fixture.changedButton, to: "definitions/button.yaml")
        server.signal(SIGHUP)
        try client.wait { ($0.answers[5]?.text.components(separatedBy: "event: message").count ?? 0) > 2 }
        #expect(!client.isEnded)
    }

    @Test("A client that opens no window, or reads nothing, takes little memory and is left", arguments: [true, false])
    func unreadAnswers(opensWindow: Bool) throws {
        let folder = try ServerFolder()
        try folder.lengthen(to: 100_000)
        let server = try server("--request-timeout", "2", folder: folder)
        try expectService(server)
        let before = try server.residentBytes()
        let descriptors = try server.openDescriptors()
        // In the first case all windows are as large as they can be, and only the bytes are not read.
        let settings: [(UInt16, UInt32)] = [(4, opensWindow ? 0x7FFF_FFFF : 0)]
        let client = try HTTP2Client(server, settings: settings, opensWindows: false, window: 4096)
        if opensWindow { try client.send(.windowUpdate(0, 0x7FFF_0000)) }
        var most = before
        let sent = client.flood(5000) { number in
            if number.isMultiple(of: 500) { most = max(most, (try? server.residentBytes()) ?? .max) }
            return [.get("/activeconfig/user/\(number)", 2 * number + 1)]
        }
        most = max(most, try server.residentBytes())
        #expect(most - before < 60_000_000, "\((most - before) / 1_000_000) MB more after \(sent) requests")
        try expectService(server)
        while try server.openDescriptors() > descriptors { poll(nil, 0, 20) }
    }

    @Test("Requests that waited for the answers before them are answered, even if the server ends")
    func waitingRequestsAreAnswered() throws {
        let folder = try ServerFolder()
        try folder.lengthen(to: 300_000)
        let server = try server("--max-value-bytes", "1000000", "--drain", "0s", folder: folder)
        // More than are worked on at a time, of a client that takes nothing.
        let client = try HTTP2Client(server, settings: [(4, 0)])
        try client.send((0..<50).map { .get("/activeconfig/user/\($0)", 2 * $0 + 1) })
        try client.send(HTTP2Frame(.ping, Array(repeating: 1, count: 8)))
        try client.wait { $0.hasPong && $0.answers[1]?.status != nil }
        #expect(client.answers[97]?.status == nil)
        // One that is given up while it waits holds up no other.
        try client.send(.reset(99))
        server.signal(SIGTERM)
        try client.wait { $0.goAway != nil }
        try client.send(.settings([(4, 0x7FFF_FFFF)]), .windowUpdate(0, 0x7FFF_0000))
        for number in 0..<49 {
            let answer = try client.answer(2 * number + 1)
            #expect(answer.status == 200, "\(number)")
            #expect(answer.isComplete, "\(number)")
            #expect(answer.body.count > 300_000, "\(number)")
        }
        #expect(try server.waitForEnd() == 0)
    }

    @Test("Bodies that are on their way keep no other request waiting")
    func slowBodiesKeepNoOtherWaiting() throws {
        let server = try server()
        let client = try HTTP2Client(server)
        try client.send((0..<60).map { .head("POST", "/exposures", 2 * $0 + 1, Self.json, ends: false) })
        #expect(try client.get("/health/live", 201).status == 200)
        for number in 0..<60 { try client.send(.data(2 * number + 1, Array(#"{"exposures":[]}"#.utf8), ends: true)) }
        for number in 0..<60 { #expect(try client.answer(2 * number + 1).status == 200) }
    }

    @Test("A body that is not sent, or whose stream is reset, is a fault of its client", arguments: [408, 400])
    func brokenBodiesAreCounted(status: Int) throws {
        let server = try server("--request-timeout", "2")
        let client = try HTTP2Client(server)
        try client.send(.head("POST", "/exposures", 1, Self.json, ends: false), .data(1, Array("{".utf8)))
        if status == 400 {
            try client.send(.reset(1))
        } else {
            try client.wait { $0.answers[1]?.reset != nil }
            #expect(client.answers[1]?.status == 408)
            #expect(client.answers[1]?.isComplete == true)
        }
        let series = #"allot_http_requests_total{method="POST",route="/exposures",status="#
        #expect(try HTTP2Client.lines(of: series, server) == [series + #""\#(status)"} 1"#])
    }

    @Test("Requests of many streams at once, some with a length of 0, have the same answers")
    func manyRequests() throws {
        let server = try server()
        let client = try HTTP2Client(server)
        let paths = ["/activeconfig/user/a", "/activeconfig/user/%zz", "/active_config?userID=b", "/activeconfig/user"]
        let requests = (0..<40).map { number in
            let method = number.isMultiple(of: 5) ? "HEAD" : "GET"
            return (method: method, path: paths[number % paths.count])
        }
        try client.send(
            requests.enumerated().flatMap { number, request -> [HTTP2Frame] in
                let stream = 4 * number + 1
                return [
                    HTTP2Frame.head(request.method, request.path, stream), .windowUpdate(stream, 1000),
                    HTTP2Frame(.priority, stream: stream, [0, 0, 0, 0, 16]),
                    .head(request.method, request.path, stream + 2, [("content-length", "0")]),
                ]
            })
        for number in requests.indices {
            let (direct, other) = try (client.answer(4 * number + 1), client.answer(4 * number + 3))
            #expect(direct.status != nil, "\(number)")
            #expect(direct.status == other.status, "\(number)")
            #expect(direct.body == other.body, "\(number)")
            #expect(direct.body.isEmpty == (requests[number].method == "HEAD"), "\(number)")
            #expect(direct.isComplete, "\(number)")
            #expect(direct.reset == nil, "\(number)")
        }
        #expect(try client.post("/activeconfig/user/a", Array("{}".utf8), 201).status != nil)
        try client.send(.get("/activeconfig/user/a", 203), .reset(203), .get("/activeconfig/user/a", 205))
        #expect(try client.answer(205).status == 200)
        #expect(client.goAway == nil)
    }

    @Test("The limits of heads are those of HTTP/1, and a refusal or a malformed head ends its stream only")
    func limitsOfHeads() throws {
        let server = try server()
        let client = try HTTP2Client(server)
        #expect(try client.get("/health/live", 1).status == 200)
        let many = (0..<150).map { ("x-\($0)", "y") }
        let requests: [(frame: HTTP2Frame, status: Int, part: String)] = [
            (.head("GET", "/health/live", 3, many), 431, "100 fields"),
            (.head("GET", "/health/live", 5, [("expect", "tea")]), 417, "100-continue"),
            (.get("/activeconfig/user/\u{FFFD}", 7), 400, "ASCII"), (.get("/explain/é", 9), 400, "ASCII"),
            (.get("health/live", 11), 400, "slash"), (.get("http://localhost/health/live", 13), 400, "slash"),
        ]
        for request in requests {
            try client.send(request.frame)
            let answer = try client.answer(request.frame.stream)
            #expect(answer.status == request.status, "\(answer)")
            #expect(answer.text.contains(request.part), "\(answer)")
        }
        // Without an authority, the field Host counts.
        for (stream, host, status) in [(15, "localhost", 200), (17, "rebound.example", 400)] {
            let fields = [(":method", "GET"), (":scheme", "https"), (":path", "/health/live"), ("host", host)]
            let flags = HTTP2Frame.Flag.endHeaders | HTTP2Frame.Flag.endStream
            try client.send(HTTP2Frame(.headers, flags: flags, stream: stream, HTTP2Frame.block(fields)))
            #expect(try client.answer(stream).status == status, "\(host)")
        }
        // Malformed heads, even if the stream never began.
        let path = "/activeconfig/user/a"
        for (number, field) in [
            ("Upper", "case"), ("connection", "close"), (":path", path), ("content-length", "x"),
            ("content-length", "5"),
        ].enumerated() {
            let stream = 19 + 2 * number
            try client.send(.head("GET", path, stream, [field]))
            let answer = try client.answer(stream)
            #expect(answer.reset != nil || answer.status == 400, "\(field): \(answer)")
        }
        #expect(try client.get("/health/live", 31).status == 200)
        #expect(client.goAway == nil)
    }

    /// A byte now and then is not a sign of life, in whatever frame.
    @Test("A client that drips bytes of a frame is left, whether it has a stream or not", arguments: [false, true])
    func drippedFrames(hasStream: Bool) throws {
        let server = try server("--request-timeout", "1")
        let payload = Array(repeating: UInt8(0), count: 16_380)
        // Each kind, and one that is not known.
        let heads = ((0...10) + [0xEE]).map { kind in
            var frame = HTTP2Frame(.data, stream: kind < 4 || kind == 8 ? 3 : 0, payload)
            frame.kind = UInt8(kind)
            return Array(frame.bytes.prefix(9))
        }
        var clients = try heads.map { head in
            let client = try HTTP2Client(server)
            if hasStream { try client.send(.get("/events", 1)) }
            try client.send(bytes: head)
            return client
        }
        while !clients.isEmpty {
            clients.removeAll { (try? $0.send(bytes: [0])) == nil }
            poll(nil, 0, 50)
        }
        try expectService(server)
    }

    @Test("A connection without streams does not hold up the end of the server")
    func idleConnectionsEnd() throws {
        let server = try server("--drain", "0s")
        let client = try HTTP2Client(server)
        #expect(try client.get("/health/live", 1).status == 200)
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
        server.readLog()
        #expect(!server.lines.contains { $0.contains("connections broken off") })
    }
}
