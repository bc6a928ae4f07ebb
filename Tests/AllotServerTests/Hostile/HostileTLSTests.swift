import AllotConfiguration
import AllotDefinitions
import AllotFiles
import Foundation
import TestSupport
import Testing

/// Certificates that are replaced, ciphers and protocols.
@Suite(.runsServer, .mayHang) struct HostileTLSTests {
    /// Sends bytes with `openssl s_client` until the server closes.
    private func ask(_ server: RunningServer, _ options: [String], input: String = "") throws -> Outcome {
        try ServerProgram.run(
            URL(filePath: "/usr/bin/env"),
            ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost"] + options,
            input: input)
    }

    private func server(_ folder: ServerFolder, _ files: Certificate) throws -> RunningServer {
        try RunningServer(folder.arguments + ["--tls-certificate", files.certificate, "--tls-key", files.key])
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
        #expect(server.lines.contains { $0.contains(" error ") && $0.contains("before that of the current") })
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
            #expect(outcome.status != 0, "\(cipher)")
            #expect(outcome.text.contains("Cipher is (NONE)"), "\(cipher)")
        }
        #expect(try ask(server, ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"]).status == 0)
        #expect(try ask(server, ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"]).status != 0)
    }

    @Test("TLS 1.2 and 1.3 have one certificate, HTTP/2 and the same routes; without TLS there is no answer")
    func connectionsAreEncrypted() throws {
        let folder = try ServerFolder()
        let files = try Certificate(in: folder, name: "server")
        let server = try server(folder, files)
        let target = "/activeconfig/user/tester"
        for version in ["-tls1_2", "-tls1_3"] {
            let outcome = try ask(
                server,
                [
                    "-verify_hostname", "localhost", "-CAfile", files.certificate, "-verify_return_error", "-quiet",
                    version,
                ],
                input: "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(outcome.text.hasPrefix("HTTP/1.1 200"), "\(outcome.errors)")
            #expect(outcome.text.contains(#""Color":{"value":"green"}"#))
        }
        for (offered, chosen) in [("h2,http/1.1", "h2"), ("http/1.1", "http/1.1")] {
            let text = try ask(server, ["-alpn", offered]).text
            #expect(text.contains("ALPN protocol: \(chosen)\n"), "\(offered)")
        }
        #expect(try HTTP2Client(server).get(target, 1).text.contains(#""Color":{"value":"green"}"#))
        let plain = try server.connect(sending: "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try !plain.waitForEnd().contains("HTTP/1.1 200"))
    }
}
