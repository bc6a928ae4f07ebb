/// A set of Unicode scalars, as ascending ranges with gaps between them and without surrogates.
package struct ScalarSet: Hashable, Sendable {
    package let ranges: [ClosedRange<UInt32>]

    /// The union of ranges, which may overlap and be in any order. Surrogates are removed, because no text has them.
    package init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.flatMap(Self.scalars).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    package init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

    private static func scalars(of range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
        [0...0xd7ff, 0xe000...0x10_ffff].filter(range.overlaps).map(range.clamped)
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// The only member; `nil` if there are none or several.
    package var only: Unicode.Scalar? {
        guard ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
        return Unicode.Scalar(range.lowerBound)
    }

    /// Complexity: O(ranges).
    func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }

    package var complement: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if next < range.lowerBound { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10_ffff { gaps.append(next...0x10_ffff) }
        return ScalarSet(gaps)
    }

    func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }
    func intersection(_ other: ScalarSet) -> ScalarSet { complement.union(other.complement).complement }
    func isDisjoint(from other: ScalarSet) -> Bool { intersection(other).isEmpty }
}

extension ScalarSet {
    package static let all = ScalarSet([0...0x10_ffff])
    static let ascii = ScalarSet([0...0x7f])
    static let digits = ScalarSet([0x30...0x39])
    static let letters = ScalarSet([0x41...0x5a, 0x61...0x7a])
    /// The letters, digits and `_` of ASCII.
    package static let word = ScalarSet([0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
    static let newline = ScalarSet("\n")
}
