import AllotConfiguration

/// Writes values as Swift source.
indirect enum SwiftLiteral {
    /// Source without parts to break lines between.
    case source(String)
    /// Elements in brackets.
    case array([SwiftLiteral])
    /// Members in brackets.
    case dictionary([(key: String, value: SwiftLiteral)])

    /// Text; nothing in it can end the literal, hide in it or turn its direction.
    static func text(_ text: String) -> String {
        var source = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": source += "\\\(scalar)"
            case "\n": source += "\\n"
            case "\r": source += "\\r"
            case "\t": source += "\\t"
            default:
                if isHidden(scalar) {
                    source += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                } else {
                    source.unicodeScalars.append(scalar)
                }
            }
        }
        return source + "\""
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        case .spaceSeparator: scalar != " "
        default: false
        }
    }

    /// A value where Swift expects a `JSONValue`.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .source(".null")
        case .boolean(let flag): self = .source(flag ? "true" : "false")
        case .number(let number): self = .source(Self.number(number))
        case .string(let text): self = .source(Self.text(text))
        case .array(let elements): self = .array(elements.map(SwiftLiteral.init))
        case .object(let object): self = .dictionary(object.members.map { ($0.key, SwiftLiteral($0.value)) })
        }
    }

    private static func number(_ number: JSONNumber) -> String {
        if let integer = integer(number) { return integer }
        if let floating = floating(number), JSONNumber(number.double)?.decimal == number.decimal { return floating }
        // No literal of Swift has all its digits.
        return "JSONNumber(\(text(number.text))).map(JSONValue.number) ?? .null"
    }

    /// A number where Swift expects an `Int`; `nil` if it is none.
    static func integer(_ number: JSONNumber) -> String? {
        if number.isWrittenAsInteger { return Int(number.text).map(String.init) }
        guard let value = Int(exactly: number.double), JSONNumber(value).decimal == number.decimal else { return nil }
        return String(value)
    }

    /// A number where Swift expects a `Double`; `nil` beyond its range.
    static func floating(_ number: JSONNumber) -> String? {
        number.double.isFinite ? number.double.description : nil
    }

    /// The source on one line.
    var line: String {
        switch self {
        case .source(let source): source
        case .array(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
        case .dictionary(let members):
            members.isEmpty
                ? "[:]" : "[\(members.map { "\(Self.text($0.key)): \($0.value.line)" }.joined(separator: ", "))]"
        }
    }

    /// The source, in as many lines as it takes to stay within a width.
    ///
    /// - Parameters:
    ///   - column: how much of the first line is taken.
    ///   - indent: the indentation of the line that it begins in.
    func lines(from column: Int, indent: Int, trailing: Int = 0) -> String {
        let whole = line
        if column + whole.count + trailing <= SwiftSource.width { return whole }
        let inner = String(repeating: " ", count: indent + 4)
        let parts: [String]
        switch self {
        case .source: return whole
        case .array(let elements):
            parts = elements.map { $0.lines(from: indent + 4, indent: indent + 4, trailing: 1) }
        case .dictionary(let members):
            parts = members.map { member in
                let key = "\(Self.text(member.key)): "
                return key + member.value.lines(from: indent + 4 + key.count, indent: indent + 4, trailing: 1)
            }
        }
        if parts.isEmpty { return whole }
        return "[\n" + parts.map { "\(inner)\($0),\n" }.joined() + String(repeating: " ", count: indent) + "]"
    }
}
