import AllotConfiguration

enum InstantOperator: String, Operator {
    case before = "$before"
    case onOrBefore = "$onOrBefore"
    case after = "$after"
    case onOrAfter = "$onOrAfter"

    var comparison: (ordering: Condition.Ordering, words: String) {
        switch self {
        case .before: (.less, "before")
        case .onOrBefore: (.lessOrEqual, "on or before")
        case .after: (.greater, "after")
        case .onOrAfter: (.greaterOrEqual, "on or after")
        }
    }

    func words(for literal: JSONValue) -> String { "is \(comparison.words) \(literal.instantInWords)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        let node = operand.node
        if node.members != nil { return reading.epoch(comparison.ordering, node, of: rawValue) }
        return reading.instant(node, of: rawValue).map { .instant(comparison.ordering, $0) }
    }
}

extension JSONValue {
    /// An instant, or the instant and the number of an attribute that counts from 1970.
    fileprivate var instantInWords: String {
        guard case .object(let object) = self, case .string(let text)? = object["instant"],
            case .string(let epoch)? = object["epoch"], let unit = EpochUnit(rawValue: epoch),
            let instant = Instant(text)
        else { return inWords }
        return "\(JSONValue.string(text).inWords), which is \(unit.number(of: instant).text) in \(epoch) since 1970"
    }
}

extension ConditionReading {
    fileprivate mutating func instant(_ node: Node, of name: String) -> Instant? {
        switch node.json {
        case .string(let text):
            if let instant = Instant(text) { return instant }
            report(node, "\(QuotedText(text)) \(Instant.fault(of: text))")
        case .number(let number):
            report(node, "\(name) takes an instant as text, not \(node.json.described); \(Self.fix(for: number))")
        default:
            report(
                node,
                "\(name) takes an instant such as \"2026-11-21T12:00:00Z\", or "
                    + "{\"instant\": \"2026-11-21T12:00:00Z\", \"epoch\": \"seconds\"} for an attribute that is a "
                    + "number, not \(node.json.described)")
        }
        return nil
    }

    /// The fix for a number that was probably meant as seconds or milliseconds since 1970.
    private static func fix(for number: JSONNumber) -> String {
        for unit in EpochUnit.allCases {
            guard let instant = unit.instant(of: number.double), EpochUnit.likely.contains(instant) else { continue }
            return "write \"\(instant)\", and if the attribute is such a number too, "
                + "{\"instant\": \"\(instant)\", \"epoch\": \"\(unit.rawValue)\"}"
        }
        return Instant.form
    }

    /// The test of a number that counts seconds or milliseconds since 1970: it compares as a number.
    fileprivate mutating func epoch(
        _ ordering: Condition.Ordering, _ node: Node, of name: String
    ) -> Condition.Predicate? {
        let keys = ["instant", "epoch"]
        let members = node.members ?? []
        for member in members where !keys.contains(member.key) {
            report(
                member.value, atKey: true, "unknown key \(QuotedText(member.key)) in the operand of \(name)",
                unknown: (member.key, keys))
        }
        guard let literal = members.first(where: { $0.key == "instant" })?.value,
            let unitNode = members.first(where: { $0.key == "epoch" })?.value
        else {
            report(
                node,
                "\(name) takes two keys for an attribute that is a number, as in "
                    + "{\"instant\": \"2026-11-21T12:00:00Z\", \"epoch\": \"seconds\"}")
            return nil
        }
        let instant = instant(literal, of: name)
        guard let unitName = text(unitNode, of: "epoch") else { return nil }
        guard let unit = EpochUnit(rawValue: unitName) else {
            report(
                unitNode,
                "unknown epoch \(QuotedText(unitName)); the attribute counts \"seconds\" or \"milliseconds\" since "
                    + "1970", unknown: (unitName, EpochUnit.allCases.map(\.rawValue)))
            return nil
        }
        return instant.map { .orderedNumber(ordering, unit.number(of: $0).double) }
    }
}

extension PassingValues {
    static func ordered(_ ordering: Condition.Ordering, instant: Instant) -> PassingValues {
        let section = Section(ordering, [.instant(instant)])
        return PassingValues(form: .section(.instant, section), literals: [.string(instant.description)]) {
            [-1, 0, 1].map { JSONValue.string(instant.adding(seconds: $0).description) }
        }
    }
}

extension ConditionProgram {
    @inline(__always) func passes(_ node: Node, instant value: AttributeValue, _ bytes: Span<UInt8>) -> Bool {
        guard value.isText, let instant = Instant(utf8: bytes.extracting(value.range)) else { return false }
        let literal = pools.instants[Int(node.operand)]
        return node.ordering.accepts(instant < literal ? -1 : instant > literal ? 1 : 0)
    }
}
