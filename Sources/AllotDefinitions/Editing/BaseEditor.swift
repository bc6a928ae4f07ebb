import AllotConfiguration
import AllotCore

/// A change of one setting of the base.
package enum BaseChange: Sendable {
    /// Another base value.
    case value(JSONValue)
    /// A new setting, with the keys of its declaration in the order in which they are written.
    case addition([(key: String, value: JSONValue)])
    case removal
}

/// Edits the text of the base in place: everything else stays as it was written, including comments and layout.
///
/// An edit is not relied on: the edited text is read again and compared.
struct BaseEditor {
    private let byteOrderMark: ArraySlice<UInt8>
    private let isJSON: Bool
    private let root: SourceNode
    private let extent: ValueExtent

    /// The part of the text to replace, and the text in its place.
    private typealias Replacement = (range: Range<Int>, text: String)

    /// Creates an editor of a file. Returns `nil` if the file cannot be read.
    init?(_ source: DefinitionSource) {
        let tree = SourceTree(source.bytes, file: source.name)
        guard let text = tree.text, let root = tree.root else { return nil }
        byteOrderMark = source.bytes.prefix(source.bytes.count - text.bytes.count)
        isJSON = source.name.hasSuffix(".json")
        self.root = root
        extent = ValueExtent(text)
    }

    /// The edited bytes. Returns `nil` if the file is written in a way that the editor does not know.
    ///
    /// - Parameter path: the keys from the file's root to the setting.
    func bytes(after change: BaseChange, at path: [String]) -> [UInt8]? {
        let replacement =
            switch change {
            case .value(let value): replacing(path + ["value"], with: value)
            case .addition(let declaration): adding(declaration, at: path)
            case .removal: removing(path)
            }
        guard let replacement else { return nil }
        var bytes = extent.bytes
        bytes.replaceSubrange(replacement.range, with: replacement.text.utf8)
        return byteOrderMark + bytes
    }

    private func replacing(_ path: [String], with value: JSONValue) -> Replacement? {
        guard let (_, siblings, index) = find(path), case let node = siblings[index].value else { return nil }
        let start = extent.offset(node.position)
        // The new value, which is on one line, could not keep the comments.
        guard let end = extent.end(of: node), start < end, extent.comments(in: start..<end).isEmpty
        else { return nil }
        let wasPlain = ![UInt8(ascii: "\""), UInt8(ascii: "'")].contains(extent.bytes[start])
        return (start..<end, text(of: value, mayBePlain: wasPlain))
    }

    /// Adds a setting after the last one of its section; a section that does not exist comes after the last one.
    private func adding(_ declaration: [(key: String, value: JSONValue)], at path: [String]) -> Replacement? {
        var parent = root
        var missing = path[...]
        while let key = missing.first, let (siblings, index) = Self.entry(key, of: parent) {
            parent = siblings[index].value
            missing = missing.dropFirst()
        }
        guard !missing.isEmpty, case .map(let siblings) = parent.content else { return nil }
        let members = declaration.map { "\(keyText($0.key)): \(text(of: $0.value, mayBePlain: true))" }
        let setting = "{ \(members.joined(separator: ", ")) }"
        guard let last = siblings.last else {
            guard isInBrackets(parent) else { return nil }
            // A comment in the brackets stays.
            let place = extent.offset(parent.position) + 1
            return (place..<place, " \(pair(missing, setting)) ")
        }
        guard let end = extent.end(of: last.value) else { return nil }
        let newLine = extent.lineBreak + ValueExtent.indentation(last.keyPosition)
        if isInBrackets(parent) {
            let separator = extent.isFirstOfLine(extent.offset(last.keyPosition)) ? newLine : " "
            return (end..<end, ",\(separator)\(pair(missing, setting))")
        }
        // After a comment on the line.
        let place = extent.endOfLine(end)
        let lines = missing.enumerated().map { depth, key in
            newLine + String(repeating: "  ", count: depth) + keyText(key) + ":"
        }
        return (place..<place, lines.joined() + " " + setting)
    }

    private func removing(_ path: [String]) -> Replacement? {
        guard let (parent, siblings, index) = find(path), let end = extent.end(of: siblings[index].value)
        else { return nil }
        let start = extent.offset(siblings[index].keyPosition)
        if siblings.count == 1 { return (start..<end, isInBrackets(parent) ? "" : "{}") }
        if isInBrackets(parent) {
            // With the comma after it, or else with the one before, but not with comments on others.
            if index + 1 < siblings.count {
                let next = extent.offset(siblings[index + 1].keyPosition)
                return extent.comments(in: end..<next).isEmpty ? (start..<next, "") : nil
            }
            guard let last = extent.end(of: siblings[index - 1].value), last < start,
                extent.comments(in: last..<start).isEmpty
            else { return nil }
            return (last..<end, "")
        }
        let line = start - (siblings[index].keyPosition.column - 1)
        guard extent.isFirstOfLine(start), extent.isLineEnd(before: line) else { return nil }
        // With the line break before it, which is of one or two bytes.
        let isPair =
            extent.bytes[line - 1] == UInt8(ascii: "\n") && line > 1
            && extent.bytes[line - 2] == UInt8(ascii: "\r")
        return (line - (isPair ? 2 : 1)..<extent.endOfLine(end), "")
    }

    // MARK: The tree

    /// The entry at a path of keys, in the map that has it.
    private func find(_ path: [String]) -> (parent: SourceNode, siblings: [SourceEntry], index: Int)? {
        guard let last = path.last else { return nil }
        var parent = root
        for key in path.dropLast() {
            guard let (siblings, index) = Self.entry(key, of: parent) else { return nil }
            parent = siblings[index].value
        }
        return Self.entry(last, of: parent).map { (parent, $0.siblings, $0.index) }
    }

    private static func entry(_ key: String, of map: SourceNode) -> (siblings: [SourceEntry], index: Int)? {
        guard case .map(let entries) = map.content else { return nil }
        return entries.firstIndex { UTF8Order.areEqual($0.key, key) }.map { (entries, $0) }
    }

    private func isInBrackets(_ map: SourceNode) -> Bool {
        extent.byte(at: map.position) == UInt8(ascii: "{")
    }

    // MARK: Pieces of text

    /// A value below several keys, on one line.
    private func pair(_ keys: ArraySlice<String>, _ value: String) -> String {
        guard let key = keys.first else { return value }
        let rest = keys.dropFirst()
        return "\(keyText(key)): " + (rest.isEmpty ? value : "{ \(pair(rest, value)) }")
    }

    private func keyText(_ key: String) -> String { text(of: .string(key), mayBePlain: true) }

    /// A value on one line, with hidden characters as escapes.
    private func text(of value: JSONValue, mayBePlain: Bool) -> String {
        let text = isJSON ? value.canonicalText : value.yamlText(mayBePlain: mayBePlain)
        return text.unicodeScalars.reduce(into: "") { written, scalar in
            // Beyond U+FFFF the escapes of JSON and YAML differ.
            if (0x7F...0xFFFF).contains(scalar.value), PrintableText.isHidden(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                written += "\\u" + digits.leftPadded(to: 4, with: "0")
            } else {
                written.unicodeScalars.append(scalar)
            }
        }
    }
}

extension JSONValue {
    /// The value as YAML, on one line: texts without quotes if they may be and are harmless so.
    fileprivate func yamlText(mayBePlain: Bool) -> String {
        guard mayBePlain, case .string(let text) = self, let first = text.unicodeScalars.first,
            ("a"..."z").contains(first) || ("A"..."Z").contains(first),
            text.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789 _-.".unicodeScalars.contains($0))
            }),
            !text.hasSuffix(" "), case .text = YAMLSource.content(ofPlain: text), !DoubtfulText.isWord(text)
        else { return flowText }
        return text
    }

    /// The value as JSON that YAML reads alike, on one line.
    package var flowText: String {
        switch self {
        case .array(let elements): "[\(elements.map(\.flowText).joined(separator: ", "))]"
        case .object(let object) where object.isEmpty: "{}"
        case .object(let object):
            "{ "
                + object.members.map { "\(JSONValue.string($0.key).canonicalText): \($0.value.flowText)" }
                .joined(separator: ", ") + " }"
        default: canonicalText
        }
    }
}
