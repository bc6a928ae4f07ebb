import AllotConfiguration
import AllotCore

/// A value as it was written in a definitions file, with its place. `Sendable`. YAML and JSON files give the same tree.
/// It knows nothing of what a definition means; in particular numbers are kept as their digits. Nodes cannot be
/// compared, because `String ==` would take canonically equivalent texts for equal.
package struct SourceNode: Sendable {
    package enum Content: Sendable {
        /// `null`, `~`, or nothing at all.
        case null
        case boolean(Bool)
        /// The digits of a number of JSON's grammar, as they were written.
        case number(String)
        /// Any other scalar, with quotes and escapes resolved.
        case text(String)
        case list([SourceNode])
        /// A mapping, in the order in which it was written. No two entries have the same key, byte for byte.
        case map([SourceEntry])
    }

    /// Where the value starts; for a value left out, the place after the colon or dash where it was expected.
    package let position: SourcePosition
    package let content: Content
    package var style = LiteralStyle.quoted
}

package struct SourceEntry: Sendable {
    /// The key, with quotes and escapes resolved. Compare it by its bytes, as `UTF8Key` does.
    let key: String
    var keyStyle = LiteralStyle.quoted
    let keyPosition: SourcePosition
    let value: SourceNode
}

/// The entries of one map while a file is read: of a key that is written twice the first counts.
struct UniqueEntries: Sendable {
    private(set) var entries: [SourceEntry] = []
    /// The positions of the keys once there are many; most maps are so small that comparing is faster.
    private var positions: [UTF8Key: SourcePosition] = [:]
    private static let smallCount = 16

    /// Adds an entry. Returns the problem if its key is there already: its text, for the place of the second key.
    mutating func add(_ entry: SourceEntry) -> String? {
        guard let first = position(of: entry.key) else {
            entries.append(entry)
            if entries.count > Self.smallCount { positions[UTF8Key(entry.key)] = entry.keyPosition }
            return nil
        }
        let column = first.line == entry.keyPosition.line ? ", column \(first.column)" : ""
        return "the key \(QuotedText(entry.key)) is given twice, also at line \(first.line)\(column); "
            + "keep one of the two"
    }

    private func position(of key: String) -> SourcePosition? {
        // By index, because an entry is large to copy.
        for index in 0..<min(entries.count, Self.smallCount) where UTF8Order.areEqual(entries[index].key, key) {
            return entries[index].keyPosition
        }
        return positions[UTF8Key(key)]
    }
}

extension SourceNode {
    package var json: JSONValue {
        switch content {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .number(let digits): .number(JSONNumber(unchecked: digits))
        case .text(let text): .string(text)
        case .list(let elements): .array(elements.map(\.json))
        case .map(let entries): .object(JSONObject(entries.map { (key: $0.key, value: $0.value.json) }))
        }
    }

    var hasDoubtfulStyle: Bool {
        switch content {
        case .null: style == .leftOut
        case .text(let text): style == .plain && DoubtfulText.isWord(text)
        case .boolean, .number: false
        case .list(let elements): elements.contains(where: \.hasDoubtfulStyle)
        case .map(let entries): entries.contains(where: \.value.hasDoubtfulStyle)
        }
    }

    package var isNull: Bool { if case .null = content { true } else { false } }

    package var described: String {
        switch content {
        case .null: "null"
        case .list: "a list"
        case .map: "a map"
        case .boolean, .number, .text: json.described
        }
    }
}
