import AllotConfiguration

/// Writes values as Swift source.
indirect enum SwiftLiteral {
    case source(String)
    case array([SwiftLiteral])
    case dictionary([(key: String, value: SwiftLiteral)])
    /// A `JSONValue` as JSON in text.
    case json(JSONValue)
    /// A value of a type that is written as JSON.
    case constant(String, SwiftLiteral)

    /// The most values in an expression. The compiler takes more than twice the time for twice as many.
    private static let valueLimit = 100

    /// A text in which no character can end the literal, be invisible or change the direction of writing.
    static func text(_ text: String) -> String { "\"\(escaped(text, quotes: true))\"" }

    private static func escaped(_ text: some StringProtocol, quotes: Bool) -> String {
        var source = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"" where !quotes: source += "\""
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
        return source
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        case .spaceSeparator: scalar != " "
        default: false
        }
    }

    /// A value where Swift expects a `JSONValue`.
    init(_ value: JSONValue) { self = Self.count(value) > Self.valueLimit ? .json(value) : SwiftLiteral(small: value) }

    /// An object where Swift expects a `JSONObject`.
    init(_ object: JSONObject) {
        let value = JSONValue.object(object)
        self =
            Self.count(value) > Self.valueLimit
            ? .dictionary(object.members.map { ($0.key, .json($0.value)) }) : SwiftLiteral(small: value)
    }

    private static func count(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        case .object(let object): object.members.reduce(1) { $0 + count($1.value) }
        default: 1
        }
    }

    private init(small value: JSONValue) {
        switch value {
        case .null: self = .source(".null")
        case .boolean(let flag): self = .source(flag ? "true" : "false")
        case .number(let number): self = Self.number(number)
        case .string(let text): self = .source(Self.text(text))
        case .array(let elements): self = .array(elements.map(SwiftLiteral.init(small:)))
        case .object(let object): self = .dictionary(object.members.map { ($0.key, SwiftLiteral(small: $0.value)) })
        }
    }

    private static func number(_ number: JSONNumber) -> SwiftLiteral {
        if let integer = integer(number) { return .source(integer) }
        if let floating = floating(number), isExact(number) { return .source(floating) }
        // No literal of Swift can have all its digits.
        return .json(.number(number))
    }

    /// Whether the nearest `Double` is written as the same number.
    static func isExact(_ number: JSONNumber) -> Bool { JSONNumber(number.double)?.decimal == number.decimal }

    /// A number where Swift expects an `Int`. Returns `nil` if it is not one.
    static func integer(_ number: JSONNumber) -> String? {
        if number.isWrittenAsInteger { return Int(number.text).map(String.init) }
        guard let value = Int(exactly: number.double), JSONNumber(value).decimal == number.decimal else { return nil }
        return String(value)
    }

    /// A number where Swift expects a `Double`. Returns `nil` if it is out of range.
    static func floating(_ number: JSONNumber) -> String? {
        let value = number.double
        guard value.isSubnormal else { return value.isFinite ? value.description : nil }
        // The compiler warns that decimal digits lose precision.
        return "\(value < 0 ? "-" : "")0x\(String(value.significandBitPattern, radix: 16))p-1074"
    }

    var line: String {
        switch self {
        case .source(let source): source
        case .json(let value): "JSONValue(literal: \(Self.text(value.canonicalText)))"
        case .constant(let type, let value): "\(type)(constant: \(value.line))"
        case .array(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
        case .dictionary(let members):
            members.isEmpty
                ? "[:]" : "[\(members.map { "\(Self.text($0.key)): \($0.value.line)" }.joined(separator: ", "))]"
        }
    }

    /// The source, in enough lines to stay within the width, from a column of a line with an indentation.
    func lines(from column: Int, indent: Int, trailing: Int = 0) -> String {
        let whole = line
        if column + whole.count + trailing <= SwiftSource.width { return whole }
        let inner = String(repeating: " ", count: indent + 4)
        let parts: [String]
        switch self {
        case .source: return whole
        case .json(let value): return Self.lines(of: value, indent: indent)
        case .constant(let type, let value):
            let start = "\(type)(constant: "
            return start + value.lines(from: column + start.count, indent: indent, trailing: trailing + 1) + ")"
        case .array(let elements): parts = elements.map { $0.lines(from: indent + 4, indent: indent + 4, trailing: 1) }
        case .dictionary(let members):
            parts = members.map { member in
                let key = "\(Self.text(member.key)): "
                return key + member.value.lines(from: indent + 4 + key.count, indent: indent + 4, trailing: 1)
            }
        }
        if parts.isEmpty { return whole }
        return "[\n" + parts.map { "\(inner)\($0),\n" }.joined() + String(repeating: " ", count: indent) + "]"
    }

    /// A call with JSON in several lines. JSON never has three quotes in a row.
    private static func lines(of value: JSONValue, indent: Int) -> String {
        let outer = String(repeating: " ", count: indent)
        let (middle, inner) = (outer + "    ", outer + "        ")
        let json = value.prettyText.split(separator: "\n").map { "\(inner)\(escaped($0, quotes: false))\n" }
        return "JSONValue(\n\(middle)literal: \"\"\"\n\(json.joined())\(inner)\"\"\")"
    }
}
