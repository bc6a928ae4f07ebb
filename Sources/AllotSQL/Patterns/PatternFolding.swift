import AllotCore

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
        var folded = set.union(ScalarSet(letters.intersection(.ascii).scalars.flatMap(Self.otherCase)))
        if !foreign.isEmpty { folded = folded.union(try Self.scalars(matching: foreign)) }
        known[set] = folded
        return folded
    }

    /// The scalars that an ASCII letter matches in addition to itself, such as the Kelvin sign.
    private static func otherCase(of letter: Unicode.Scalar) -> [ClosedRange<UInt32>] {
        guard letter.properties.isAlphabetic else { return [] }
        let other = letter.value ^ 0x20
        return switch letter {
        case "K", "k": [other...other, 0x212a...0x212a]
        case "S", "s": [other...other, 0x17f...0x17f]
        default: [other...other]
        }
    }

    /// The letters that RE2 considers equal to a member of a set if it ignores case.
    private static func scalars(matching set: ScalarSet) throws(Unsupported) -> ScalarSet {
        func number(_ scalar: UInt32) -> String { "\\x{\(String(scalar, radix: 16))}" }
        let members = set.ranges.map { number($0.lowerBound) + "-" + number($0.upperBound) }
        let expression: RegularExpression
        do {
            expression = try RegularExpression("[\(members.joined())]", ignoresCase: true)
        } catch {
            throw Unsupported("a class of characters is too large to ignore case: \(error.reason)")
        }
        // Most groups have no match, so one search replaces 64.
        let candidates = groups.filter { expression.matches($0) }.flatMap { Array($0.unicodeScalars) }
        return ScalarSet(candidates.filter { expression.matches(String($0)) }.map { $0.value...$0.value })
    }

    /// The letters with case, 64 in a text.
    private static let groups: [String] = {
        let letters = lettersWithCase.scalars
        return stride(from: 0, to: letters.count, by: 64).map { start in
            String(String.UnicodeScalarView(letters[start..<min(start + 64, letters.count)]))
        }
    }()
}
