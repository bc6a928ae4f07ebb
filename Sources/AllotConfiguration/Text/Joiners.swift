extension Substring.UnicodeScalarView {
    /// Whether the character at an index is a zero-width joiner or non-joiner that changes how its neighbours look: in
    /// sequences of emoji (UTS 51, definition ED-16), between letters that are written joined, and in conjuncts of
    /// Indic scripts (UAX 31, section 2.3; before the virama in Bengali and Kannada, chapter 12 of the Unicode
    /// Standard).
    func isJoinerInUse(at index: Index) -> Bool {
        let (before, after) = (self[..<index], self[self.index(after: index)...])
        switch self[index] {
        case "\u{200D}":
            if before.endsWithVirama { return true }
            guard let last = before.last, let next = after.first else { return false }
            return before.endsWithEmoji && next.beginsEmoji || next.isVirama(of: last)
        case "\u{200C}":
            guard let next = after.first(where: { !$0.isMark }) else { return false }
            if before.endsWithVirama { return next.isLetter }
            guard let last = before.last(where: { !$0.isMark }) else { return false }
            return last.joinsNext && next.joinsPrevious
        default: return false
        }
    }

    /// Whether a letter ends here whose vowel a virama takes away.
    private var endsWithVirama: Bool {
        guard let last, let letter = dropLast().last(where: { !$0.isMark }) else { return false }
        return last.isVirama(of: letter)
    }

    /// Whether an emoji ends here, with the variation selector or the skin tone that it may have.
    private var endsWithEmoji: Bool {
        guard let last else { return false }
        let isVariant = last == "\u{FE0F}" || last.properties.isEmojiModifier
        return (isVariant ? dropLast() : self).last?.beginsEmoji ?? false
    }
}

extension Unicode.Scalar {
    /// Whether it is a virama, and another character a letter of the same script: both are in a block of 128.
    fileprivate func isVirama(of letter: Unicode.Scalar) -> Bool {
        properties.canonicalCombiningClass == .virama && letter.isLetter && letter.value / 128 == value / 128
    }

    /// Whether it is a letter of a script without cases, as the Indic ones are.
    fileprivate var isLetter: Bool { properties.generalCategory == .otherLetter }

    /// Whether it is written on the letter before it, and does not separate that from the next.
    fileprivate var isMark: Bool {
        properties.generalCategory == .nonspacingMark || properties.generalCategory == .enclosingMark
    }

    /// Whether it is an emoji by itself: not a digit, a skin tone, or half of a flag.
    fileprivate var beginsEmoji: Bool {
        properties.isEmoji && !isASCII && !properties.isEmojiModifier && !(0x1F1E6...0x1F1FF).contains(value)
    }

    /// Whether it is a letter that joins the next one: Joining_Type is Dual_Joining or Left_Joining.
    fileprivate var joinsNext: Bool { Self.bothSides.contains(self) || Self.nextOnly.contains(self) }
    /// Whether it is a letter that joins the one before it: Joining_Type is Dual_Joining or Right_Joining.
    fileprivate var joinsPrevious: Bool { Self.bothSides.contains(self) || Self.previousOnly.contains(self) }

    // The letters of each Joining_Type, as in ArabicShaping.txt of Unicode 14: the standard library does not have it.

    private static let nextOnly = ScalarSet("A872 10ACD 10AD7 10D00 10FCB")

    private static let bothSides = ScalarSet(
        """
        620 626 628 62A-62E 633-63F 641-647 649-64A 66E-66F 678-687 69A-6BF 6C1-6C2 6CC 6CE 6D0-6D1 6FA-6FC 6FF \
        712-714 71A-71D 71F-727 729 72B 72D-72E 74E-758 75C-76A 76D-770 772 775-777 77A-77F 7CA-7EA 841-845 848 \
        84A-853 855 860 862-865 868 886 889-88D 8A0-8A9 8AF-8B0 8B3-8B8 8BA-8C8 1807 1820-1878 1887-18A8 18AA \
        A840-A871 10AC0-10AC4 10AD3-10AD6 10AD8-10ADC 10ADE-10AE0 10AEB-10AEE 10B80 10B82 10B86-10B88 10B8A-10B8B \
        10B8D 10B90 10BAD-10BAE 10D01-10D21 10D23 10F30-10F32 10F34-10F44 10F51-10F53 10F70-10F73 10F76-10F81 10FB0 \
        10FB2-10FB3 10FB8 10FBB-10FBC 10FBE-10FBF 10FC1 10FC4 10FCA 1E900-1E943
        """)

    private static let previousOnly = ScalarSet(
        """
        622-625 627 629 62F-632 648 671-673 675-677 688-699 6C0 6C3-6CB 6CD 6CF 6D2-6D3 6D5 6EE-6EF 710 715-719 71E \
        728 72A 72C 72F 74D 759-75B 76B-76C 771 773-774 778-779 840 846-847 849 854 856-858 867 869-86A 870-882 88E \
        8AA-8AC 8AE 8B1-8B2 8B9 10AC5 10AC7 10AC9-10ACA 10ACE-10AD2 10ADD 10AE1 10AE4 10AEF 10B81 10B83-10B85 10B89 \
        10B8C 10B8E-10B8F 10B91 10BA9-10BAC 10D22 10F33 10F54 10F74-10F75 10FB4-10FB6 10FB9-10FBA 10FBD 10FC2-10FC3 \
        10FC9
        """)
}

private struct ScalarSet: Sendable {
    private let ranges: [ClosedRange<UInt32>]

    /// Reads hexadecimal numbers, and ranges of them with a hyphen.
    init(_ text: String) {
        ranges = text.split(separator: " ").compactMap { part in
            let ends = part.split(separator: "-").compactMap { UInt32($0, radix: 16) }
            guard let first = ends.first, let last = ends.last, first <= last else { return nil }
            return first...last
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }
}
