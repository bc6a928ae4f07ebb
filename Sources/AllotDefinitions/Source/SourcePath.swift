import AllotConfiguration

/// The way from the root of a file to a value in it: `variants[1].weight`, `forced["user 7"]`. `Sendable`. A key that
/// is not `[A-Za-z_$][A-Za-z0-9_$-]*` stands in brackets and quotes, with control characters escaped and long keys cut,
/// so that a path is always one short line.
package struct SourcePath: Hashable, Sendable {
    private enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    private let steps: [Step]

    private init(_ steps: [Step]) { self.steps = steps }

    package init() { self.init([]) }

    package var isRoot: Bool { steps.isEmpty }
    func appending(key: String) -> SourcePath { SourcePath(steps + [.key(key)]) }
    func appending(index: Int) -> SourcePath { SourcePath(steps + [.index(index)]) }
}

extension SourcePath: CustomStringConvertible {
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
        guard let first = bytes.first, !first.isDigit, first != UInt8(ascii: "-"), bytes.count <= QuotedText.limit
        else { return false }
        return bytes.allSatisfy { $0.isOfPlainName || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "-") }
    }
}
