import TestSupport
import Testing

@testable import AllotCore

struct HashQueueTests {
    /// One after another, and each kind of lanes that this processor has for all groups, however few fill them.
    static let lanes: [HashQueue.Lanes] = {
        var lanes = [HashQueue.Lanes(), .available]
        if HashQueue.Lanes.available.fewestForFour != nil { lanes.append(HashQueue.Lanes(fewestForFour: 1)) }
        if HashQueue.Lanes.available.fewestForSixteen != nil { lanes.append(HashQueue.Lanes(fewestForSixteen: 1)) }
        if HashQueue.Lanes.available.fewestForThirtyTwo != nil { lanes.append(HashQueue.Lanes(fewestForThirtyTwo: 1)) }
        return lanes
    }()

    /// Hashed together or one by one, in one block or several, with blocks of earlier rounds in the queue.
    @Test(
        "Unit IDs that are hashed together get the buckets that each gets alone",
        arguments: ["e", "exp-checkout-button", String(repeating: "s", count: 64)], lanes)
    func agreesWithEachAlone(salt: String, lanes: HashQueue.Lanes) throws {
        let salted = SaltedHash(try #require(Salt(salt)))
        var random = SeededGenerator(seed: 7)
        var queue = HashQueue(capacity: 131, lanes: lanes)
        for count in [0, 1, 2, 8, 9, 15, 16, 17, 19, 20, 21, 31, 32, 33, 52, 131, 60, 7] {
            var (bytes, ranges): ([UInt8], [Range<Int>]) = ([], [])
            for index in 0..<count {
                let start = bytes.count
                for _ in 0..<Int.random(in: 0...(index % 2 == 0 ? 60 : 130), using: &random) {
                    bytes.append(UInt8.random(in: .min ... .max, using: &random))
                }
                ranges.append(start..<bytes.count)
            }
            queue.removeAll()
            queue.append(count, from: bytes.span, under: salted) { ranges[$0] }
            queue.hash()
            for index in 0..<count { #expect(queue[index] == salted.buckets(of: bytes.span.extracting(ranges[index]))) }
        }
    }

    @Test("Hashing together has the buckets of the golden vectors", arguments: lanes)
    func goldenVectors(lanes: HashQueue.Lanes) throws {
        let cases = try Vectors.load("bucketing")
        var queue = HashQueue(capacity: cases.count, lanes: lanes)
        for entry in cases {
            let unit = Array(try #require(entry.text("unit")).utf8)
            queue.append(unit.span, under: SaltedHash(try #require(entry.text("salt").flatMap(Salt.init))))
        }
        queue.hash()
        for (index, entry) in cases.enumerated() {
            #expect(queue[index].first == entry.integer("first"))
            #expect(queue[index].second == entry.integer("second"))
        }
    }

    @Test(
        "Filling arrays gives each unit ID its own buckets, whatever their number", arguments: [0, 1, 63, 64, 65, 200])
    func fillsArrays(count: Int) throws {
        let hash = SaltedHash(try #require(Salt("fill")))
        let units = (0..<count).map { "user-\($0)" }
        let bytes = units.flatMap { Array($0.utf8) }
        var ends: [Int] = []
        for unit in units { ends.append((ends.last ?? 0) + unit.utf8.count) }
        var firsts = [UInt32](repeating: .max, count: count + 1)
        var seconds = firsts
        Bucketing.fill(&firsts, &seconds, of: bytes.span, ends: ends.span, under: hash)
        for (index, unit) in units.enumerated() {
            let buckets = hash.buckets(of: unit)
            #expect(Int(firsts[index]) == buckets.first)
            #expect(Int(seconds[index]) == buckets.second)
        }
        // What follows is not touched.
        #expect(firsts.last == .max)
        #expect(seconds.last == .max)
    }
}
