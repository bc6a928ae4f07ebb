/// A condition of SQL, with what is known about it.
indirect enum SQLCondition: Sendable {
    case always
    case never
    /// A comparison, without connectives outside of brackets.
    case test(String, canBeUnknown: Bool)
    case all([SQLCondition])
    case any([SQLCondition])
    case not(SQLCondition)

    static func test(_ text: String) -> SQLCondition { .test(text, canBeUnknown: true) }

    /// All hold, as simply as it can be said.
    static func joined(_ parts: [SQLCondition]) -> SQLCondition {
        var kept: [SQLCondition] = []
        for part in parts {
            switch part {
            case .always: continue
            case .never: return .never
            case .all(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.isEmpty ? .always : kept.count == 1 ? kept[0] : .all(kept)
    }

    /// One of them holds, as simply as it can be said.
    static func either(_ parts: [SQLCondition]) -> SQLCondition {
        var kept: [SQLCondition] = []
        for part in parts {
            switch part {
            case .never: continue
            case .always: return .always
            case .any(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.isEmpty ? .never : kept.count == 1 ? kept[0] : .any(kept)
    }

    /// It does not hold; what is unknown does not hold either.
    var negated: SQLCondition {
        switch self {
        case .always: .never
        case .never: .always
        case .not(let inner): inner
        default: .not(self)
        }
    }

    /// Whether SQL may answer neither true nor false.
    private var canBeUnknown: Bool {
        switch self {
        case .always, .never, .not: false
        case .test(_, let canBeUnknown): canBeUnknown
        case .all(let parts), .any(let parts): parts.contains(where: \.canBeUnknown)
        }
    }

    /// Whether it joins others and needs brackets among them.
    private var isCompound: Bool {
        switch self {
        case .all, .any: true
        default: false
        }
    }

    /// The condition as text that `CASE WHEN` takes: unknown counts as false there, and therefore within `AND` and `OR`; below `NOT` it is
    /// made false.
    ///
    /// - Parameter indent: what continued lines begin with.
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
