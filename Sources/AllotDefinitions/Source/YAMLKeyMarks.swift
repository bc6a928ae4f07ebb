/// Marks in front of all keys of a text that make each key unlike every other, and the way back. `Sendable`.
///
/// Yams stops at the first map that has a key twice, and says neither where the second one stands nor what else is
/// wrong. With marks no key is there twice, so Yams reads the file to its end; the conversion takes the marks away and
/// compares the keys itself.
struct YAMLKeyMarks: Sendable {
    /// A mark is this many scalars from U+F0000 to U+F0FFF, which are for private use: the digits of the key's number.
    static let length = 3

    private static let radix = 4096

    private let keys: [YAMLOutline.Key]
    private let nodes: Set<SourcePosition>

    /// Makes the marks for the keys of an outline.
    init(_ outline: YAMLOutline) {
        keys = outline.keys
        nodes = Set(keys.lazy.map(\.position))
    }

    /// The text with the marks in it. Complexity: O(size of the text).
    func marking(_ bytes: [UInt8]) -> [UInt8] {
        var marked: [UInt8] = []
        marked.reserveCapacity(bytes.count + keys.count * Self.length * 4)
        var copied = 0
        for (number, key) in keys.enumerated() {
            marked += bytes[copied..<key.offset]
            copied = key.offset
            for place in [Self.radix * Self.radix, Self.radix, 1] {
                let digit = number / place % Self.radix
                marked += [0xF3, 0xB0, 0x80 | UInt8(digit >> 6), 0x80 | UInt8(digit & 0x3F)]
            }
        }
        return marked + bytes[copied...]
    }

    /// The position without marks of a position in the marked text. Complexity: O(log(number of keys)).
    func unmarked(_ position: SourcePosition) -> SourcePosition {
        let first = firstIndex(from: 0) { keys[$0].position.line >= position.line }
        let behind = firstIndex(from: first) { index in
            let key = keys[index]
            return key.position.line > position.line
                || key.textColumn + (index - first) * Self.length >= position.column
        }
        return SourcePosition(line: position.line, column: position.column - (behind - first) * Self.length)
    }

    /// The first index of `keys` from `start` on for which a predicate holds, given that it holds for all behind it.
    private func firstIndex(from start: Int, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (start, keys.count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The text of the scalar at a position, without marks, if its mark was taken.
    func unmarked(_ text: String, at position: SourcePosition) -> String {
        nodes.contains(position) ? String(text.unicodeScalars.dropFirst(Self.length)) : text
    }
}
