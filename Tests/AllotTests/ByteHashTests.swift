import TestSupport
import Testing

@testable import AllotCore

struct ByteHashTests {
    private func hash(_ bytes: [UInt8]) -> UInt64 { ByteHash.hash(bytes.span) }

    /// Any two of *n* texts collide with a probability of *n*² / 2⁶⁵: 2.4e-9 for 300,000.
    @Test("Many similar texts have different hashes")
    func manySimilarUnitsDoNotCollide() {
        var seen: Set<UInt64> = []
        for number in 0..<300_000 { seen.insert(hash(Array("user-\(number)".utf8))) }
        #expect(seen.count == 300_000)
    }

    @Test("Zeros of different lengths have different hashes")
    func zerosOfEveryLengthDiffer() {
        let hashes = (0...300).map { hash(Array(repeating: 0, count: $0)) }
        #expect(Set(hashes).count == hashes.count)
    }

    /// Each bit of a text changes each bit of the hash in about half of all texts: within 6 standard deviations, for
    /// 64 bits × 40 bytes × 8 bits at once.
    @Test("Every bit of a text changes its hash", arguments: [1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 36, 40])
    func everyBitCounts(length: Int) {
        var generator = SeededGenerator(seed: length)
        let rounds = 200
        for bit in 0..<length * 8 {
            var changes = Array(repeating: 0, count: 64)
            for _ in 0..<rounds {
                var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let before = hash(bytes)
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                let difference = before ^ hash(bytes)
                for position in 0..<64 where difference >> UInt64(position) & 1 == 1 { changes[position] += 1 }
            }
            #expect((changes.min() ?? 0) > 55)
            #expect((changes.max() ?? 0) < 145)
        }
    }
}
