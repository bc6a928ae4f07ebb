import AllotConfiguration
import AllotFiles
import AllotSigning
import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct KeyReadingTests {
    @Test("Generated keys can be read again", arguments: SignatureAlgorithm.allCases)
    func madeKeysAreReadAgain(algorithm: SignatureAlgorithm) throws {
        let key = try Samples.key(algorithm)
        #expect(key.algorithm == algorithm)
        let again = try SigningKey(pem: "Some words before.\r\n" + key.privateKeyPEM.replacing("\n", with: "\r\n"))
        #expect(again.publicKey == key.publicKey)
        #expect(try SigningKey(pem: "\u{FEFF}" + key.privateKeyPEM).publicKey == key.publicKey)
        #expect(try PublicKey(pem: key.publicKeyPEM) == key.publicKey)
        #expect(try PublicKey.keys(pem: "\u{FEFF}\(key.publicKeyPEM)\u{FEFF}\(key.publicKeyPEM)").count == 2)
        #expect(try key.privateKeyPEM != SigningKey.generate(algorithm).privateKeyPEM)
        #expect(try PublicKeyVerifier(pem: key.publicKeyPEM, key.publicKeyPEM).keys == [key.publicKey])
    }

    @Test("Private keys do not appear in logs")
    func keysStayOutOfLogs() throws {
        let key = try Samples.key(.es256)
        var text = "\(key)" + String(reflecting: key)
        dump(key, to: &text)
        #expect(text.contains(key.keyID))
        for line in key.privateKeyPEM.split(separator: "\n") { #expect(!text.contains(line)) }
    }

    @Test("Texts without keys are refused with a hint")
    func textsWithoutKeysAreRefused() throws {
        let key = try Samples.key(.es256)
        let pem = key.privateKeyPEM
        expectRefusal(.unusableKey, "no private key", "allot keys generate") { _ = try SigningKey(pem: "") }
        expectRefusal(.unusableKey, "PUBLIC KEY", "openssl pkey -pubout") { _ = try SigningKey(pem: key.publicKeyPEM) }
        expectRefusal(.unusableKey, "2 keys") { _ = try SigningKey(pem: pem + pem) }
        expectRefusal(.unusableKey, "cut off") { _ = try SigningKey(pem: String(pem.dropLast(30))) }
        expectRefusal(.unusableKey, "cut off") { _ = try SigningKey(pem: pem.replacing("\nM", with: "\n!")) }
        expectRefusal(.unusableKey, "no public key") { _ = try PublicKeyVerifier(pem: "") }
        expectRefusal(.unusableKey, "keep it secret") { _ = try PublicKeyVerifier(pem: pem) }
        expectRefusal(.unusableKey, "pin at least one") { _ = try PublicKeyVerifier([]) }
        expectRefusal(.unusableKey, "/none/key.pem", "cannot be read") {
            _ = try SigningKey(contentsOf: "/none/key.pem")
        }
        expectRefusal(.unusableKey, "cannot be read") { _ = try SigningKey(contentsOf: "/tmp") }
    }

    @Test("DER instead of PEM is refused with a hint")
    func bytesOfAKeyAreNoText() throws {
        let key = try Samples.key(.rs256)
        for (pem, command) in [
            (key.privateKeyPEM, "openssl pkey -inform DER"), (key.publicKeyPEM, "openssl pkey -pubin -inform DER"),
        ] {
            let text = String(
                decoding: try #require(try PEMBlock.blocks(in: pem, name: "key").first).bytes, as: UTF8.self)
            expectRefusal(.unusableKey, command) {
                if command.contains("pubin") {
                    _ = try PublicKeyVerifier(pem: text)
                } else {
                    _ = try SigningKey(pem: text)
                }
            }
        }
    }

    @Test("Pipes are only read if waiting is permitted")
    func pipesAreReadOnlyIfTheyMayBeWaitedFor() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("allot-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        expectRefusal(.unusableKey, "not a regular file") { _ = try SecretFile(keys: path, mayWait: false) }
        // With a reader the writer need not wait.
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        expectRefusal(.unusableKey, "not a regular file") { _ = try SecretFile(keys: path, mayWait: false) }
    }

    @Test("Two keys with one ID are refused")
    func twoKeysOfOneNameAreRefused() throws {
        let one = try PublicKey(pem: Samples.key(.es256).publicKeyPEM, keyID: "key")
        let other = try PublicKey(pem: Samples.key(.rs256).publicKeyPEM, keyID: "key")
        expectRefusal(.unusableKey, "\"key\"") { _ = try PublicKeyVerifier([one, other]) }
    }

    /// A point that is not on the curve is found when the key is pinned.
    @Test("A point that is not on the curve is refused")
    func pointBesideTheCurveIsRefused() throws {
        let block = try #require(try PEMBlock.blocks(in: Samples.key(.es256).publicKeyPEM, name: "key").first)
        var der = block.bytes
        der[der.count - 1] ^= 1
        let pem = "-----BEGIN PUBLIC KEY-----\n\(Data(der).base64EncodedString())\n-----END PUBLIC KEY-----"
        expectRefusal(.unusableKey, "damaged") { _ = try PublicKeyVerifier(pem: pem) }
    }

    /// Keys that OpenSSL makes, of no use here, and the words of their refusals.
    @Test(
        "Keys of other kinds are refused",
        .enabled(if: Tool.hasOpenSSL, "the command openssl is missing"),
        arguments: [
            ("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024", "1024 bits"),
            ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384", "neither RSA nor on the curve P-256"),
            ("genpkey -algorithm ED25519", "neither RSA nor on the curve P-256"),
            ("genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048", "neither RSA nor on the curve P-256"),
            ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes128 -pass pass:secret", "passphrase"),
            ("genrsa -traditional -aes128 -passout pass:secret 2048", "passphrase"),
            ("ecparam -name secp256k1 -genkey", "neither RSA nor on the curve P-256"),
        ])
    func otherKeysAreRefused(command: String, part: String) throws {
        let made = try Tool.openssl.run(command.split(separator: " ").map(String.init))
        try #require(made.status == 0)
        expectRefusal(.unusableKey, part) { _ = try SigningKey(pem: made.output) }
    }

    @Test(
        "Keys that OpenSSL writes can be read",
        .enabled(if: Tool.hasOpenSSL, "the command openssl is missing"),
        arguments: [
            "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072", "genrsa -traditional 2048",
            "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256", "ecparam -name prime256v1 -genkey",
        ])
    func keysOfOpenSSLAreRead(command: String) throws {
        let made = try Tool.openssl.run(command.split(separator: " ").map(String.init))
        try #require(made.status == 0)
        let key = try SigningKey(pem: made.output)
        try PublicKeyVerifier(pem: key.publicKeyPEM).verify(try key.sign([1]), payload: [1])
    }
}
