import Foundation
import SystemLibrary
import TestSupport
import Testing

@Suite(.runsServer) struct ConnectionTests {
    /// The head of a batch, but for its length.
    private static let post =
        "POST /exposures HTTP/1.1\r\nHost: localhost\r\n"
        + "Content-Type: application/json\r\n"

    /// Sends a byte whenever a while has passed without an answer; returns what came when the server had enough.
    private func trickle(_ connection: RawConnection, _ text: String) throws -> String {
        for byte in Array(text.utf8) {
            if connection.isReadable(within: 50) { return try connection.waitForEnd() }
            // The server may close between the look and the sending.
            if (try? connection.send([byte])) == nil { return try connection.waitForEnd() }
        }
        throw RawConnection.Failure(description: "the server waited for all of it")
    }

    @Test("A client that sends too slowly is disconnected")
    func slowClientsAreLeft() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments + ["--request-timeout", "1"])
        let head = try trickle(
            server.connect(), "GET /health/live HTTP/1.1\r\nX-Long: \(String(repeating: "x", count: 400))")
        #expect(!head.contains("HTTP/1.1 200"))
        let connection = try server.connect()
        try connection.send(
            Self.post + "Content-Length: 1000\r\n\r\n")
        let body = try trickle(connection, String(repeating: " ", count: 400))
        #expect(!body.contains("HTTP/1.1 200"))
        // A client that says nothing at all.
        #expect(try server.connect().waitForEnd() == "")
        #expect(try server.get("/health/live").status == 200)
    }

    @Test("A client that disconnects does no harm")
    func clientsMayLeave() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let parts = [
            "", "GET /heal", "GET /activeconfig/user/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
            Self.post + "Content-Length: 1000\r\n\r\n{\"exposures\"",
            Self.post + "Transfer-Encoding: chunked\r\n\r\n5\r\n[",
            "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /exposures HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
        for _ in 0..<20 {
            for part in parts {
                let connection = try server.connect()
                try connection.send(part)
            }
        }
        #expect(try server.get("/health/live").status == 200)
        #expect(try server.get("/exposures").body.split(separator: "\n").count == 1)
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
    }

    /// Bytes that are not HTTP are answered with 400, or the connection is closed; the server continues.
    @Test(
        "A request that is not HTTP is refused",
        arguments: [
            "\r\n\r\n\r\n", "HELLO\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
            "POST /exposures HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        ])
    func nonsenseIsRefused(text: String) throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments + ["--request-timeout", "1"])
        let connection = try server.connect()
        try connection.send(text)
        let answer = try connection.waitForEnd()
        #expect(answer == "" || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
        #expect(try server.get("/health/live").status == 200)
    }

    @Test("A huge body is refused before it is read")
    func hugeBodiesAreRefusedAtOnce() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        for uri in ["/exposures", "/activeconfig/user/a", "/ofrep/v1/evaluate/flags"] {
            let connection = try server.connect()
            try connection.send(
                Self.post.replacing("/exposures", with: uri) + "Content-Length: 1073741824\r\n\r\n")
            #expect(try connection.response().status == 413)
            // Nobody reads the body.
            #expect(try connection.waitForEnd() == "")
        }
        // A length in chunks is known only when they come.
        let connection = try server.connect()
        try connection.send(
            "POST /activeconfig/user/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
        for _ in 0..<5 { try connection.send(chunk) }
        #expect(try connection.response().status == 413)
    }

    @Test("An ID in a header or path that is too long is refused")
    func longIdentifiersAreRefused() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let connection = try server.connect()
        // The server may answer and close before it has read everything.
        let path = String(repeating: "x", count: 1 << 20)
        try? connection.send("GET /activeconfig/user/\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = try connection.waitForEnd()
        #expect(answer == "" || answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(200))")
        let many = (0..<200).map { "X-Header-\($0): x" }
        let fields = try server.connect()
        try? fields.send(
            "GET /health/live HTTP/1.1\r\n" + many.map { $0 + "\r\n" }.joined() + "\r\n")
        #expect(!(try fields.waitForEnd()).contains("HTTP/1.1 200"))
        #expect(try server.get("/activeconfig/user/\(String(repeating: "x", count: 1025))").status == 400)
        #expect(try server.get("/activeconfig/user/\(String(repeating: "x", count: 1024))").status == 200)
    }

    @Test("Idle connections do not delay others")
    func idleConnectionsDoNotHinder() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        var idle: [RawConnection] = []
        // Foundation cannot start a process while the tests hold more than about 1,300 descriptors.
        for number in 0..<100 {
            idle.append(try server.connect())
            if number % 20 == 19 { #expect(try server.get("/activeconfig/user/\(number)").status == 200) }
        }
        // The last of those that wait is served too.
        let last = try #require(idle.last)
        try last.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try last.response().status == 200)
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
    }

    @Test("A connection serves several requests")
    func connectionsAreKept() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let connection = try server.connect()
        // Many requests at once, answered in their order.
        let uris = (0..<50).map { "/activeconfig/user/\($0)" }
        try connection.send(uris.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
        let tags = try uris.map { _ in try connection.response().header("etag") }
        #expect(try uris.map { try server.get($0).header("etag") } == tags)
        #expect(Set(tags).count > 1)
        try connection.send("HEAD /activeconfig/user/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let head = try connection.waitForEnd()
        #expect(head.hasPrefix("HTTP/1.1 200"))
        #expect(head.hasSuffix("\r\n\r\n"))
    }

    @Test("Tokens are read from a file")
    func tokensAreReadFromAFile() throws {
        let folder = try ServerFolder()
        let file = try folder.write("configuration token-of-configurations-1\n", to: "tokens")
        let server = try RunningServer(folder.arguments + ["--hostname", "0.0.0.0", "--tokens", file])
        #expect(try server.get("/activeconfig/user/a").status == 401)
        let headers = ["Authorization: Bearer token-of-configurations-1"]
        #expect(try server.get("/activeconfig/user/a", headers).status == 200)
        #expect(try server.get("/metrics", headers).status == 403)
    }

    @Test("Connections are encrypted with a certificate")
    func connectionsAreEncrypted() throws {
        let folder = try ServerFolder()
        let files = try Certificate(in: folder, name: "server")
        let server = try RunningServer(
            folder.arguments + ["--tls-certificate", files.certificate, "--tls-key", files.key])
        func ask(_ options: String...) throws -> Outcome {
            try ServerProgram.run(
                URL(filePath: "/usr/bin/env"),
                [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost",
                    "-verify_hostname", "localhost", "-CAfile", files.certificate, "-verify_return_error", "-quiet",
                ] + options,
                input: "GET /activeconfig/user/tester HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        }
        for version in ["-tls1_2", "-tls1_3"] {
            let outcome = try ask(version)
            #expect(outcome.text.hasPrefix("HTTP/1.1 200"), "\(outcome.errors)")
            #expect(outcome.text.contains(#""Color":{"value":"green"}"#))
        }
        // What is not encrypted gets no answer.
        let plain = try server.connect()
        try plain.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(!(try plain.waitForEnd()).contains("HTTP/1.1 200"))
    }
}
