extension PatternParser {
    /// A class in brackets.
    mutating func bracketedClass() throws(Unsupported) -> ScalarSet {
        _ = take("[")
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        // A bracket in the first place is a member.
        while isFirst || !isNext("]") {
            isFirst = false
            if let named = try namedClass() {
                ranges += named.ranges
            } else if let escaped = try escapedClass() {
                ranges += escaped.ranges
            } else {
                ranges += try cased(ScalarSet([try memberRange()])).ranges
            }
        }
        _ = take("]")
        let set = ScalarSet(ranges)
        return isNegated ? set.complement : set
    }

    /// A member of a class or a range of members. A minus sign before the closing bracket is a member.
    private mutating func memberRange() throws(Unsupported) -> ClosedRange<UInt32> {
        let first = try member()
        guard isNext("-"), let after = scalar(at: 1), after != "]" else { return first...first }
        _ = take("-")
        let last = try member()
        guard first <= last else { throw Unsupported("a range of characters does not ascend") }
        return first...last
    }

    private mutating func member() throws(Unsupported) -> UInt32 {
        isNext("\\") ? try escapedScalar() : try next("the `]` of a class").value
    }

    /// A class such as `[:alpha:]` or `[:^alpha:]`. Returns `nil` and skips nothing if none comes next.
    private mutating func namedClass() throws(Unsupported) -> ScalarSet? {
        var ahead = self
        guard ahead.take("[:"), let name = ahead.text(upTo: ":]") else { return nil }
        let isNegated = name.hasPrefix("^")
        guard let set = ScalarSet.named[isNegated ? String(name.dropFirst()) : name] else {
            throw Unsupported("RE2 does not have the class `[:\(name):]`")
        }
        self = ahead
        // Case is ignored before the negation, so `[:^alpha:]` does not contain the Kelvin sign.
        let cased = try cased(set)
        return isNegated ? cased.complement : cased
    }

    /// A class such as `\d` or `\D`. Returns `nil` and skips nothing if none comes next.
    mutating func escapedClass() throws(Unsupported) -> ScalarSet? {
        guard isNext("\\"), let letter = scalar(at: 1) else { return nil }
        if letter == "p" || letter == "P" { throw try unicodeClassRefusal() }
        if let set = ScalarSet.perl[letter] {
            _ = take("\\\(letter)")
            return try cased(set)
        }
        guard ("A"..."Z").contains(letter), let set = ScalarSet.perl[Unicode.Scalar(UInt8(letter.value) + 0x20)] else {
            return nil
        }
        _ = take("\\\(letter)")
        return try cased(set).complement
    }

    /// The error for the Unicode class that comes next.
    private func unicodeClassRefusal() throws(Unsupported) -> Unsupported {
        var ahead = self
        _ = ahead.take("\\")
        var name = "\\" + String(try ahead.next("a Unicode class"))
        if ahead.take("{"), let inner = ahead.text(upTo: "}") {
            name += "{\(inner)}"
        } else {
            name += String(try ahead.next("a Unicode class"))
        }
        return Unsupported(
            """
            `\(name)` is a Unicode class, whose letters differ between engines; write the letters, as in [a-zà-ÿ]
            """)
    }

    /// An escape that represents one character. Surrogates are accepted, because no text contains them.
    mutating func escapedScalar() throws(Unsupported) -> UInt32 {
        _ = take("\\")
        let letter = try next("an escaped character")
        switch letter {
        case "a": return 0x07
        case "f": return 0x0c
        case "n": return 0x0a
        case "r": return 0x0d
        case "t": return 0x09
        case "v": return 0x0b
        case "0"..."7": return octal(after: letter)
        case "x": return try hexadecimal()
        case _ where letter.isASCII && !ScalarSet.alphanumeric.contains(letter.value): return letter.value
        default: throw Unsupported("RE2 does not have the escape `\\\(letter)`")
        }
    }

    /// An octal number of one to three digits.
    private mutating func octal(after first: Unicode.Scalar) -> UInt32 {
        var number = first.value - 0x30
        for _ in 0..<2 {
            guard let digit = current, ("0"..."7").contains(digit) else { break }
            _ = take(String(digit))
            number = number * 8 + digit.value - 0x30
        }
        return number
    }

    /// Two hexadecimal digits, or any number of them in braces.
    private mutating func hexadecimal() throws(Unsupported) -> UInt32 {
        let digits: String
        if take("{") {
            digits = text(upTo: "}") ?? ""
        } else {
            digits = String(try next("a hexadecimal digit")) + String(try next("a hexadecimal digit"))
        }
        // A sign is not a digit, but `UInt32` accepts it.
        guard digits.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d }), let number = UInt32(digits, radix: 16),
            number <= 0x10_ffff
        else {
            throw Unsupported("`\\x` is not followed by the number of a character")
        }
        return number
    }
}
