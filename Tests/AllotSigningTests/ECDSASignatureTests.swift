import AllotSigning
import TestSupport
import Testing

struct ECDSASignatureTests {
    private static func number(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }

    /// By the rules of X.690 for numbers: as short as can be, and a zero before a high bit.
    @Test(
        "Signatures with small numbers convert to DER",
        arguments: [
            ([], [], [0x30, 6, 2, 1, 0, 2, 1, 0]), ([1], [0x7F], [0x30, 6, 2, 1, 1, 2, 1, 0x7F]),
            ([0x80], [1, 0], [0x30, 8, 2, 2, 0, 0x80, 2, 2, 1, 0]),
        ] as [([UInt8], [UInt8], [UInt8])])
    func smallNumbers(first: [UInt8], second: [UInt8], der: [UInt8]) {
        let raw = Self.number(first) + Self.number(second)
        #expect(ECDSASignature.der(raw: raw) == der)
        #expect(ECDSASignature.raw(der: der) == raw)
    }

    @Test("Signatures convert to DER and back", arguments: 0..<50)
    func bothWays(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let raw = (0..<64).map { index in
            index % 32 < seed % 5 ? 0 : UInt8.random(in: 0...255, using: &random)
        }
        let der = try #require(ECDSASignature.der(raw: raw))
        #expect(ECDSASignature.raw(der: der) == raw)
        for count in 0..<der.count { #expect(ECDSASignature.raw(der: Array(der.prefix(count))) == nil) }
        #expect(ECDSASignature.raw(der: der + [0]) == nil)
    }

    @Test(
        "Anything other than the strict form is refused",
        arguments: [
            [0x30, 6, 2, 1, 0x80, 2, 1, 1],  // negative
            [0x30, 7, 2, 2, 0, 1, 2, 1, 1],  // longer than need be
            [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1],  // a long length
            [0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0],  // BER without a length
            [0x30, 3, 2, 1, 1], [0x30, 9, 2, 1, 1, 2, 1, 1, 2, 1, 1], [0x31, 6, 2, 1, 1, 2, 1, 1],
            [0x30, 5, 2, 0, 2, 1, 1],
            [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88, 1, 1, 1, 1, 1, 1, 1, 1], [],
        ] as [[UInt8]])
    func anythingElseIsRefused(der: [UInt8]) {
        #expect(ECDSASignature.raw(der: der) == nil)
    }

    @Test("Other lengths are refused")
    func otherLengthsAreRefused() {
        for count in [0, 63, 65, 96] { #expect(ECDSASignature.der(raw: [UInt8](repeating: 1, count: count)) == nil) }
        let long = [UInt8](repeating: 1, count: 33)
        #expect(ECDSASignature.raw(der: [0x30, 38, 2, 33] + long + [2, 1, 1]) == nil)
    }
}
