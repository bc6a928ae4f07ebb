/// The literals of `$startsWith`, `$endsWith` or `$contains`, of which a text must have one. In any case means that
/// both texts are folded as for `$ini`. The set is a class, so that a test counts one reference.
package final class TextPartSet: Sendable {
    private let part: Condition.TextPart
    private let ignoresCase: Bool
    private let literals: [Literal]

    private struct Literal: Sendable {
        let bytes: [UInt8]
        /// For each byte the length of the longest beginning of the literal that ends with this byte, the literal up
        /// to the byte itself excepted.
        let borders: [Int]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            var borders: [Int] = []
            var length = 0
            for index in bytes.indices {
                if index > 0 {
                    while length > 0, bytes[index] != bytes[length] { length = borders[length - 1] }
                    if bytes[index] == bytes[length] { length += 1 }
                }
                borders.append(length)
            }
            self.borders = borders
        }
    }

    package init(_ part: Condition.TextPart, _ texts: [String], ignoringCase: Bool) {
        self.part = part
        ignoresCase = ignoringCase
        literals = texts.map { text in
            let bytes = Array(text.utf8)
            return Literal(ignoringCase ? CaseFolding.folded(bytes.span) : bytes)
        }
    }

    /// Whether a text has one of the literals in the place. Never allocates.
    package func matches(_ text: Span<UInt8>) -> Bool {
        for index in literals.indices where matches(text, index) { return true }
        return false
    }

    private func matches(_ text: Span<UInt8>, _ index: Int) -> Bool {
        let count = literals[index].bytes.count
        if count == 0 { return true }
        switch part {
        case .prefix: return hasLiteral(index, text, from: 0)
        case .suffix:
            let length = length(text)
            return length >= count && hasLiteral(index, text, from: length - count)
        case .anywhere: return isFound(index, text)
        }
    }

    /// Calls `body` for each byte of the text, folded where case is ignored, until it returns `false`.
    @inline(__always) private func forEachByte(_ text: Span<UInt8>, _ body: (UInt8) -> Bool) {
        if ignoresCase {
            _ = CaseFolding.forEachByte(text, body)
        } else {
            for index in text.indices { guard body(text[index]) else { return } }
        }
    }

    private func length(_ text: Span<UInt8>) -> Int {
        guard ignoresCase else { return text.count }
        var count = 0
        forEachByte(text) { _ in
            count += 1
            return true
        }
        return count
    }

    private func hasLiteral(_ index: Int, _ text: Span<UInt8>, from start: Int) -> Bool {
        var (position, matched) = (0, 0)
        forEachByte(text) { byte in
            defer { position += 1 }
            guard position >= start else { return true }
            guard byte == literals[index].bytes[matched] else { return false }
            matched += 1
            return matched < literals[index].bytes.count
        }
        return matched == literals[index].bytes.count
    }

    /// Whether the literal is anywhere in the text: the algorithm of Knuth, Morris and Pratt, which needs the bytes
    /// once and one after another.
    private func isFound(_ index: Int, _ text: Span<UInt8>) -> Bool {
        var matched = 0
        forEachByte(text) { byte in
            while matched > 0, byte != literals[index].bytes[matched] { matched = literals[index].borders[matched - 1] }
            if byte == literals[index].bytes[matched] { matched += 1 }
            return matched < literals[index].bytes.count
        }
        return matched == literals[index].bytes.count
    }
}
