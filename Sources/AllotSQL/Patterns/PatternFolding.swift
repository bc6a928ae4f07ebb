import Allot

/// Adds the scalars to a set that differ from its members only in case.
///
/// For ASCII there is a rule. For other scalars RE2 itself is queried, because Unicode's tables change with versions.
struct PatternFolding {
    private var known: [ScalarSet: ScalarSet] = [:]

    /// The blocks of Unicode that have letters with case. They contain all letters with case of RE2.
    static let lettersWithCase = ScalarSet([
        0x0041...0x058f, 0x10a0...0x10ff, 0x13a0...0x13ff, 0x1c80...0x1cbf, 0x1d00...0x1dbf, 0x1e00...0x1fff,
        0x2100...0x218f, 0x24b6...0x24e9, 0x2c00...0x2d2f, 0xa640...0xa7ff, 0xab30...0xabbf, 0xfb00...0xfb17,
        0xff21...0xff5a, 0x1_0400...0x1_05ff, 0x1_0c80...0x1_0cff, 0x1_0d50...0x1_0d8f, 0x1_18a0...0x1_18df,
        0x1_6e40...0x1_6edf, 0x1_e900...0x1_e943,
    ])

    mutating func folded(_ set: ScalarSet) throws(Unsupported) -> ScalarSet {
        if let folded = known[set] { return folded }
        let letters = set.intersection(Self.lettersWithCase)
        let foreign = letters.subtracting(.ascii)
        var folded = set.union(ScalarSet(letters.ranges.flatMap(Self.otherCase)))
        if !foreign.isEmpty { folded = folded.union(try Self.scalars(matching: foreign)) }
        known[set] = folded
        return folded
    }

    /// The scalars that the ASCII letters of a range match in addition to themselves, such as the Kelvin sign.
    private static func otherCase(of range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
        var others: [ClosedRange<UInt32>] = []
        let capitals: ClosedRange<UInt32> = 0x41...0x5a
        let smalls: ClosedRange<UInt32> = 0x61...0x7a
        if range.overlaps(capitals) {
            let part = range.clamped(to: capitals)
            others.append(part.lowerBound + 0x20...part.upperBound + 0x20)
        }
        if range.overlaps(smalls) {
            let part = range.clamped(to: smalls)
            others.append(part.lowerBound - 0x20...part.upperBound - 0x20)
        }
        if range.contains(0x4b) || range.contains(0x6b) { others.append(0x212a...0x212a) }
        if range.contains(0x53) || range.contains(0x73) { others.append(0x17f...0x17f) }
        return others
    }

    /// The letters that RE2 considers equal to a member of a set if it ignores case.
    private static func scalars(matching set: ScalarSet) throws(Unsupported) -> ScalarSet {
        let members = set.ranges.map { "\\x{\(hexadecimal($0.lowerBound))}-\\x{\(hexadecimal($0.upperBound))}" }
        let expression: RegularExpression
        do {
            expression = try RegularExpression("[\(members.joined())]", ignoresCase: true)
        } catch {
            throw Unsupported("a class of characters is too large to ignore case: \(error.reason)")
        }
        let candidates = lettersWithCase.subtracting(set).scalars
        var matching: [ClosedRange<UInt32>] = []
        for start in stride(from: 0, to: candidates.count, by: 64) {
            let group = candidates[start..<min(start + 64, candidates.count)]
            // Most groups have no match, so one search replaces 64.
            guard expression.matches(String(String.UnicodeScalarView(group))) else { continue }
            for candidate in group where expression.matches(String(candidate)) {
                matching.append(candidate.value...candidate.value)
            }
        }
        return ScalarSet(matching)
    }

    private static func hexadecimal(_ number: UInt32) -> String {
        String(number, radix: 16)
    }
}
