/// A number and what it counts, in English: `1 row`, `20 rows`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension [String] {
    /// The first names, and how many more there are: `a, b and 3 more`.
    package func listed(atMost limit: Int) -> String {
        let shown = prefix(limit).joined(separator: ", ")
        return count > limit ? "\(shown) and \(count - limit) more" : shown
    }

    package func quoted(atMost limit: Int) -> String { map { QuotedText($0).description }.listed(atMost: limit) }
}

extension StringProtocol {
    /// The text without white space at its ends, which is easily copied with a number.
    package var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension String {
    package var nonEmpty: String? { isEmpty ? nil : self }

    package func leftPadded(to width: Int, with filler: Character = " ") -> String {
        String(repeating: filler, count: max(0, width - count)) + self
    }

    package func rightPadded(to width: Int, with filler: Character = " ") -> String {
        self + String(repeating: filler, count: max(0, width - count))
    }

    /// The name without what people write in different ways: case, `_`, `-` and spaces.
    package var withoutSpelling: String { lowercased().filter { !"_- ".contains($0) } }

    /// The text as one word of a shell's command: in quotes unless every shell reads all of its bytes as they are.
    package var shellWord: String {
        // zsh replaces a word that begins with "=" by the path of a command.
        let isPlain =
            utf8.first != UInt8(ascii: "=") && utf8.allSatisfy { $0.isOfPlainName || "-./=:@,+%".utf8.contains($0) }
        if isPlain, !isEmpty { return self }
        var word = "'"
        // By scalars, since a combining mark after a quote forms one character with it.
        for scalar in unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }

    /// A name and its value, the texts before and after the first `=`. Returns `nil` if there is no `=`, or nothing
    /// before it.
    package var namedValue: (name: String, value: String)? {
        // By bytes, since a combining mark after the sign would form one character with it.
        guard let equals = utf8.firstIndex(of: UInt8(ascii: "=")), equals > startIndex else { return nil }
        return (String(self[..<equals]), String(self[utf8.index(after: equals)...]))
    }

    /// The text, or its beginning and how long it is if it has more bytes than that.
    package func shortened(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        return String(decoding: utf8.prefix(limit), as: UTF8.self) + "… (of \(utf8.count) bytes)"
    }
}

extension UInt8 {
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    package var isLetterOrDigit: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 || isDigit }
    /// Whether it is an ASCII letter, a digit or "_", as in names that need no quotes.
    package var isOfPlainName: Bool { isLetterOrDigit || self == UInt8(ascii: "_") }
}

extension BinaryInteger {
    /// The digits of a number in groups of three: `1,000,000`.
    package var inGroups: String {
        var groups = ""
        for (place, digit) in String(magnitude).reversed().enumerated() {
            if place > 0, place % 3 == 0 { groups.append(",") }
            groups.append(digit)
        }
        return (self < 0 ? "-" : "") + String(groups.reversed())
    }

    /// The digits of a number that is not negative, with zeros before them until there are `width`.
    package func zeroPadded(to width: Int, radix: Int = 10) -> String {
        String(self, radix: radix).leftPadded(to: width, with: "0")
    }
}
