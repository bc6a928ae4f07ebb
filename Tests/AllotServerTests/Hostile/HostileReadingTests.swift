import Foundation
import TestSupport
import Testing

/// Clients that send requests and do not read the answers.
@Suite(.runsServer, .mayHang) struct HostileReadingTests {
    private static let request = "GET /activeconfig/user/a HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let tokens = "configuration token-of-configurations-1\nmetrics token-of-metrics-00000004\n"

    @Test("Requests without end take little memory if their client does not read", arguments: [false, true])
    func unreadAnswersTakeLittleMemory(isRefused: Bool) throws {
        let folder = try ServerFolder()
        let file = try folder.write(Self.tokens, to: "tokens")
        let server = try RunningServer(folder.arguments + (isRefused ? ["--tokens", file] : []))
        #expect(try server.get("/activeconfig/user/a").status == (isRefused ? 401 : 200))
        let before = try server.residentBytes()
        let count = HostileScale.connections(40)
        let clients = try (0..<count).map { _ in try server.connect(window: 4096) }
        let requests = Array(String(repeating: Self.request, count: 1400).utf8)
        var most = before
        for _ in 0..<10 {
            for client in clients { while client.sendSome(requests) == requests.count {} }
            #expect(try server.get("/health/live").status == 200)
            most = max(most, try server.residentBytes())
        }
        // Decoded and unread they took 3 MB for each connection.
        #expect(most - before < 36_000_000 + 100_000 * count, "\((most - before) / 1_000_000) MB more")
    }

    @Test("A client that reads nothing, or next to nothing, is disconnected", arguments: [0, 1])
    func unreadAnswersEnd(bytes: Int) throws {
        let server = try RunningServer(ServerFolder(), "--request-timeout", "2")
        let client = try server.connect(window: 4096)
        let requests = Array(String(repeating: Self.request, count: 100).utf8)
        let end = ContinuousClock.now + .milliseconds(Int(RunningServer.patience))
        while !client.isReset, ContinuousClock.now < end {
            _ = client.sendSome(requests)
            client.readSome(bytes, within: 0)
            poll(nil, 0, 20)
        }
        #expect(client.isReset)
    }

    @Test("An export without a reader ends as a failure, and is counted", arguments: [0, 1], ["1.0", "1.1"])
    func unreadExportsEnd(bytes: Int, version: String) throws {
        let server = try RunningServer(ServerFolder(), "--request-timeout", "2")
        for batch in Self.batches() { #expect(try server.post("/exposures", batch).status == 200) }
        let client = try server.connect(window: 4096)
        try client.send("GET /exposures HTTP/\(version)\r\nHost: localhost\r\n\r\n")
        try server.waitForMetric(#"allot_http_refused_total{reason="unread"}"#) { count in
            client.readSome(bytes, within: 0)
            return count == 1
        }
        // Where the end of the connection is that of the answer, it must not look like it.
        #expect(try !client.waitForEnd().hasSuffix("0\r\n\r\n"))
        #expect(version == "1.1" || client.wasReset)
    }

    @Test("With TLS too an export of HTTP/1.0 that its client does not read ends as a failure")
    func unreadExportsEndBelowTLS() throws {
        let server = try RunningServer(secure: ServerFolder(), ["--request-timeout", "2"])
        let sender = try HTTP2Client(server)
        for (number, batch) in Self.batches().enumerated() {
            #expect(try sender.post("/exposures", Array(batch.utf8), 2 * number + 1).status == 200)
        }
        let client = try SecureConnection(port: server.port, window: 4096, negotiating: "http/1.1")
        try client.send(Array("GET /exposures HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8))
        let series = #"allot_http_refused_total{reason="unread"} "#
        #expect(try HTTP2Client.lines(of: series + "1", server) == [series + "1"])
        while try client.read() != nil {}
        #expect(client.wasReset)
    }

    /// Exposures whose export is more than a system keeps for a client that does not read.
    private static func batches() -> [String] {
        let time = ISO8601DateFormatter().string(from: Date())
        return (0..<5).map { batch in
            let events = (0..<800).map {
                #"{"id":"\#(batch)-\#($0)","unit":"\#(batch)-\#($0)","experiment":"e","variant":"v","at":"\#(time)"}"#
            }
            return #"{"exposures":[\#(events.joined(separator: ","))]}"#
        }
    }

    @Test("A slow but honest client gets all answers, in their order")
    func slowReadersAreServed() throws {
        let server = try RunningServer(ServerFolder(), "--request-timeout", "2")
        let client = try server.connect(window: 4096)
        let paths = (0..<400).map { "/activeconfig/user/u\($0)" }
        var requests = Array(paths.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined().utf8)
        // For longer than the time limit; then the rest.
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end {
            if !requests.isEmpty { requests.removeFirst(client.sendSome(requests)) }
            client.readSome(1000, within: 20)
        }
        try client.send(requests)
        let tags = try paths.map { _ in try client.response().header("etag") }
        #expect(try [0, 200, 399].map { try server.get(paths[$0]).header("etag") } == [0, 200, 399].map { tags[$0] })
    }

    @Test("Requests that were sent before a client closed its side are answered", arguments: ["", "/health/live"])
    func requestsBeforeTheEndAreAnswered(last: String) throws {
        let server = try RunningServer(ServerFolder())
        let requests = String(repeating: Self.request, count: 200)
        let client = try server.connect(
            sending: last.isEmpty ? requests : requests + "GET \(last) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.finishSending()
        let answers = try client.waitForEnd().components(separatedBy: "HTTP/1.1 200 OK")
        #expect(answers.count == (last.isEmpty ? 201 : 202))
    }

    /// A server whose answers are long.
    private func server(_ count: Int, timeout: Int) throws -> RunningServer {
        let folder = try ServerFolder()
        try folder.lengthen(to: count)
        return try RunningServer(folder, "--request-timeout", "\(timeout)")
    }

    @Test(
        "A slow client gets the whole of the last answer, whichever side ends the connection",
        arguments: ["", "Connection: close\r\n"], [false, true])
    func lastAnswersAreWhole(field: String, isFinished: Bool) throws {
        let server = try server(120_000, timeout: 2)
        let client = try server.connect(window: 4096)
        try client.send(Self.request + Self.request.dropLast() + field + "\r\n")
        if isFinished { client.finishSending() }
        client.readSlowly(for: .milliseconds(2500))
        for _ in 0..<2 { #expect(try client.response().body.utf8.count > 120_000) }
        #expect(try client.waitForEnd() == "")
    }

    @Test("More requests than wait in memory do not keep those before from being answered")
    func surplusRequestsAreDropped() throws {
        let server = try RunningServer(ServerFolder())
        let client = try server.connect(
            sending: String(repeating: Self.request.replacing("GET", with: "HEAD"), count: 5000))
        client.finishSending()
        #expect(try client.waitForEnd().components(separatedBy: "HTTP/1.1 200 OK").count > 2500)
    }

    @Test("A connection that is to end does so though its client reads nothing")
    func endingConnectionsEnd() throws {
        let server = try server(120_000, timeout: 1)
        #expect(try server.get("/health/live").status == 200)
        let before = try server.openDescriptors()
        var clients: [RawConnection] = []
        for number in 0..<8 {
            let client = try server.connect(window: 4096)
            try client.send(Self.request.dropLast() + (number < 4 ? "" : "Connection: close\r\n") + "\r\n")
            if number.isMultiple(of: 2) { client.finishSending() }
            clients.append(client)
        }
        try server.waitForMetric(#"allot_http_refused_total{reason="unread"}"#) { $0 == 8 }
        while try server.openDescriptors() > before { poll(nil, 0, 20) }
        #expect(clients.count == 8)
    }
}
