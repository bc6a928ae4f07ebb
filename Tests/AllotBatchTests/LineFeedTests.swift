import TestSupport
import Testing

@testable import AllotBatch

struct LineFeedTests {
    @Test("Line feeds are counted as by a simple loop", arguments: 0..<20)
    func countsLikeALoop(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0...3000, using: &generator)).map { _ in
            UInt8.random(in: 9...11, using: &generator)
        }
        let count = bytes.count { $0 == 10 }
        #expect(LineFeeds.count(in: bytes.span) == count)
        #expect(LineFeeds.count(in: bytes.span, isWide: false) == count)
    }
}
