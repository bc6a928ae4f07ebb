import TestSupport
import Testing

@testable import AllotBatch

@Suite struct ArrayCSVTests {
    @Test(
        "Quotes what needs it",
        arguments: [
            ("", ""), ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
            ("\r", "\"\r\""),
        ])
    func quotesWhatNeedsIt(text: String, field: String) {
        var bytes: [UInt8] = []
        bytes.appendCSV(text)
        #expect(String(decoding: bytes, as: UTF8.self) == field)
    }
}

@Suite struct LineFeedTests {
    @Test("Counts like AL oop", arguments: 0..<20)
    func countsLikeALoop(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0...3000, using: &generator)).map { _ in
            UInt8.random(in: 9...11, using: &generator)
        }
        #expect(LineFeeds.count(in: bytes.span) == bytes.count { $0 == 10 })
    }
}
