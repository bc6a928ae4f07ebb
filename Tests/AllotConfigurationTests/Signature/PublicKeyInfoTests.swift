import AllotConfiguration
import TestSupport
import Testing

/// Public keys are read without libcrypto, as on Apple's platforms.
struct PublicKeyInfoTests {
    /// The key of RFC 7515, appendix A.3.
    private static let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """

    @Test("The point of a key is read as in the standard")
    func pointIsThatOfTheStandard() throws {
        let key = try #require(try PublicKeyInfo.keys(pem: Self.pem, name: "key").first)
        let x = try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".utf8))
        let y = try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".utf8))
        #expect(key.numbers == .p256(x: x, y: y))
        #expect(key.keyBytes == [4] + x + y)
        #expect(key.algorithm == .es256)
        #expect(
            String(decoding: key.thumbprintInput, as: UTF8.self)
                == #"{"crv":"P-256","kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
                + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#)
    }

    @Test("A text can contain several keys")
    func severalKeysOfOneText() throws {
        #expect(try PublicKeyInfo.keys(pem: Self.pem + "\n\n# the next one\n" + Self.pem, name: "key").count == 2)
    }

    @Test(
        "Other texts are refused with a hint",
        arguments: [
            ("", "no public key"), ("no key", "no public key"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "openssl x509"),
            ("-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----", "RSAPublicKey_in"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "keep it secret"),
            ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "not a public key"),
            ("-----BEGIN PUBLIC KEY-----\nAAA\n-----END PUBLIC KEY-----", "cut off"),
            ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PRIVATE KEY-----", "cut off"),
            ("-----BEGIN PUBLIC KEY-----\nAAAA", "cut off"),
            ("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", "cut off"),
        ])
    func otherTextsAreRefused(text: String, part: String) {
        #expect {
            _ = try PublicKeyInfo.keys(pem: text, name: "pinned.pem")
        } throws: { error in
            (error as? SignatureError).map { $0.code == .unusableKey && $0.message.hasPrefix("pinned.pem: ") } == true
                && "\(error)".contains(part)
        }
    }

    /// An RSA key of 2048 bits with an exponent of these bytes.
    private static func rsaKey(exponent: [UInt8]) -> [UInt8] {
        func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            let count = content.count
            return [tag] + (count < 128 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 255)]) + content
        }
        let modulus = element(2, [0, 0x80] + [UInt8](repeating: 1, count: 255))
        let key = element(0x30, modulus + element(2, exponent))
        let algorithm = element(0x30, [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 5, 0])
        return element(0x30, algorithm + element(3, [0] + key))
    }

    @Test(
        "Odd exponents from 3 to 64 bits are accepted",
        arguments: [[3], [1, 0, 1], [0x7F] + [UInt8](repeating: 0xFF, count: 7), [0, 0xFF, 0, 0, 0, 0, 0, 0, 1]])
    func exponentsAreTaken(exponent: [UInt8]) throws {
        #expect(try PublicKeyInfo(der: Self.rsaKey(exponent: exponent), name: "key").algorithm == .rs256)
    }

    @Test("Other exponents are refused", arguments: [[1], [2], [1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 1]])
    func exponentsAreRefused(exponent: [UInt8]) {
        #expect {
            _ = try PublicKeyInfo(der: Self.rsaKey(exponent: exponent), name: "key")
        } throws: {
            "\($0)".contains("exponent")
        }
    }

    /// Whatever is damaged, nothing traps, and what is read was read whole.
    @Test("A damaged key is refused or unchanged", arguments: 0..<20)
    func damageIsRefusedOrHarmless(seed: Int) throws {
        let der = try #require(try PublicKeyInfo.keys(pem: Self.pem, name: "key").first).der
        for count in 0..<der.count {
            #expect(throws: SignatureError.self) { try PublicKeyInfo(der: Array(der.prefix(count)), name: "key") }
        }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var damaged = der
            damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            if let key = try? PublicKeyInfo(der: damaged, name: "key") { #expect(key.keyBytes.count == 65) }
        }
    }
}
