import AllotFiles
import TestSupport
import Testing

/// Clients that do not keep to HTTP/1.
@Suite(.runsServer, .mayHang) struct HostileHTTP1Tests {
    private static let host = "Host: localhost\r\n"
    private static let get = "GET /health/live HTTP/1.1\r\n"
    private static let post = "POST /exposures HTTP/1.1\r\n" + host + "Content-Type: application/json\r\n"
    private static let chunked = "Transfer-Encoding: chunked\r\n"
    private static let live = get + host + "\r\n"
    private static let last = get + host + "Connection: close\r\n\r\n"

    @Test("A request that is refused is answered with JSON that says why, counted, and the connection ends")
    func refusalsSayWhy() throws {
        let server = try RunningServer(ServerFolder())
        let requests: [(text: String, status: Int, reason: String, part: String)] = [
            (Self.get + "\r\n", 400, "host", "0 fields Host"),
            (Self.get + Self.host + Self.host + "\r\n", 400, "host", "2 fields Host"),
            (Self.get + "Host: a b/c@d\r\n\r\n", 400, "host", "the field Host"),
            ("GET http://evil.example/health/live HTTP/1.1\r\n" + Self.host + "\r\n", 400, "host", "another host"),
            ("GET http://localhost:1 HTTP/1.1\r\n" + Self.host + "\r\n", 400, "host", "another host"),
            ("GET /activeconfig/user/u#1 HTTP/1.1\r\n" + Self.host + "\r\n", 400, "syntax", "%23"),
            (Self.post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "transfer_coding", "chunked"),
            (Self.post + Self.chunked + Self.chunked + "\r\n0\r\n\r\n", 400, "syntax", "HTTP/1.1"),
            ("POST / HTTP/1.0\r\n" + Self.chunked + "\r\n0\r\n\r\n", 501, "transfer_coding", "HTTP/1.1"),
            // The length of such a body cannot be known: 400 is what RFC 9112 wants.
            (Self.post + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", 400, "syntax", "HTTP/1.1"),
            (Self.post + "Expect: tea\r\nContent-Length: 2\r\n\r\n{}", 417, "expectation", "100-continue"),
            (Self.post + "Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n", 413, "body_size", "8388608 bytes"),
            // One more than a whole number can be here.
            (Self.post + "Content-Length: 9223372036854775808\r\n\r\n", 413, "body_size", "8388608 bytes"),
            ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\n\r\n", 414, "target", "16384 bytes"),
            (Self.get + "X: " + String(repeating: "x", count: 20_000) + "\r\n\r\n", 431, "fields", "16384 bytes"),
            (Self.get + Self.host + String(repeating: "X: y\r\n", count: 200) + "\r\n", 431, "fields", "100 fields"),
            ("HELLO\r\n\r\n", 400, "syntax", "method"),
            (Self.post + Self.chunked + "\r\nzz\r\n", 400, "syntax", "chunk size"),
        ]
        for request in requests {
            let connection = try server.connect(sending: request.text)
            let response = try connection.response()
            #expect(response.status == request.status, "\(response.head)")
            #expect(response.header("content-type") == "application/json")
            #expect(response.header("connection") == "close")
            #expect(response.header("date")?.hasSuffix(" GMT") == true)
            #expect(response.body.hasPrefix(#"{"error":""#), "\(response.body)")
            #expect(response.body.contains(request.part), "\(response.body)")
            #expect(try connection.waitForEnd() == "")
        }
        for (reason, same) in Dictionary(grouping: requests, by: \.reason) {
            #expect(try server.metric("allot_http_refused_total{reason=\"\(reason)\"}") == Double(same.count))
        }
    }

    /// Bytes that are not HTTP are answered with 400, or the connection is closed.
    @Test("A request that is not HTTP is refused, and others are served")
    func nonsenseIsRefused() throws {
        let server = try RunningServer(ServerFolder(), "--request-timeout", "1")
        let texts = [
            "\r\n\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
            "GET / HTTP/1.1\r\n" + Self.host + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "GET / HTTP/1.1\r\n" + Self.host + "Content-Length: -1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        ]
        for text in texts {
            let answer = try server.connect(sending: text).waitForEnd()
            #expect(answer == "" || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            #expect(try server.get("/health/live").status == 200)
        }
    }

    @Test("Without tokens only requests for names of the own machine are answered, as web pages have others")
    func namesOfOthers() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder)
        for name in ["localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]", "[::1]:80"] {
            let answer = try server.connect(sending: Self.get + "Host: \(name)\r\n\r\n").response()
            #expect(answer.status == 200, "\(name)")
        }
        let whole = try server.connect(sending: "GET http://localhost/health/live HTTP/1.1\r\n" + Self.host + "\r\n")
        #expect(try whole.response().status == 200)
        let others = [
            "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "[::1]x", "",
        ]
        for name in others {
            let answer = try server.connect(sending: Self.get + "Host: \(name)\r\n\r\n").response()
            #expect(answer.status == 400, "\(name)")
            #expect(answer.body.contains("open it to every name"), "\(name)")
        }
        let open = try RunningServer(folder.arguments + ["--open"])
        #expect(try open.connect(sending: Self.get + "Host: a\r\n\r\n").response().status == 200)
    }

    @Test("A body before a stream of events is ignored, refused if it is long, and harmless if it breaks off")
    func bodiesOfEvents() throws {
        let server = try RunningServer(ServerFolder(), "--max-event-streams", "1")
        let head = "GET /events HTTP/1.1\r\n" + Self.host
        let chunks = "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\nx\r\n", count: 9)
        for body in [chunks + "0\r\n\r\n", "Content-Length: 9\r\n\r\nxxxxxxxxx"] {
            do {
                let connection = try server.connect(sending: head + body)
                _ = try connection.wait(for: "event: message")
                try server.waitForMetric("allot_event_streams") { $0 == 1 }
            }
            try server.waitForMetric("allot_event_streams") { $0 == 0 }
        }
        for body in [chunks, "Content-Length: 9\r\n\r\nxxxxx"] {
            _ = try server.connect(sending: head + body)
            let connection = try server.connect(sending: head + body)
            connection.finishSending()
            #expect(try !connection.waitForEnd().contains("event: message"))
        }
        let long = try server.connect(
            sending: head + "Content-Length: 70000\r\n\r\n" + String(repeating: "x", count: 5000))
        #expect(try long.response().status == 413)
        try withExtendedLifetime(server.listen()) { _ throws in
            server.signal(SIGINT)
            #expect(try server.waitForEnd() == 0)
        }
    }

    private static let configuration = "GET /activeconfig/user/a HTTP/1.1\r\n" + host + "\r\n"

    /// The requests on a connection; and of each answer the status, after a plus if a body comes before it.
    private static let conversations: [(String, String)] = [
        // What is refused waits for the answers before it, and what follows it is not read.
        (live + configuration + live + get + "\r\n" + live, "200 +200 +200 +400 +"),
        (live + configuration + live + "HELLO\r\n\r\n" + live, "200 +200 +200 +400 +"),
        // Connections end after the request that says so, and before protocols that are not known.
        (get + host + "Connection: Close\r\n\r\n" + live, "200 +"),
        (get + host + "Connection: upgrade\r\nUpgrade: h2c\r\n\r\n" + live, "200 +"),
        // HEAD has no body, for errors too, and neither has 304.
        ("HEAD /activeconfig/user/a HTTP/1.1\r\n" + host + "\r\n" + last, "200 200 +"),
        ("HEAD /activeconfig/user/a%zz HTTP/1.1\r\n" + host + "\r\n" + last, "400 200 +"),
        ("HEAD /nowhere HTTP/1.1\r\n" + host + "\r\n" + last, "404 200 +"),
        ("HEAD /ofrep/v1/evaluate/flags HTTP/1.1\r\n" + host + "\r\n" + last, "405 200 +"),
        ("GET /activeconfig/user/a HTTP/1.1\r\n" + host + "If-None-Match: *\r\n\r\n" + last, "304 200 +"),
        ("HEAD /health/live HTTP/1.1\r\n\r\n", "400"),
        ("HEAD /health/live HTTP/1.1\r\n" + host + "Content-Length: 99999999\r\n\r\n", "413"),
    ]

    @Test("Answers on one connection keep their order, and have bodies where requests have them")
    func conversationsAreInOrder() throws {
        let server = try RunningServer(ServerFolder())
        for (requests, expected) in Self.conversations {
            let answers = try server.connect(sending: requests).waitForEnd()
            let found = answers.components(separatedBy: "\r\n\r\n").map { piece -> String in
                let head = piece.firstMatch(of: /HTTP\/1\.1 ([0-9]{3})/)
                let hasBody = !piece.isEmpty && head?.range.lowerBound != piece.startIndex
                return (hasBody ? "+" : "") + (head.map { String($0.1) } ?? "")
            }
            #expect(found.filter { !$0.isEmpty }.joined(separator: " ") == expected, "\(requests)")
            #expect(answers.contains("connection: close\r\n"), "\(requests)")
        }
        let options = try server.connect(sending: "OPTIONS * HTTP/1.1\r\n" + Self.host + "\r\n")
            .response(hasBody: false)
        #expect(options.status == 204)
        #expect(options.header("allow") == "GET, HEAD, POST, OPTIONS")
    }

    @Test("A client that waits for 100 Continue gets it")
    func expectationsAreMet() throws {
        let server = try RunningServer(ServerFolder())
        let connection = try server.connect(sending: Self.post + "Expect: 100-continue\r\nContent-Length: 16\r\n\r\n")
        #expect(try connection.response().status == 100)
        try connection.send(#"{"exposures":[]}"#)
        #expect(try connection.response().status == 200)
        // The connection stays, and without a body there is nothing to wait for.
        try connection.send(Self.get + Self.host + "Expect: 100-continue\r\n\r\n")
        #expect(try connection.response().status == 200)
    }

    @Test("Clients of HTTP/1.0 get answers without chunks that end with the connection, unless they keep it")
    func oldClientsAreServed() throws {
        let server = try RunningServer(ServerFolder())
        for path in ["/health/live", "/exposures", "/activeconfig/user/a"] {
            let answer = try server.connect(sending: "GET \(path) HTTP/1.0\r\n\r\n").waitForEnd().lowercased()
            #expect(answer.hasPrefix("http/1.0 200"))
            #expect(answer.contains("connection: close\r\n"))
            #expect(!answer.contains("chunked"))
        }
        let kept = try server.connect()
        for _ in 0..<3 {
            try kept.send("GET /health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try kept.response().header("connection") == "keep-alive")
        }
        // An answer of unknown length ends with the connection all the same.
        try kept.send("GET /exposures HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let export = try kept.waitForEnd()
        #expect(export.contains("connection: close\r\n"))
        #expect(export.hasSuffix("reported_at,attributes,window\n"))
    }
}
