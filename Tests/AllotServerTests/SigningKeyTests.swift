import AllotConfiguration
import AllotFiles
import AllotSigning
import Foundation
import TestSupport
import Testing

/// The executable, and the file of its signing key.
@Suite(.runsServer) struct SigningKeyTests {
    private func write(_ key: SigningKey, _ folder: ServerFolder) throws {
        try folder.replace("signing.pem", key.privateKeyPEM)
        chmod(folder.path("signing.pem"), 0o600)
    }

    private func signerID(_ server: RunningServer, _ verifier: PublicKeyVerifier) throws -> String? {
        let response = try server.get("/activeconfig/user/tester")
        let signature = try DetachedSignature(try #require(response.header(DetachedSignature.headerName)))
        try verifier.verify(signature, payload: Array(response.body.utf8))
        return signature.header.keyID
    }

    @Test("SIGHUP rotates the key")
    func keyIsRotatedOnHangUp() throws {
        let folder = try ServerFolder()
        let keys = [try SigningKey.generate(.es256), try SigningKey.generate(.rs256)]
        let verifier = try PublicKeyVerifier(keys.map(\.publicKey))
        try write(keys[0], folder)
        let server = try RunningServer(
            folder.arguments + ["--fetch-interval", "60"],
            environment: ["ALLOT_SIGNING_KEY": folder.path("signing.pem")])
        #expect(server.lines.contains { $0.contains("signing key loaded") && $0.contains(keys[0].keyID) })
        #expect(!server.lines.contains { $0.contains("chmod") })
        #expect(try signerID(server, verifier) == keys[0].keyID)
        #expect(try server.get("/activeconfig/user/1").header("cache-control") == "private, max-age=60")

        try folder.replace("signing.pem", "no key")
        server.signal(SIGHUP)
        try server.waitForLine("signing key not replaced")
        #expect(server.lines.contains { $0.contains("there is no private key") })
        #expect(try signerID(server, verifier) == keys[0].keyID)

        try write(keys[1], folder)
        server.signal(SIGHUP)
        #expect(try server.waitForLine("signing key replaced").contains(keys[1].keyID))
        #expect(try signerID(server, verifier) == keys[1].keyID)
        server.signal(SIGHUP)
        try server.waitForLine("signing key unchanged")
        // The key itself is nowhere in the log.
        let secret = keys.flatMap { $0.privateKeyPEM.split(separator: "\n").dropFirst().dropLast() }
        #expect(!server.lines.contains { line in secret.contains { line.contains($0) } })
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
    }
}
