import AllotFiles
import TestSupport
import Testing

/// Clients that do not keep to HTTP/1.
@Suite(.runsServer, .mayHang) struct HostileHTTP1Tests {
    private static let host = "Host: localhost\r\n"
    private static let get = "GET /health/live HTTP/1.1\r\n"
    private static let post = "POST /exposures HTTP/1.1\r\n" + host + "Content-Type: application/json\r\n"

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
            (
                Self.post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
                "syntax", "HTTP/1.1"
            ),
            (
                "POST /exposures HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501, "transfer_coding",
                "HTTP/1.1"
            ),
            // The length of such a body cannot be known: 400 is what RFC 9112 wants.
            (Self.post + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", 400, "syntax", "HTTP/1.1"),
            (Self.post + "Expect: tea\r\nContent-Length: 2\r\n\r\n{}", 417, "expectation", "100-continue"),
            (
                Self.post + "Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n", 413, "body_size",
                "8388608 bytes"
            ),
            // One more than a whole number can be here.
            (Self.post + "Content-Length: 9223372036854775808\r\n\r\n", 413, "body_size", "8388608 bytes"),
            ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\n\r\n", 414, "target", "16384 bytes"),
            (
                Self.get + Self.host + "X: \(String(repeating: "x", count: 20_000))\r\n\r\n", 431, "fields",
                "16384 bytes"
            ),
            (Self.get + Self.host + String(repeating: "X: y\r\n", count: 200) + "\r\n", 431, "fields", "100 fields"),
            ("HELLO\r\n\r\n", 400, "syntax", "method"),
            (Self.post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "syntax", "chunk size"),
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
        let listener = try server.connect(sending: head + "\r\n")
        _ = try listener.wait(for: "event: message")
        server.signal(SIGINT)
        #expect(try server.waitForEnd() == 0)
    }

    @Test("OPTIONS of the whole server says what methods there are")
    func optionsOfTheServer() throws {
        let server = try RunningServer(ServerFolder())
        let response = try server.connect(sending: "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n").response(
            hasBody: false)
        #expect(response.status == 204)
        #expect(response.header("allow") == "GET, HEAD, POST, OPTIONS")
    }

    @Test("What is refused waits for the answers before it, and what follows it is not read")
    func refusalsKeepTheOrder() throws {
        let server = try RunningServer(ServerFolder())
        let good = Self.get + Self.host + "\r\n"
        let slow = "GET /activeconfig/user/a HTTP/1.1\r\n" + Self.host + "\r\n"
        for bad in [Self.get + "\r\n", "HELLO\r\n\r\n"] {
            let connection = try server.connect(sending: good + slow + good + bad + good)
            #expect(try (0..<4).map { _ in try connection.response().status } == [200, 200, 200, 400])
            #expect(try connection.waitForEnd() == "")
        }
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
        #expect(export.hasSuffix("reported_at,attributes\n"))
    }

    @Test("Connections end after the request that says so, and before protocols that are not known")
    func connectionsEnd() throws {
        let server = try RunningServer(ServerFolder())
        let more = Self.get + Self.host + "\r\n"
        for fields in ["Connection: Close\r\n", "Connection: upgrade\r\nUpgrade: h2c\r\n"] {
            let answer = try server.connect(sending: Self.get + Self.host + fields + "\r\n" + more).waitForEnd()
            #expect(answer.split(separator: "HTTP/1.1 200").count == 1, "\(answer)")
            #expect(answer.contains("connection: close\r\n"))
        }
    }

    @Test("Requests without bodies in their answers stay in order on one connection")
    func bodilessAnswersKeepTheOrder() throws {
        let server = try RunningServer(ServerFolder())
        let path = "/activeconfig/user/a HTTP/1.1\r\n" + Self.host
        let tag = try #require(try server.get("/activeconfig/user/a").header("etag"))
        let answers = try server.connect(
            sending: "HEAD \(path)\r\nGET \(path)If-None-Match: \(tag)\r\n\r\n" + Self.get + Self.host
                + "Connection: close\r\n\r\n"
        ).waitForEnd()
        let heads = answers.components(separatedBy: "\r\n\r\n")
        #expect(heads.map { String($0.prefix(12)) }.prefix(3) == ["HTTP/1.1 200", "HTTP/1.1 304", "HTTP/1.1 200"])
        #expect(heads.last == #"{"status":"ok"}"#)
    }

    @Test("The refusal of a request with HEAD has no body")
    func refusalsOfHeadHaveNoBody() throws {
        let server = try RunningServer(ServerFolder())
        for fields in ["", Self.host + "Content-Length: 99999999\r\n"] {
            let answer = try server.connect(sending: "HEAD /health/live HTTP/1.1\r\n\(fields)\r\n").waitForEnd()
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            #expect(answer.hasSuffix("\r\n\r\n"), "\(answer)")
        }
    }

    @Test("HEAD has the head of GET and no body, for errors too, so that the next answer follows")
    func headHasNoBody() throws {
        let server = try RunningServer(ServerFolder())
        let connection = try server.connect()
        for path in ["/activeconfig/user/a", "/activeconfig/user/a%zz", "/nowhere", "/ofrep/v1/evaluate/flags"] {
            let status = try server.get(path).status
            try connection.send("HEAD \(path) HTTP/1.1\r\n" + Self.host + "\r\n" + Self.get + Self.host + "\r\n")
            let heads = try connection.wait(for: #"{"status":"ok"}"#).split(separator: "\r\n\r\n")
            #expect(heads[0].hasPrefix("HTTP/1.1 \(status) "), "\(path)")
            #expect(heads[1].hasPrefix("HTTP/1.1 200 "), "\(path)")
        }
    }
}
