import AllotConfiguration

/// The way from the root of a file to a value in it: `variants[1].weight`, `forced["user 7"]`. `Sendable`.
///
/// A key that is not `[A-Za-z_$][A-Za-z0-9_$-]*` stands in brackets and quotes, with control characters escaped and
/// long keys cut, so that a path is always one short line.
package struct SourcePath: Hashable, Sendable {
    private enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    private var steps: [Step] = []

    /// Makes the path of the root.
    package init() {}

    /// Whether this is the path of the root, which is written as nothing.
    package var isRoot: Bool { steps.isEmpty }

    /// Goes to the value of a key. Complexity: amortised O(1).
    package mutating func append(key: String) {
        steps.append(.key(key))
    }

    /// Goes to an element of a list, counted from 0. Complexity: amortised O(1).
    package mutating func append(index: Int) {
        steps.append(.index(index))
    }

    /// The path of the value of a key of this value.
    package func appending(key: String) -> SourcePath {
        var path = self
        path.append(key: key)
        return path
    }

    /// The path of an element of this value, counted from 0.
    package func appending(index: Int) -> SourcePath {
        var path = self
        path.append(index: index)
        return path
    }
}

extension SourcePath: CustomStringConvertible {
    /// The path as text; empty for the root.
    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : "." + key
            case .key(let key): text += "[\(QuotedText(key))]"
            }
        }
        return text
    }

    /// Whether a key is `[A-Za-z_$][A-Za-z0-9_$-]*` and short enough to stand without quotes.
    private static func isPlain(_ key: String) -> Bool {
        let bytes = key.utf8
        guard let first = bytes.first, bytes.count <= QuotedText.limit else { return false }
        return isPlainStart(first) && bytes.allSatisfy { isPlainStart($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isPlainStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
