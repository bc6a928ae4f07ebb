/// A number and what it counts, in English: `1 row`, `20 rows`.
package func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension String {
    /// The text, filled up on the left until it has `width` characters.
    package func leftPadded(to width: Int, with filler: Character = " ") -> String {
        String(repeating: filler, count: max(0, width - count)) + self
    }

    /// The text, filled up on the right until it has `width` characters.
    package func rightPadded(to width: Int, with filler: Character = " ") -> String {
        self + String(repeating: filler, count: max(0, width - count))
    }
}

extension BinaryInteger {
    /// The digits of a number that is not negative, with zeros before them until there are `width`.
    package func zeroPadded(to width: Int, radix: Int = 10) -> String {
        String(self, radix: radix).leftPadded(to: width, with: "0")
    }
}
