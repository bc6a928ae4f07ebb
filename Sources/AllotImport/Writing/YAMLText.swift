import AllotConfiguration

/// Values as YAML for people. Text has no quotes if it is a plain word that no version takes for another type.
enum YAMLText {
    private static let width = 110

    static func entry(_ key: String, _ value: JSONValue) -> [String] { entry(key, value, width: width) }

    private static func entry(_ key: String, _ value: JSONValue, width: Int) -> [String] {
        let name = scalar(key)
        if let flow = flow(value, limit: width - name.utf8.count - 2) { return ["\(name): \(flow)"] }
        if case .string(let text) = value { return ["\(name): \(scalar(text))"] }
        return ["\(name):"] + block(value, width: width - 2).map { "  \($0)" }
    }

    private static func block(_ value: JSONValue, width: Int) -> [String] {
        if let flow = flow(value, limit: width) { return [flow] }
        switch value {
        case .object(let object): return object.members.flatMap { entry($0.key, $0.value, width: width) }
        case .array(let elements) where elements.contains(where: isCollection):
            return elements.flatMap { element in
                block(element, width: width - 2).enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
            }
        case .array(let elements): return wrapped(elements, width: width)
        case .string(let text): return [scalar(text)]
        default: return [value.canonicalText]
        }
    }

    private static func wrapped(_ elements: [JSONValue], width: Int) -> [String] {
        let texts = elements.enumerated().map { index, element in
            (flow(element, limit: .max) ?? "") + (index + 1 < elements.count ? "," : "")
        }
        return ["["] + wrap(texts, width: width - 3).map { "  " + $0 } + ["]"]
    }

    private static func isCollection(_ value: JSONValue) -> Bool { value.asArray != nil || value.asObject != nil }

    private static func flow(_ value: JSONValue, limit: Int) -> String? {
        var text = ""
        return append(value, to: &text, limit: limit) ? text : nil
    }

    private static func append(_ value: JSONValue, to text: inout String, limit: Int) -> Bool {
        switch value {
        case .string(let string): text += scalar(string)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                guard append(element, to: &text, limit: limit) else { return false }
            }
            text += "]"
        case .object(let object) where object.isEmpty: text += "{}"
        case .object(let object):
            text += "{ "
            for (index, member) in object.members.enumerated() {
                text += (index > 0 ? ", " : "") + scalar(member.key) + ": "
                guard append(member.value, to: &text, limit: limit) else { return false }
            }
            text += " }"
        case .null, .boolean, .number: text += value.canonicalText
        }
        return text.utf8.count <= limit
    }

    /// Words that some version of YAML does not read as text.
    private static let reserved: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

    static func scalar(_ text: String) -> String {
        let bytes = text.utf8
        let isPlain =
            bytes.count <= 64 && bytes.first.map { $0.isOfPlainName && !$0.isDigit || $0 == UInt8(ascii: "$") } ?? false
            && bytes.allSatisfy { $0.isOfPlainName || "$-./".utf8.contains($0) }
        return isPlain && !reserved.contains(text.lowercased()) ? text : quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where PrintableText.isHidden(scalar):
                let isLong = scalar.value > 0xFFFF
                result += (isLong ? "\\U" : "\\u") + scalar.value.zeroPadded(to: isLong ? 8 : 4, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The lines of a comment. Text from outside cannot end it.
    static func comment(_ text: String) -> [String] {
        let words = PrintableText(text, atMost: .max).description.split(separator: " ").map(String.init)
        return wrap(words, width: width).map { "# \($0)" }
    }

    private static func wrap(_ words: [String], width: Int) -> [String] {
        var lines = [""]
        for word in words {
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.utf8.count + word.utf8.count > width {
                lines.append(word)
            } else {
                lines[lines.count - 1] += (last.isEmpty ? "" : " ") + word
            }
        }
        return lines
    }
}
