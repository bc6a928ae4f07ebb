import TestSupport
import Testing

@testable import AllotAnalysis

@Suite struct ExactShareTests {
    @Test("Products keep every digit")
    func productsKeepEveryDigit() {
        let third = ExactShare(buckets: 333_333)
        #expect(third.of(buckets: 333_333).decimalText == "0.111110888889")
        #expect(ExactShare.all.of(buckets: 1).of(buckets: 1).of(buckets: 1).decimalText == "0.000000000000000001")
        #expect(ExactShare.all.of(buckets: 1_000_000) == .all)
        #expect(ExactShare.all.of(buckets: 0) == .none)
        #expect(ExactShare(buckets: 250_000).of(buckets: 500_000).decimalText == "0.125")
    }

    /// Against integers of 128 bits, which hold six factors of a million.
    @Test("Shares agree with whole numbers", arguments: 0..<200)
    func agreesWithIntegers(seed: Int) {
        var random = SeededGenerator(seed: seed)
        func sample() -> (share: ExactShare, integer: UInt128) {
            let factors = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                Int.random(in: 0...1_000_000, using: &random)
            }
            var integer: UInt128 = 1
            for factor in factors + Array(repeating: 1_000_000, count: 3 - factors.count) { integer *= UInt128(factor) }
            return (factors.reduce(.all) { $0.of(buckets: $1) }, integer)
        }
        func text(_ integer: UInt128) -> String {
            let whole: UInt128 = 1_000_000_000_000_000_000
            var digits = String(String(whole + integer % whole).dropFirst())
            while digits.hasSuffix("0") { digits.removeLast() }
            return digits.isEmpty ? "\(integer / whole)" : "\(integer / whole).\(digits)"
        }
        let (left, right) = (sample(), sample())
        #expect(left.share.decimalText == text(left.integer))
        #expect((left.share + right.share).decimalText == text(left.integer + right.integer))
        #expect((left.share < right.share) == (left.integer < right.integer))
        let (low, high) = left.integer < right.integer ? (left, right) : (right, left)
        #expect((high.share - low.share).decimalText == text(high.integer - low.integer))
        #expect(abs(left.share.value - Double(left.integer) / 1e18) < 1e-15)
    }

    @Test("A percentage never looks like nothing or everything unless it is")
    func percentagesNeverLookLikeNothingOrAll() {
        #expect(ExactShare(buckets: 125_000).description == "12.5%")
        #expect(ExactShare.none.description == "0%")
        #expect(ExactShare.all.description == "100%")
        #expect(ExactShare(buckets: 1).of(buckets: 499_999).description == "<0.0001%")
        #expect(ExactShare(buckets: 1).of(buckets: 500_000).description == "0.0001%")
        #expect((ExactShare.all - ExactShare(buckets: 1).of(buckets: 1)).description == ">99.9999%")
        #expect(ExactShare(buckets: 333_333).of(buckets: 500_000).description == "16.6667%")
    }
}
