/// A condition in SQL that can be simplified before it is written.
indirect enum SQLCondition: Sendable {
    case always
    case never
    /// A comparison without connectives outside of parentheses.
    case test(String, canBeUnknown: Bool)
    case all([SQLCondition])
    case any([SQLCondition])
    case not(SQLCondition)

    static func test(_ text: String) -> SQLCondition { .test(text, canBeUnknown: true) }
    static func joined(_ parts: [SQLCondition]) -> SQLCondition { combined(parts, needsAll: true) }
    static func either(_ parts: [SQLCondition]) -> SQLCondition { combined(parts, needsAll: false) }

    private static func combined(_ parts: [SQLCondition], needsAll: Bool) -> SQLCondition {
        var kept: [SQLCondition] = []
        for part in parts {
            switch (part, needsAll) {
            case (.always, true), (.never, false): continue
            case (.never, true), (.always, false): return part
            case (.all(let inner), true), (.any(let inner), false): kept += inner
            default: kept.append(part)
            }
        }
        if kept.count == 1 { return kept[0] }
        if kept.isEmpty { return needsAll ? .always : .never }
        return needsAll ? .all(kept) : .any(kept)
    }

    /// The negation, which holds where this condition is false or unknown.
    var negated: SQLCondition {
        switch self {
        case .always: .never
        case .never: .always
        case .not(let inner): inner
        default: .not(self)
        }
    }

    private var canBeUnknown: Bool {
        switch self {
        case .always, .never, .not: false
        case .test(_, let canBeUnknown): canBeUnknown
        case .all(let parts), .any(let parts): parts.contains(where: \.canBeUnknown)
        }
    }

    /// Whether it needs parentheses within another condition.
    private var isCompound: Bool {
        switch self {
        case .all, .any: true
        default: false
        }
    }

    /// The condition for `CASE WHEN`, where unknown counts as false. Below `NOT` an unknown result is made false.
    func text(_ syntax: some SQLSyntax, indent: String) -> String {
        switch self {
        case .always: return "TRUE"
        case .never: return "FALSE"
        case .test(let text, _): return text
        case .all(let parts): return Self.text(parts, "AND", syntax, indent)
        case .any(let parts): return Self.text(parts, "OR", syntax, indent)
        case .not(let inner):
            let text = inner.text(syntax, indent: indent + "  ")
            return inner.canBeUnknown ? "NOT \(syntax.falseIfUnknown(text))" : "NOT (\(text))"
        }
    }

    private static func text(
        _ parts: [SQLCondition], _ word: String, _ syntax: some SQLSyntax, _ indent: String
    ) -> String {
        let texts = parts.map { part in
            let text = part.text(syntax, indent: indent + (part.isCompound ? "  " : ""))
            return part.isCompound ? "(\(text))" : text
        }
        let line = texts.joined(separator: " \(word) ")
        let fitsOneLine = line.utf8.count <= 90 && !line.contains("\n")
        return fitsOneLine ? line : texts.joined(separator: "\n\(indent)\(word) ")
    }
}
