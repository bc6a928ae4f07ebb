import TestSupport
import Testing

@testable import AllotCore

struct ShareTests {
    @Test(
        "Percentages are read as exact numbers of buckets",
        arguments: [
            ("0%", 0), ("100%", 1_000_000), ("1%", 10_000), ("33.3333%", 333_333), ("0.0001%", 1), ("12.5%", 125_000),
            ("12.5000%", 125_000),
        ])
    func percentages(text: String, buckets: Int) {
        #expect(Percentage.parse(text) == buckets)
    }

    @Test(
        "Text outside the form of percentages is rejected",
        arguments: [
            "", "%", "1", "1 %", " 1%", "-1%", "-0%", "+1%", "100.0001%", "101%", "1.00000%", "1e1%", ".5%", "5.%",
            "05%",
            "1,5%",
            "NaN%", "1%%",
        ])
    func invalidPercentages(text: String) {
        #expect(Percentage.parse(text) == nil)
    }

    @Test(
        "The fix for a number or text names what it can stand for, and both where it may be a share of 1",
        arguments: [
            ("50", "write 50% if that is meant, 100% being everyone"), ("1.5", "write 1.5% if that is meant"),
            ("0", "write 0% if that is meant"), ("0.5", "write 50% or 0.5%, whichever is meant"),
            ("1", "write 100% or 1%, whichever is meant"), ("0.03", "write 3% or 0.03%, whichever is meant"),
            (".5", "write 50% or 0.5%, whichever is meant"), ("0.000005", "write 0.0005% if that is meant"),
            ("5 %", "write 5%"), ("+5%", "write 5%"), ("05%", "write 5%"), ("12,5%", "write 12.5%"),
            (".5%", "write 0.5%"), ("0,5", "write 50% or 0.5%, whichever is meant"),
            ("1,000%", Percentage.form), ("150", Percentage.form), ("-5%", Percentage.form), ("1e1%", Percentage.form),
            ("half", Percentage.form), ("%", Percentage.form), ("", Percentage.form), ("100.0001%", Percentage.form),
        ])
    func fixes(text: String, fix: String) {
        #expect(Percentage.fix(for: text).hasPrefix(fix))
    }

    @Test(
        "A percentage is read as the number of buckets that it was written from",
        arguments: [0, 1, 10, 9_999, 10_000, 125_000, 333_333, 999_999, 1_000_000])
    func percentagesAreWrittenAsTheyAreRead(buckets: Int) {
        #expect(Percentage.parse(Percentage.text(ofBuckets: buckets)) == buckets)
    }

    @Test(
        "Ranges are read in buckets or in percent",
        arguments: [
            ("0..<200000", 0..<200_000), ("0%..<20%", 0..<200_000), ("999999..<1000000", 999_999..<1_000_000),
            ("33.3333%..<100%", 333_333..<1_000_000),
        ])
    func ranges(text: String, range: Range<Int>) {
        #expect(BucketRange.parse(text) == range)
    }

    @Test(
        "Text outside the form of ranges is rejected",
        arguments: [
            "", "0", "0..200", "0...200", "5..<5", "6..<5", "0%..<0%", "0..<20%", "0%..<20", "-1..<5", "0..<1000001",
            "0..<101%",
            "a..<b", "0 ..< 5", "0..<5..<6", "..<5", "0..<", "0..<99999999999999999999",
        ])
    func invalidRanges(text: String) {
        #expect(BucketRange.parse(text) == nil)
    }

    @Test("Bucket sets join and intersect ranges as sets of numbers do", arguments: 0..<100)
    func rangeArithmeticAgreesWithSets(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func ranges() -> [Range<Int>] {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let start = Int.random(in: 0..<40, using: &random)
                return start..<start + Int.random(in: 0...6, using: &random)
            }
        }
        let (left, right) = (ranges(), ranges())
        let (leftSet, rightSet) = (Set(left.joined()), Set(right.joined()))
        let (first, second) = (BucketSet(left), BucketSet(right))
        #expect(Array(first.ranges.joined()) == leftSet.sorted())
        #expect(zip(first.ranges, first.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        #expect(Array(first.intersection(second).ranges.joined()) == leftSet.intersection(rightSet).sorted())
    }

    @Test("Weights divide all buckets in proportion", arguments: 0..<100)
    func weightsTileAllBucketsInProportion(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let weights = (0..<Int.random(in: 1...9, using: &random)).map { _ in
            UInt64.random(in: 0...5_000_000, using: &random)
        }
        let total = weights.reduce(0, +)
        guard total > 0 else { return }
        let ranges = try #require(Weights.ranges(millionths: weights))
        #expect(ranges.first?.lowerBound == 0)
        #expect(ranges.last?.upperBound == 1_000_000)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        for (range, weight) in zip(ranges, weights) {
            let exact: Double = Double(weight) * 1e6 / Double(total)
            #expect(abs(Double(range.count) - exact) <= 1)
        }
    }
}
