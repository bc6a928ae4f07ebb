import AllotFiles
import AllotSigning
import Foundation
import TestSupport
import Testing

/// Files of secrets that are replaced, damaged or open to others while the server runs.
@Suite(.runsServer, .mayHang) struct HostileRotationTests {
    private static let first = "token-of-configurations-1"
    private static let second = "token-of-configurations-2"

    private func write(_ tokens: [String], to name: String = "tokens", _ folder: ServerFolder) throws {
        try folder.replace(name, tokens.map { "configuration,metrics \($0)\n" }.joined())
        try #require(chmod(folder.path(name), 0o600) == 0)
    }

    private func status(_ server: RunningServer, _ token: String) throws -> Int {
        try server.get("/activeconfig/user/a", ["Authorization: Bearer \(token)"]).status
    }

    @Test("A token that is revoked stops at SIGHUP, and so do the event streams that it opened")
    func revokedTokensStop() throws {
        let folder = try ServerFolder()
        try write([Self.first, Self.second], folder)
        let server = try RunningServer(folder.arguments + ["--tokens", folder.path("tokens")])
        let kept = try server.listen("?access_token=\(Self.first)")
        let lost = try server.listen("?access_token=\(Self.second)")
        #expect(try status(server, Self.second) == 200)
        try write([Self.first], folder)
        server.signal(SIGHUP)
        try server.waitForLine("tokens loaded")
        #expect(try (status(server, Self.first), status(server, Self.second)) == (200, 401))
        #expect(try lost.waitForEnd().hasSuffix("0\r\n\r\n"))
        // The other goes on.
        try folder.replace("definitions/button.yaml", Fixture.changedButton)
        server.signal(SIGHUP)
        _ = try kept.wait(for: "event: message")
        #expect(!server.lines.contains { line in [Self.first, Self.second].contains { line.contains($0) } })
    }

    @Test("A file of tokens with a fault is reported, and the tokens before it stay")
    func faultyTokensChangeNothing() throws {
        let folder = try ServerFolder()
        try write([Self.first], folder)
        let server = try RunningServer(folder.arguments + ["--tokens", folder.path("tokens")])
        #expect(!server.lines.contains { $0.contains("chmod") })
        try folder.replace("tokens", "configuration short\n")
        server.signal(SIGHUP)
        try server.waitForLine("tokens not replaced")
        let problem = "tokens:1: the token has fewer than 20 characters"
        #expect(server.lines.contains { $0.contains(" error ") && $0.contains(problem) })
        unlink(folder.path("tokens"))
        server.signal(SIGHUP)
        try server.waitForLine("tokens not replaced")
        // Reading a pipe without a writer would take for ever.
        try #require(mkfifo(folder.path("tokens"), 0o600) == 0)
        server.signal(SIGHUP)
        try server.waitForLine("is not a regular file")
        try server.waitForLine("tokens not replaced")
        #expect(try (status(server, Self.first), status(server, Self.second)) == (200, 401))
        unlink(folder.path("tokens"))
        try write([Self.second], folder)
        try #require(chmod(folder.path("tokens"), 0o640) == 0)
        server.signal(SIGHUP)
        try server.waitForLine("tokens loaded")
        #expect(server.lines.contains { $0.contains("chmod 600 \(folder.path("tokens"))") })
        #expect(try (status(server, Self.first), status(server, Self.second)) == (401, 200))
    }

    /// Everything that is read again gets every signal.
    @Test("One SIGHUP loads the definitions, the signing key and the tokens")
    func oneSignalLoadsEverything() throws {
        let folder = try ServerFolder()
        try write([Self.first], folder)
        try folder.write(try SigningKey.generate(.es256).privateKeyPEM, to: "signing.pem")
        let server = try RunningServer(
            folder.arguments + ["--tokens", folder.path("tokens"), "--signing-key", folder.path("signing.pem")])
        for _ in 0..<20 {
            server.signal(SIGHUP)
            var missing: Set = ["definitions unchanged", "signing key unchanged", "tokens loaded"]
            while !missing.isEmpty {
                let line = try server.waitForLine(" ")
                missing = missing.filter { !line.contains($0) }
            }
        }
        #expect(try status(server, Self.first) == 200)
    }
}
