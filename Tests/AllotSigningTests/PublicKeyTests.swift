import AllotClient
import AllotConfiguration
import AllotSigning
import Foundation
import TestSupport
import Testing

/// Public keys are read with libcrypto, and by the places of their numbers on Apple's platforms.
struct PublicKeyTests {
    enum Reader: CaseIterable {
        case libcrypto, places

        func numbers(_ der: [UInt8]) throws(SignatureError) -> PublicKeyNumbers {
            switch self {
            case .libcrypto: try PublicKey(pem: PublicKeyTests.text(der)).numbers
            case .places: try PublicKeyNumbers(der: der, name: "key")
            }
        }
    }

    private static func text(_ der: [UInt8]) -> String {
        "-----BEGIN PUBLIC KEY-----\n\(Data(der).base64EncodedString())\n-----END PUBLIC KEY-----"
    }

    /// The key of RFC 7515, appendix A.3.
    private static let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----

        """

    private static func p256() throws -> [UInt8] {
        try #require(try PEMBlock.publicKeys(in: pem, name: "key").first)
    }

    @Test("The point of a key is read as in the standard", arguments: Reader.allCases)
    func pointIsThatOfTheStandard(reader: Reader) throws {
        let key = try reader.numbers(Self.p256())
        let x = try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".utf8))
        let y = try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".utf8))
        #expect(key == .p256(x: x, y: y))
        #expect(key.algorithm == .es256)
        #expect(
            String(decoding: key.thumbprintInput, as: UTF8.self)
                == #"{"crv":"P-256","kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
                + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#)
    }

    @Test("A key is written as it was read", arguments: [pem, StandardKeys.thumbprintRSA + "\n"])
    func keysAreWrittenAsRead(pem: String) throws {
        #expect(try PublicKey(pem: pem).pem == pem)
    }

    @Test("A text can contain several keys")
    func severalKeysOfOneText() throws {
        #expect(try PublicKey.keys(pem: Self.pem + "\n\n# the next one\n" + Self.pem, name: "key").count == 2)
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
        expectRefusal(.unusableKey, "pinned.pem: ", part) { _ = try PublicKey.keys(pem: text, name: "pinned.pem") }
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        return [tag] + (count < 128 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 255)]) + content
    }

    private static let modulus: [UInt8] = [0, 0x80] + [UInt8](repeating: 1, count: 255)
    private static let rsaEncryption: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]

    /// An RSA key of 2048 bits, or of parts that are wrong.
    private static func rsa(
        _ modulus: [UInt8] = PublicKeyTests.modulus, exponent: [UInt8] = [3], parameters: [UInt8] = [5, 0],
        after: [UInt8] = []
    ) -> [UInt8] {
        let key = element(0x30, element(2, modulus) + element(2, exponent)) + after
        return element(0x30, element(0x30, rsaEncryption + parameters) + element(3, [0] + key))
    }

    @Test(
        "Odd exponents from 3 to 64 bits are accepted",
        arguments: [[3], [1, 0, 1], [0x7F] + [UInt8](repeating: 0xFF, count: 7), [0, 0xFF, 0, 0, 0, 0, 0, 0, 1]],
        Reader.allCases)
    func exponentsAreTaken(exponent: [UInt8], reader: Reader) throws {
        let numbers = PublicKeyNumbers.rsa(
            modulus: Array(Self.modulus.dropFirst()), exponent: Array(exponent.drop { $0 == 0 }))
        #expect(try reader.numbers(Self.rsa(exponent: exponent)) == numbers)
    }

    @Test(
        "Other exponents are refused", arguments: [[1], [2], [1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 1]], Reader.allCases)
    func exponentsAreRefused(exponent: [UInt8], reader: Reader) {
        expectRefusal(.unusableKey, "exponent") { _ = try reader.numbers(Self.rsa(exponent: exponent)) }
    }

    @Test("RSA keys of other sizes are refused with their size", arguments: [2047, 16385], Reader.allCases)
    func otherSizesAreRefused(bits: Int, reader: Reader) {
        let modulus: [UInt8] = [1 << UInt8((bits - 1) % 8)] + [UInt8](repeating: 1, count: (bits - 1) / 8)
        expectRefusal(.unusableKey, "\(bits) bits") { _ = try reader.numbers(Self.rsa(modulus)) }
    }

    /// libcrypto reads most of them.
    @Test("Keys in any other form than strict DER are refused", arguments: Reader.allCases)
    func otherFormsAreRefused(reader: Reader) throws {
        let (point, rsa) = (try Self.p256(), Self.rsa())
        let (algorithm, x, sign) = (Array(point[2..<23]), Array(point[27..<59]), point[90] & 1)
        var (unusedBits, hybrid, otherTag) = (point, point, point)
        unusedBits[25] = 1
        hybrid[26] = 6 | sign
        otherTag[0] = 0x31
        let longLength: [UInt8] = [0x30, 0x81] + point[1...]
        let noLength: [UInt8] = [0x30, 0x80] + point[2...] + [0, 0]
        let forms: [(name: String, der: [UInt8])] = [
            ("a byte after a point", point + [0]), ("a byte after an RSA key", rsa + [0]),
            ("a long length", longLength), ("no length", noLength), ("unused bits", unusedBits),
            ("another tag", otherTag), ("a hybrid point", hybrid),
            ("a compressed point", Self.element(0x30, algorithm + Self.element(3, [0, 2 | sign] + x))),
            ("infinity", Self.element(0x30, algorithm + [3, 2, 0, 0])),
            ("a negative modulus", Self.rsa(Array(Self.modulus.dropFirst()))),
            ("a modulus with zeros", Self.rsa([0] + Self.modulus)), ("no modulus", Self.rsa([])),
            ("a negative exponent", Self.rsa(exponent: [0x83])),
            ("an exponent with zeros", Self.rsa(exponent: [0, 3])),
            ("an exponent of zero", Self.rsa(exponent: [0])), ("no exponent", Self.rsa(exponent: [])),
            ("a byte after the numbers", Self.rsa(after: [0])), ("other parameters", Self.rsa(parameters: [6, 1, 1])),
            ("two parameters", Self.rsa(parameters: [5, 0, 5, 0])), ("no parameters", Self.rsa(parameters: [])),
            ("a large key", Self.element(0x30, [UInt8](repeating: 0xFF, count: 60_000))),
        ]
        for (name, der) in forms {
            #expect(throws: SignatureError.self, "\(name)") { try reader.numbers(der) }
        }
    }

    /// Whatever is damaged, nothing traps, and both readers read the same.
    @Test("A damaged key is refused or unchanged", arguments: 0..<10)
    func damageIsRefusedOrHarmless(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        for der in [try Self.p256(), Self.rsa()] {
            for reader in Reader.allCases {
                let count = Int.random(in: der.indices, using: &random)
                #expect(throws: SignatureError.self) { try reader.numbers(Array(der.prefix(count))) }
            }
            for _ in 0..<50 {
                var damaged = der
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                let numbers = try? Reader.places.numbers(damaged)
                // Only libcrypto knows which points are on the curve.
                if let key = try? Reader.libcrypto.numbers(damaged) { #expect(key == numbers) }
                if case .rsa? = numbers { #expect(throws: Never.self) { try Reader.libcrypto.numbers(damaged) } }
            }
        }
    }
}
