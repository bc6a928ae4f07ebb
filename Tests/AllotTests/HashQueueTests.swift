import TestSupport
import Testing

@testable import Allot

@Suite struct HashQueueTests {
    /// Hashed together or one by one, in one block or several, with blocks of earlier rounds in the queue.
    @Test(
        "Hashing many unit IDs together has the result of single hashes",
        arguments: ["e", "exp-checkout-button", String(repeating: "s", count: 64)], Set([false, HashQueue.hasLanes]))
    func agreesWithSingleHashes(salt: String, usesLanes: Bool) throws {
        let salted = SaltedHash(try #require(Salt(salt)))
        var random = SeededGenerator(seed: 7)
        var queue = HashQueue(capacity: 131, usesLanes: usesLanes)
        for _ in 0..<20 {
            let count = Int.random(in: 0...131, using: &random)
            var (bytes, ranges): ([UInt8], [Range<Int>]) = ([], [])
            for _ in 0..<count {
                let start = bytes.count
                for _ in 0..<Int.random(in: 0...130, using: &random) {
                    bytes.append(UInt8.random(in: .min ... .max, using: &random))
                }
                ranges.append(start..<bytes.count)
            }
            queue.removeAll()
            queue.append(count, from: bytes.span, under: salted) { ranges[$0] }
            queue.hash()
            for index in 0..<count {
                #expect(queue[index] == salted.buckets(of: bytes.span.extracting(ranges[index])))
            }
        }
    }
}
