/// A set of Unicode scalars, as ascending ranges with gaps between them and without surrogates.
struct ScalarSet: Hashable, Sendable {
    let ranges: [ClosedRange<UInt32>]

    /// The union of ranges, which may overlap and be in any order. Surrogates are removed, because no text has them.
    init(_ ranges: [ClosedRange<UInt32>]) {
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

    init(_ scalar: Unicode.Scalar) {
        self.init([scalar.value...scalar.value])
    }

    /// The scalars of a range of numbers.
    private static func scalars(of range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
        [0...0xd7ff, 0xe000...0x10_ffff].filter(range.overlaps).map(range.clamped)
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// Complexity: O(ranges).
    func contains(_ scalar: UInt32) -> Bool {
        ranges.contains { $0.contains(scalar) }
    }

    /// All scalars that are not in the set.
    var complement: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if next < range.lowerBound { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10_ffff { gaps.append(next...0x10_ffff) }
        return ScalarSet(gaps)
    }

    func union(_ other: ScalarSet) -> ScalarSet {
        ScalarSet(ranges + other.ranges)
    }

    func intersection(_ other: ScalarSet) -> ScalarSet {
        complement.union(other.complement).complement
    }

    func subtracting(_ other: ScalarSet) -> ScalarSet {
        intersection(other.complement)
    }

    func isDisjoint(from other: ScalarSet) -> Bool {
        intersection(other).isEmpty
    }

    /// The scalars one by one, ascending.
    var scalars: [Unicode.Scalar] {
        ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
    }
}

extension ScalarSet {
    static let all = ScalarSet([0...0x10_ffff])
    static let ascii = ScalarSet([0...0x7f])
    static let alphanumeric = ScalarSet([0x30...0x39, 0x41...0x5a, 0x61...0x7a])
    /// The scalars of words for word boundaries, which support only ASCII, whatever the flags.
    static let word = ScalarSet([0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
    static let newline = ScalarSet("\n")

    /// The classes of Perl's escapes by their lower-case letter. In RE2 they are ASCII, and `\s` has no vertical tab.
    static let perl: [Unicode.Scalar: ScalarSet] = [
        "d": ScalarSet([0x30...0x39]),
        "s": ScalarSet([0x09...0x0a, 0x0c...0x0d, 0x20...0x20]),
        "w": word,
    ]

    /// The classes with names in brackets, as in `[[:alpha:]]`.
    static let named: [String: ScalarSet] = [
        "alnum": alphanumeric,
        "alpha": ScalarSet([0x41...0x5a, 0x61...0x7a]),
        "ascii": ascii,
        "blank": ScalarSet([0x09...0x09, 0x20...0x20]),
        "cntrl": ScalarSet([0x00...0x1f, 0x7f...0x7f]),
        "digit": ScalarSet([0x30...0x39]),
        "graph": ScalarSet([0x21...0x7e]),
        "lower": ScalarSet([0x61...0x7a]),
        "print": ScalarSet([0x20...0x7e]),
        "punct": ScalarSet([0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e]),
        "space": ScalarSet([0x09...0x0d, 0x20...0x20]),
        "upper": ScalarSet([0x41...0x5a]),
        "word": word,
        "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66]),
    ]
}
