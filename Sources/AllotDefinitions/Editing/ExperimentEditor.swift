import AllotConfiguration
import AllotCore

/// Edits the text of an experiment's file in place: everything else stays as it was written, including comments and
/// layout.
struct ExperimentEditor {
    private let text: SourceText
    private let hasByteOrderMark: Bool
    private let isJSON: Bool
    private let root: [SourceEntry]
    private let extent: ValueExtent
    private var replacements: [(range: Range<Int>, text: String)] = []

    init?(_ source: DefinitionSource) {
        let tree = SourceTree(source.bytes, file: source.name, maximumBytes: source.bytes.count)
        guard let text = tree.text, case .map(let root)? = tree.root?.content else { return nil }
        isJSON = source.name.hasSuffix(".json")
        (self.text, self.root) = (text, root)
        hasByteOrderMark = source.bytes.count != text.bytes.count
        extent = ValueExtent(text)
    }

    /// The edited bytes. Returns `nil` if the file is written in a way that the editor does not know.
    mutating func apply(_ edit: ExperimentEdit, _ scale: BucketScale) -> [UInt8]? {
        if let traffic = edit.traffic, !set(traffic) { return nil }
        if let status = edit.status, !set("status", to: status.rawValue, after: []) { return nil }
        let losesWinner = edit.status.map { $0 != .concluded } == true
        if edit.winner != nil || losesWinner, !set("winner", to: losesWinner ? nil : edit.winner, after: []) {
            return nil
        }
        if let starts = edit.starts, !set("starts", to: starts.instant?.writtenText, after: ["traffic"]) { return nil }
        // A line that is removed cannot take one after it.
        let before = edit.starts.map { $0.instant == nil } == true ? ["traffic"] : ["starts", "traffic"]
        if let ends = edit.ends, !set("ends", to: ends.instant?.writtenText, after: before) { return nil }
        if !edit.buckets.isEmpty, !set(edit.buckets, scale) { return nil }
        if let salt = edit.salt, !set(salt) { return nil }
        var bytes = text.bytes
        // From the end, so that the ranges before stay valid; of two at one place the later one comes last.
        let ordered = replacements.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
        }
        for replacement in ordered.map(\.element) {
            bytes.replaceSubrange(replacement.range, with: replacement.text.utf8)
        }
        return hasByteOrderMark ? [0xEF, 0xBB, 0xBF] + bytes : bytes
    }

    var variantCount: Int {
        guard case .list(let elements)? = entry("variants")?.value.content else { return 0 }
        return elements.count
    }

    private static let editedKeys = ["status", "winner", "starts", "ends", "traffic", "salt", "randomisation"]

    /// The content that an edit leaves alone: everything but status, winner, schedule, traffic, salt, weights and
    /// buckets, with the first `count` variants.
    func untouched(variants count: Int) -> JSONValue {
        .object(
            JSONObject(
                root.filter { !Self.editedKeys.contains($0.key) }.map { entry in
                    guard entry.key == "variants", case .array(let elements) = entry.value.json else {
                        return (key: entry.key, value: entry.value.json)
                    }
                    let variants = elements.prefix(count).map { element -> JSONValue in
                        guard case .object(var variant) = element else { return element }
                        (variant["weight"], variant["buckets"]) = (nil, nil)
                        return .object(variant)
                    }
                    return (key: entry.key, value: .array(variants))
                }))
    }

    /// Sets the traffic, after the status if it is not there yet. Steps get a line each where lines may end.
    private mutating func set(_ traffic: Traffic) -> Bool {
        var value = Self.text(of: traffic, isJSON: isJSON)
        if !isInBrackets, !traffic.steps.isEmpty {
            let lead = extent.lineBreak + ValueExtent.indentation(root[0].keyPosition) + "  - "
            value = traffic.steps.map { lead + Self.text(of: $0, isJSON: false) }.joined()
        }
        if let entry = entry("traffic") { return replace(entry, isInBrackets, key: nil, value) }
        guard let status = entry("status") else { return false }
        return insert("traffic", value, after: status, isInBrackets)
    }

    /// Sets a key whose value is on one line, or removes it. A new key comes after the first of some that the file has,
    /// or after the status.
    private mutating func set(_ key: String, to value: String?, after others: [String]) -> Bool {
        let old = entry(key)
        guard let value else { return old.map { remove($0) } ?? true }
        let text = Self.quoted(value, isJSON)
        if let old { return replace(old, isInBrackets, key: nil, text) }
        guard let other = (others + ["status"]).compactMap({ entry($0) }).first else { return false }
        return insert(key, text, after: other, isInBrackets)
    }

    /// Sets the salt, and how it was chosen, which gets a line for each member where lines may end.
    private mutating func set(_ chosen: ExperimentEdit.ChosenSalt) -> Bool {
        let salt = keyText(chosen.salt.text)
        let members = Self.members(of: chosen.choice)
        let lead = root.first.map { extent.lineBreak + ValueExtent.indentation($0.keyPosition) + "  " } ?? ""
        let choice =
            isInBrackets
            ? Self.text(of: chosen.choice, isJSON: isJSON) : members.map { "\(lead)\($0.key): \($0.value)" }.joined()
        return [("salt", salt), ("randomisation", choice)].allSatisfy { key, value in
            if let old = entry(key) { return replace(old, isInBrackets, key: nil, value) }
            guard let other = ["salt", "hash", "unit", "status"].compactMap({ entry($0) }).first else { return false }
            return insert(key, value, after: other, isInBrackets)
        }
    }

    private mutating func set(_ buckets: [(variant: String, ranges: [Range<Int>])], _ scale: BucketScale) -> Bool {
        guard let entry = entry("variants"), case .list(let elements) = entry.value.content else { return false }
        var left = buckets
        for element in elements {
            guard case .map(let entries) = element.content, let key = entries.first(where: { $0.key == "key" }),
                case .text(let name) = key.value.content, let index = left.firstIndex(where: { $0.variant == name })
            else { return false }
            let value = Self.text(of: left.remove(at: index).ranges, scale, isJSON: isJSON)
            let isInBrackets = extent.byte(at: element.position) == UInt8(ascii: "{")
            let share = entries.first { $0.key == "weight" || $0.key == "buckets" }
            guard
                share.map({ replace($0, isInBrackets, key: "buckets", value) })
                    ?? insert("buckets", value, after: key, isInBrackets)
            else { return false }
        }
        return left.allSatisfy { variant, ranges in
            append(variant: variant, Self.text(of: ranges, scale, isJSON: isJSON), to: entry, elements)
        }
    }

    /// Whether the file is one map in brackets.
    private var isInBrackets: Bool { root.first.map { isAfterBracket($0.keyPosition) } ?? false }
    private func entry(_ key: String) -> SourceEntry? { root.first { $0.key == key } }

    // MARK: Pieces of text

    private mutating func insert(_ text: String, at offset: Int) { replacements.append((offset..<offset, text)) }

    /// Removes a key that has lines of its own.
    private mutating func remove(_ entry: SourceEntry) -> Bool {
        let start = extent.offset(entry.keyPosition)
        guard !isInBrackets, root.count > 1, extent.isFirstOfLine(start), let end = extent.end(of: entry.value) else {
            return false
        }
        let next = extent.endOfLine(end) + extent.lineBreak.utf8.count
        replacements.append((start - (entry.keyPosition.column - 1)..<min(next, text.bytes.count), ""))
        return true
    }

    private mutating func replace(_ entry: SourceEntry, _ isInBrackets: Bool, key: String?, _ value: String) -> Bool {
        let start = extent.offset(entry.keyPosition)
        guard let end = extent.end(of: entry.value), let endOfKey = extent.end(ofValueAt: start) else { return false }
        if let key, key != entry.key { replacements.append((start..<endOfKey, Self.quoted(key, isJSON))) }
        let comments = extent.comments(in: endOfKey..<end)
        // In brackets no line can take the comments.
        guard comments.isEmpty || !isInBrackets else { return false }
        if !comments.isEmpty {
            let lead = extent.lineBreak + ValueExtent.indentation(entry.keyPosition)
            insert(comments.map { lead + $0 }.joined(), at: extent.endOfLine(end))
        }
        if value.isBlock || isBlockList(entry.value) {
            // A list on lines of its own moves up to the line of its key.
            replacements.append((endOfKey..<end, value.afterKey))
        } else {
            replacements.append((extent.offset(entry.value.position)..<end, value))
        }
        return true
    }

    private func isBlockList(_ node: SourceNode) -> Bool {
        if case .list = node.content { extent.byte(at: node.position) != UInt8(ascii: "[") } else { false }
    }

    /// Adds a key after another one: on the same line in brackets, else on a line of its own.
    private mutating func insert(_ key: String, _ value: String, after entry: SourceEntry, _ isInBrackets: Bool) -> Bool
    {
        guard let end = extent.end(of: entry.value) else { return false }
        let pair = Self.quoted(key, isJSON) + value.afterKey
        let newLine = extent.lineBreak + ValueExtent.indentation(entry.keyPosition)
        if isInBrackets {
            insert("," + (extent.isFirstOfLine(extent.offset(entry.keyPosition)) ? newLine : " ") + pair, at: end)
        } else {
            // After a comment on the line.
            insert(newLine + pair, at: extent.endOfLine(end))
        }
        return true
    }

    private mutating func append(
        variant: String, _ value: String, to variants: SourceEntry, _ elements: [SourceNode]
    ) -> Bool {
        guard let last = elements.last else { return false }
        let start = extent.offset(last.position)
        if extent.byte(at: variants.value.position) == UInt8(ascii: "[") {
            guard let end = extent.end(ofValueAt: start) else { return false }
            let separator =
                extent.isFirstOfLine(start) ? extent.lineBreak + ValueExtent.indentation(last.position) : " "
            let (key, buckets) = (Self.quoted("key", isJSON), Self.quoted("buckets", isJSON))
            insert(",\(separator){ \(key): \(keyText(variant)), \(buckets): \(value) }", at: end)
            return true
        }
        let dash = String(repeating: " ", count: dashColumn(before: start))
        let end = endOfBlock(variants, dash: dash.count)
        let lead = end == text.bytes.count && !extent.isLineEnd(before: end) ? extent.lineBreak : ""
        let filler = String(repeating: " ", count: max(1, last.position.column - 2 - dash.count))
        let inner = extent.lineBreak + ValueExtent.indentation(last.position)
        insert("\(lead)\(dash)-\(filler)key: \(keyText(variant))\(inner)buckets: \(value)\(extent.lineBreak)", at: end)
        return true
    }

    /// The end of the lines of a top-level key, before the blank lines and comments that lead to the next key. Comments
    /// that are indented more than the dashes belong to the last element.
    private func endOfBlock(_ entry: SourceEntry, dash: Int) -> Int {
        let next = root.map { extent.offset($0.keyPosition) }.filter { $0 > extent.offset(entry.keyPosition) }.min()
        var end = next ?? text.bytes.count
        while end > 0 {
            let lines = text.bytes[..<(extent.isLineEnd(before: end) ? end - 1 : end)]
            let start = (lines.lastIndex { $0 == UInt8(ascii: "\n") }).map { $0 + 1 } ?? 0
            let line = text.bytes[start..<end].drop { $0 == UInt8(ascii: " ") }
            let isOuterComment = line.first == UInt8(ascii: "#") && line.startIndex - start <= dash
            guard start > extent.offset(entry.keyPosition),
                line.isEmpty || isOuterComment || line.first?.isLineEnd == true
            else { break }
            end = start
        }
        return end
    }

    /// The column, from 0, of the dash of the list element whose value starts at an offset.
    private func dashColumn(before start: Int) -> Int {
        let line = text.bytes[..<start].reversed().prefix { !$0.isLineEnd }.reversed()
        return line.lastIndex(of: UInt8(ascii: "-")).map { line.distance(from: line.startIndex, to: $0) } ?? 0
    }

    static func text(of traffic: Traffic, isJSON: Bool) -> String {
        guard !traffic.steps.isEmpty else { return quoted(Percentage.text(ofBuckets: traffic.initial), isJSON) }
        return "[\(traffic.steps.map { text(of: $0, isJSON: isJSON) }.joined(separator: ", "))]"
    }

    static func text(of choice: ChosenRandomisation, isJSON: Bool = false) -> String {
        let members = members(of: choice).map { "\(quoted($0.key, isJSON)): \(isJSON ? $0.json : $0.value)" }
        return "{ \(members.joined(separator: ", ")) }"
    }

    /// The members of `randomisation` as YAML and as JSON, which differ in the quotes of words.
    private static func members(of choice: ChosenRandomisation) -> [(key: String, value: String, json: String)] {
        func number(_ value: Double) -> String { JSONNumber(value)?.text ?? "0" }
        let columns = choice.balance.map { JSONValue.string($0).canonicalText }
        let plain = choice.balance.map { name in
            // In brackets and in front of a colon a name of other characters would end.
            let isText = if case .text = YAMLSource.content(ofPlain: name) { Salt.isValid(name) } else { false }
            return isText ? name : JSONValue.string(name).canonicalText
        }
        let rule =
            switch choice.rule {
            case .accept(let share): ("accept", number(share))
            case .tries(let count): ("tries", "\(count)")
            }
        let criterion = ChosenRandomisation.criterion
        return [
            ("criterion", criterion, "\"\(criterion)\""),
            ("balance", "[\(plain.joined(separator: ", "))]", "[\(columns.joined(separator: ", "))]"),
            (rule.0, rule.1, rule.1), ("tried", "\(choice.tried)", "\(choice.tried)"),
            ("distance", number(choice.distance), number(choice.distance)),
            ("users", "\"\(choice.users)\"", "\"\(choice.users)\""),
        ]
    }

    private static func text(of step: Traffic.Step, isJSON: Bool) -> String {
        let members = [("from", step.from.writtenText), ("share", Percentage.text(ofBuckets: step.share))]
        return "{ \(members.map { "\(quoted($0, isJSON)): \(quoted($1, isJSON))" }.joined(separator: ", ")) }"
    }

    /// - Parameter scale: the buckets of the hash. Those of another system are written as numbers.
    static func text(of ranges: [Range<Int>], _ scale: BucketScale, isJSON: Bool) -> String {
        let texts = ranges.map { quoted(scale == .own ? BucketRange.percentText($0) : "\($0)", isJSON) }
        return "[\(texts.joined(separator: ", "))]"
    }

    /// A variant's key, in quotes if YAML would not read it as text.
    private func keyText(_ key: String) -> String {
        let isText = if case .text = YAMLSource.content(ofPlain: key) { true } else { false }
        return Self.quoted(key, isJSON || !isText)
    }

    private static func quoted(_ text: String, _ isQuoted: Bool) -> String { isQuoted ? "\"\(text)\"" : text }

    private func isAfterBracket(_ position: SourcePosition) -> Bool {
        text.bytes[..<extent.offset(position)].last {
            !$0.isLineEnd && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t")
        } == UInt8(ascii: "{")
    }
}

extension String {
    fileprivate var isBlock: Bool { first?.isNewline ?? false }

    fileprivate var afterKey: String { (isBlock ? ":" : ": ") + self }
}
