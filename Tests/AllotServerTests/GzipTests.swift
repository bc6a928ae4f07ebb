import AllotServing
import TestSupport
import Testing

struct GzipTests {
    private func bytes(_ count: Int, of kinds: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: Int.random(in: 0..<kinds, using: &generator)) }
    }

    @Test("Every body comes back", arguments: [1, 2, 5, 64, 256])
    func bodiesComeBack(kinds: Int) throws {
        var generator = SeededGenerator(seed: kinds)
        for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 100, 257, 258, 259, 262, 1000, 33_000, 200_000] {
            let body = bytes(count, of: kinds, &generator)
            #expect(try Gunzip.bytes(GzipEncoder.encode(body)) == body, "\(count) bytes")
        }
    }

    @Test("The compressed bytes depend on the body alone, on every thread")
    func bytesDependOnTheBody() async {
        var generator = SeededGenerator(seed: 1)
        let bodies = [1, 4, 16, 64, 256].map { bytes(4000, of: $0, &generator) }
        let alone = bodies.map { GzipEncoder.encode($0) }
        await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 { group.addTask { bodies.map { GzipEncoder.encode($0) } } }
            for await together in group { #expect(together == alone) }
        }
    }
}
