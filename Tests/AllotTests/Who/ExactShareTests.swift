import TestSupport
import Testing

@testable import AllotCore

struct ExactShareTests {
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

    @Test(
        "A percentage never looks like nothing or everything unless it is",
        arguments: [
            (ExactShare(buckets: 125_000), "12.5%"), (.none, "0%"), (.all, "100%"),
            (ExactShare(buckets: 1).of(buckets: 499_999), "<0.0001%"),
            (ExactShare(buckets: 1).of(buckets: 500_000), "0.0001%"),
            (ExactShare(buckets: 333_333).of(buckets: 500_000), "16.6667%"),
            (ExactShare(buckets: 1, resolution: 3), "33.3333%"), (ExactShare(buckets: 2, resolution: 3), "66.6667%"),
        ] as [(ExactShare, String)])
    func percentages(share: ExactShare, text: String) {
        #expect(share.description == text)
    }

    @Test("Shares of other numbers of buckets are exact fractions")
    func sharesOfOtherResolutionsAreExact() {
        let third = ExactShare(buckets: 1, resolution: 3)
        #expect(third + third + third == .all)
        #expect(third.of(buckets: 3_000, resolution: 10_000) == ExactShare(buckets: 100_000))
        #expect(third.decimalText == "0." + String(repeating: "3", count: 40))
        #expect(ExactShare(buckets: 1, resolution: 8).decimalText == "0.125")
        #expect(ExactShare(buckets: 333_333) < third && third < ExactShare(buckets: 333_334))
    }

    @Test("Shares of 60 bits keep every digit, and a product of many of them too")
    func sharesOfManyBitsKeepEveryDigit() {
        let step = ExactShare(buckets: 1, resolution: 1 << 60)
        #expect(step.decimalText == "0.000000000000000000867361737988403547205962240695953369140625")
        let eight = (0..<8).reduce(ExactShare.all) { share, _ in share.of(buckets: (1 << 60) - 1, resolution: 1 << 60) }
        #expect(eight < .all)
        #expect(eight.description == ">99.9999%")
        #expect(eight.value == 1)
        let rest = ExactShare.all - eight
        #expect(rest + eight == .all)
        #expect(rest.description == "<0.0001%")
    }

    /// Against fractions of integers of 128 bits.
    @Test("Fractions agree with whole numbers", arguments: 0..<100)
    func fractionsAgreeWithIntegers(seed: Int) {
        var random = SeededGenerator(seed: seed)
        func sample() -> (share: ExactShare, above: UInt128, below: UInt128) {
            let resolutions = (0..<2).map { _ in [3, 7, 100, 1000, 1 << 14][Int.random(in: 0..<5, using: &random)] }
            let counts = resolutions.map { Int.random(in: 0...$0, using: &random) }
            let share = zip(counts, resolutions).reduce(ExactShare.all) { $0.of(buckets: $1.0, resolution: $1.1) }
            return (share, UInt128(counts[0] * counts[1]), UInt128(resolutions[0] * resolutions[1]))
        }
        let (left, right) = (sample(), sample())
        let (leftPart, rightPart) = (left.above * right.below, right.above * left.below)
        #expect((left.share == right.share) == (leftPart == rightPart))
        #expect((left.share < right.share) == (leftPart < rightPart))
        let whole = left.below * right.below
        #expect(left.share + right.share == ExactShare(buckets: Int(leftPart + rightPart), resolution: Int(whole)))
        let (high, low) = leftPart < rightPart ? (right.share, left.share) : (left.share, right.share)
        #expect((high - low) + low == high)
        #expect(abs(left.share.value - Double(left.above) / Double(left.below)) <= 1e-16)
    }
}
