import AllotConfiguration
import AllotCore

package enum BaseChange: Sendable {
    case value(JSONValue)
    /// A new setting, with the keys of its declaration in the order in which they are written.
    case addition([(key: String, value: JSONValue)])
    case removal
}

/// Edits the text of the base in place: everything else stays as it was written, including comments and layout. An edit
/// is not relied on: the edited text is read again and compared.
struct BaseEditor {
    private let byteOrderMark: ArraySlice<UInt8>
    private let isJSON: Bool
    private let root: SourceNode
    private let extent: ValueExtent

    private typealias Replacement = (range: Range<Int>, text: String)

    init?(_ source: DefinitionSource) {
        let tree = SourceTree(source.bytes, file: source.name)
        guard let text = tree.text, let root = tree.root else { return nil }
        byteOrderMark = source.bytes.prefix(source.bytes.count - text.bytes.count)
        isJSON = source.name.hasSuffix(".json")
        self.root = root
        extent = ValueExtent(text)
    }

    /// The reason why a text is not edited, and the place.
    struct Refusal: Error {
        let reason: String
        let position: SourcePosition
    }

    func bytes(after change: BaseChange, at path: [String]) throws(Refusal) -> [UInt8] {
        let replacement =
            switch change {
            case .value(let value): try replacing(path + ["value"], with: value)
            case .addition(let declaration): try adding(declaration, at: path)
            case .removal: try removing(path)
            }
        var bytes = extent.bytes
        bytes.replaceSubrange(replacement.range, with: replacement.text.utf8)
        return byteOrderMark + bytes
    }

    private func replacing(_ path: [String], with value: JSONValue) throws(Refusal) -> Replacement {
        let (_, siblings, index) = try find(path)
        let (entry, node) = (siblings[index], siblings[index].value)
        // Text on one line cannot be in the place of nothing, or of a list that is indented like its key.
        let isLeftOut = node.style == .leftOut
        let (place, key) = (node.position, entry.keyPosition)
        if isLeftOut || (place.line > key.line && place.column == key.column) {
            guard let endOfKey = extent.end(ofValueAt: extent.offset(key)),
                let colon = extent.bytes[endOfKey...].firstIndex(where: { $0 != UInt8(ascii: " ") }),
                extent.bytes[colon] == UInt8(ascii: ":")
            else { throw Refusal(reason: "there is no colon after the key", position: key) }
            let end = try isLeftOut ? colon + 1 : self.end(of: entry)
            try requireNoComment(from: colon + 1, to: end, entry)
            return (colon + 1..<end, " " + text(of: value, mayBePlain: true))
        }
        let (start, end) = (extent.offset(place), try self.end(of: entry))
        // The new value, which is on one line, could not keep the comments.
        try requireNoComment(from: start, to: end, entry)
        let wasPlain = ![UInt8(ascii: "\""), UInt8(ascii: "'")].contains(extent.bytes[start])
        return (start..<end, text(of: value, mayBePlain: wasPlain))
    }

    /// Adds a setting after the last one of its section; a section that does not exist comes after the last one.
    private func adding(
        _ declaration: [(key: String, value: JSONValue)], at path: [String]
    ) throws(Refusal) -> Replacement {
        var parent = root
        var missing = path[...]
        while let key = missing.first, let (siblings, index) = Self.entry(key, of: parent) {
            parent = siblings[index].value
            missing = missing.dropFirst()
        }
        guard !missing.isEmpty, case .map(let siblings) = parent.content else {
            throw Refusal(reason: "there is no map that it can be added to; write {} there", position: parent.position)
        }
        let members = declaration.map { "\(keyText($0.key)): \(text(of: $0.value, mayBePlain: true))" }
        let setting = "{ \(members.joined(separator: ", ")) }"
        guard let last = siblings.last else {
            // A comment in the brackets stays.
            let place = extent.offset(parent.position) + 1
            return (place..<place, " \(pair(missing, setting)) ")
        }
        let end = try self.end(of: last)
        let newLine = extent.lineBreak + ValueExtent.indentation(last.keyPosition)
        let endOfLine = extent.endOfLine(end)
        if isInBrackets(parent) {
            let endOfParent = extent.end(of: parent) ?? endOfLine
            if end < endOfParent, !extent.comments(in: end..<min(endOfLine, endOfParent)).isEmpty {
                // The comment on the last setting stays on its line, after the comma.
                let rest = String(decoding: extent.bytes[end..<endOfLine], as: UTF8.self)
                let comma = rest.drop { $0 == " " || $0 == "\t" }.hasPrefix(",") ? "" : ","
                return (end..<endOfLine, comma + rest + newLine + pair(missing, setting))
            }
            let separator = extent.isFirstOfLine(extent.offset(last.keyPosition)) ? newLine : " "
            return (end..<end, ",\(separator)\(pair(missing, setting))")
        }
        // After a comment on the line.
        let lines = missing.enumerated().map { depth, key in
            newLine + String(repeating: "  ", count: depth) + keyText(key) + ":"
        }
        return (endOfLine..<endOfLine, lines.joined() + " " + setting)
    }

    private func removing(_ path: [String]) throws(Refusal) -> Replacement {
        let (parent, siblings, index) = try find(path)
        let entry = siblings[index]
        let (start, end) = (extent.offset(entry.keyPosition), try self.end(of: entry))
        if siblings.count == 1 { return (start..<end, isInBrackets(parent) ? "" : "{}") }
        if isInBrackets(parent) {
            // With the comma after it, or else with the one before, but not with comments on others.
            if index + 1 < siblings.count {
                let next = extent.offset(siblings[index + 1].keyPosition)
                try requireNoComment(from: end, to: next, entry)
                return (start..<next, "")
            }
            let last = try self.end(of: siblings[index - 1])
            try requireNoComment(from: last, to: start, entry)
            // On the line of the one before, its own comment would be on that one.
            let endOfParent = extent.end(of: parent) ?? end
            try requireNoComment(from: end, to: min(extent.endOfLine(end), endOfParent), entry)
            return (last..<end, "")
        }
        let line = start - (entry.keyPosition.column - 1)
        guard extent.isFirstOfLine(start), extent.isLineEnd(before: line) else {
            throw Refusal(reason: "the setting does not begin a line", position: entry.keyPosition)
        }
        // With the line break before it, which is of one or two bytes.
        let isPair =
            extent.bytes[line - 1] == UInt8(ascii: "\n") && line > 1 && extent.bytes[line - 2] == UInt8(ascii: "\r")
        return (line - (isPair ? 2 : 1)..<extent.endOfLine(end), "")
    }

    // MARK: The tree

    func position(of path: [String]) -> SourcePosition {
        var (map, position) = (root, root.position)
        for key in path {
            guard let (siblings, index) = Self.entry(key, of: map) else { break }
            (map, position) = (siblings[index].value, siblings[index].keyPosition)
        }
        return position
    }

    private func find(_ path: [String]) throws(Refusal) -> (parent: SourceNode, siblings: [SourceEntry], index: Int) {
        var parent = root
        for (depth, key) in path.enumerated() {
            guard let (siblings, index) = Self.entry(key, of: parent) else {
                throw Refusal(reason: "there is no key \(QuotedText(key))", position: position(of: path))
            }
            if depth == path.count - 1 { return (parent, siblings, index) }
            parent = siblings[index].value
        }
        throw Refusal(reason: "there is no key", position: root.position)
    }

    private static func entry(_ key: String, of map: SourceNode) -> (siblings: [SourceEntry], index: Int)? {
        guard case .map(let entries) = map.content else { return nil }
        return entries.firstIndex { UTF8Order.areEqual($0.key, key) }.map { (entries, $0) }
    }

    /// The end of an entry's value, which is not before its start.
    private func end(of entry: SourceEntry) throws(Refusal) -> Int {
        guard let end = extent.end(of: entry.value), end >= extent.offset(entry.value.position) else {
            throw Refusal(
                reason: "the end of the value of \(QuotedText(entry.key)) is not found", position: entry.keyPosition)
        }
        return end
    }

    /// Throws if there is a comment that a change would take away, or that would then be on another setting.
    private func requireNoComment(from start: Int, to end: Int, _ entry: SourceEntry) throws(Refusal) {
        guard start <= end else {
            throw Refusal(
                reason: "the end of a value next to \(QuotedText(entry.key)) is not found", position: entry.keyPosition)
        }
        guard let comment = extent.comments(in: start..<end).first else { return }
        throw Refusal(
            reason: "the comment \(QuotedText(comment)) could not stay in its place", position: entry.keyPosition)
    }

    private func isInBrackets(_ map: SourceNode) -> Bool { extent.byte(at: map.position) == UInt8(ascii: "{") }

    // MARK: Pieces of text

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
            if scalar.value < 0x7F || !PrintableText.isHidden(scalar) {
                written.unicodeScalars.append(scalar)
            } else if scalar.value > 0xFFFF, !isJSON {
                written += "\\U" + scalar.value.zeroPadded(to: 8, radix: 16).uppercased()
            } else {
                for unit in UTF16.encode(scalar) ?? .init() {
                    written += "\\u" + unit.zeroPadded(to: 4, radix: 16).uppercased()
                }
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
            }), !text.hasSuffix(" "), case .text = YAMLSource.content(ofPlain: text), !DoubtfulText.isWord(text)
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
