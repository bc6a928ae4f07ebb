import AllotConfiguration
import AllotDefinitions
import Foundation
import SystemLibrary
import TestSupport
import Testing

/// Certificates that are replaced, weak ciphers, and clients of HTTP/2 that do harm.
@Suite(.runsServer, .mayHang) struct HostileTLSTests {
    /// Sends bytes with `openssl s_client` until the server closes.
    private func ask(_ server: RunningServer, _ options: [String], input: String = "") throws -> Outcome {
        try ServerProgram.run(
            URL(filePath: "/usr/bin/env"),
            ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost"] + options,
            input: input)
    }

    private func server(_ folder: ServerFolder, _ files: Certificate, _ options: String...) throws -> RunningServer {
        try RunningServer(
            folder.arguments + ["--tls-certificate", files.certificate, "--tls-key", files.key] + options)
    }

    private func move(_ from: String, _ to: String) throws {
        try FileManager.default.removeItem(atPath: to)
        try FileManager.default.copyItem(atPath: from, toPath: to)
    }

    @Test("SIGHUP takes a new certificate; one that does not fit its key is reported, and the old one stays")
    func certificatesAreReplaced() throws {
        let folder = try ServerFolder()
        let used = try Certificate(in: folder, name: "used")
        let next = try Certificate(in: folder, name: "next")
        try #require(chmod(used.key, 0o600) == 0 && chmod(next.key, 0o644) == 0)
        let (first, second) = try (text(used.certificate), text(next.certificate))
        let server = try server(folder, used)
        #expect(!server.lines.contains { $0.contains("chmod") })
        func served() throws -> String { try ask(server, []).text }
        #expect(try served().contains(first))
        try move(next.certificate, used.certificate)
        server.signal(SIGHUP)
        try server.waitForLine("certificate not replaced")
        #expect(server.lines.contains { $0.contains(" error ") && $0.contains("belong together") })
        #expect(try served().contains(first))
        try move(next.key, used.key)
        server.signal(SIGHUP)
        try server.waitForLine("certificate loaded")
        #expect(server.lines.contains { $0.contains("chmod 600 \(used.key)") })
        #expect(try served().contains(second))
    }

    @Test("A certificate that ends soon is warned about and measured, and does not replace one that lasts longer")
    func expiringCertificates() throws {
        let folder = try ServerFolder()
        let used = try Certificate(in: folder, name: "used", days: 3)
        let (worse, better) = (
            try Certificate(in: folder, name: "worse", days: 2), try Certificate(in: folder, name: "better", days: 60)
        )
        let server = try server(folder, used)
        #expect(server.lines.contains { $0.contains(" warning ") && $0.contains("the certificate has to be replaced") })
        func end() throws -> Double {
            let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let lines = try ask(server, ["-quiet"], input: request).text.split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("allot_tls_certificate_end_seconds ") })
            return try #require(line.split(separator: " ").last.flatMap { Double($0) })
        }
        let first = try end()
        #expect(abs(first - Double(Instant.now.seconds + 3 * 86_400)) < 3600)
        try move(worse.certificate, used.certificate)
        try move(worse.key, used.key)
        server.signal(SIGHUP)
        try server.waitForLine("certificate not replaced")
        #expect(server.lines.contains { $0.contains(" error ") && $0.contains("before the current one") })
        #expect(try end() == first)
        try move(better.certificate, used.certificate)
        try move(better.key, used.key)
        server.signal(SIGHUP)
        let line = try server.waitForLine("certificate loaded")
        #expect(line.contains("until="))
        #expect(try end() > first + 50 * 86_400)
    }

    /// The base 64 of a PEM file.
    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().dropLast()
            .joined(separator: "\n")
    }

    @Test("With a key of RSA too, TLS 1.2 has forward secrecy")
    func weakCiphersAreRefused() throws {
        let folder = try ServerFolder()
        let server = try server(folder, Certificate(in: folder, name: "rsa", isRSA: true))
        for cipher in ["AES128-SHA", "AES256-SHA", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA"] {
            let outcome = try ask(server, ["-tls1_2", "-cipher", cipher])
            #expect(outcome.status != 0 && outcome.text.contains("Cipher is (NONE)"), "\(cipher)")
        }
        #expect(try ask(server, ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"]).status == 0)
        #expect(try ask(server, ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"]).status != 0)
    }

    // MARK: HTTP/2

    /// Frames with bytes below 128 only, which text can hold.
    private enum Frame {
        static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        static let settings = text(type: 4, 0, "")
        /// Windows of streams are 0.
        static let noWindow = text(type: 4, 0, bytes([0, 4, 0, 0, 0, 0]))

        static func get(_ path: String, _ stream: Int) -> String {
            let fields = [
                (":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", path),
            ]
            let block = fields.map { name, value in
                // A literal that is not indexed, without Huffman's code.
                bytes([0, name.utf8.count]) + name + bytes([value.utf8.count]) + value
            }
            return text(type: 1, flags: 5, stream, block.joined())
        }

        static func reset(_ stream: Int) -> String { text(type: 3, stream, bytes([0, 0, 0, 8])) }

        private static func text(type: Int, flags: Int = 0, _ stream: Int, _ payload: String) -> String {
            bytes([0, 0, payload.utf8.count, type, flags, 0, 0, stream >> 8, stream & 0xFF]) + payload
        }

        private static func bytes(_ numbers: [Int]) -> String {
            String(decoding: numbers.map { UInt8($0) }, as: UTF8.self)
        }
    }

    private func exchange(_ server: RunningServer, _ frames: String...) throws -> Outcome {
        try ask(server, ["-alpn", "h2", "-quiet"], input: Frame.preface + frames.joined())
    }

    @Test("HTTP/2 is offered, with the same routes; a client that answers no ping is left")
    func http2IsOffered() throws {
        let folder = try ServerFolder()
        let server = try server(folder, Certificate(in: folder, name: "server"), "--request-timeout", "1")
        let answer = try exchange(
            server, Frame.settings, Frame.get("/activeconfig/user/tester", 1), Frame.get("/health/live", 3))
        #expect(answer.text.contains(#""Color":{"value":"green"}"#) && answer.text.contains(#"{"status":"ok"}"#))
        for (offered, chosen) in [("h2,http/1.1", "h2"), ("http/1.1", "http/1.1")] {
            let text = try ask(server, ["-alpn", offered]).text
            #expect(text.contains("ALPN protocol: \(chosen)\n"), "\(offered)")
        }
    }

    @Test("A client of HTTP/2 that opens no window, resets streams or never finishes is left, and others are served")
    func harmfulClientsAreLeft() throws {
        let folder = try ServerFolder()
        let server = try server(folder, Certificate(in: folder, name: "server"), "--request-timeout", "1")
        let unread = try exchange(server, Frame.noWindow, Frame.get("/activeconfig/user/tester", 1))
        #expect(!unread.text.contains("Color"))
        // Odd numbers whose bytes are below 128.
        let streams = (0..<8).flatMap { high in (0..<64).map { high << 8 | $0 << 1 | 1 } }
        let resets = streams.map { Frame.get("/health/live", $0) + Frame.reset($0) }.joined()
        _ = try exchange(server, Frame.settings, resets)
        // More at once than a connection may have.
        _ = try exchange(server, Frame.settings, streams.map { Frame.get("/events", $0) }.joined())
        _ = try exchange(server, Frame.settings, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = try exchange(server, Frame.settings, Frame.get("/health/live", 1))
        #expect(answer.text.contains(#"{"status":"ok"}"#))
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
    }
}
