import AllotConfiguration
import AllotCore

/// Compares how the audiences and segments of a folder use each attribute: names that differ in case, "_" or "-" only,
/// and values that are compared in ways that do not go together. Of two ways the one that is used less is named.
struct AttributeCheck {
    /// Audiences and conditions of segments, with their content.
    let audiences: [Positioned<Condition>]
    let units: [Positioned<String>]

    private typealias Kind = Condition.Comparison

    /// A test of an attribute, kept small because large folders have many.
    private struct Use {
        let audience: Int
        let kind: Kind?
        /// Whether one of several values suffices, also as an element of a list.
        let isMembership: Bool
    }

    func problems() -> [DefinitionProblem] {
        var uses: [UTF8Key: [Use]] = [:]
        for (index, audience) in audiences.enumerated() {
            Self.forEachTest(of: audience.value) { name, test in
                let isMembership = if case .isIn = test.predicate { true } else { false }
                uses[UTF8Key(name), default: []].append(
                    Use(audience: index, kind: test.comparison, isMembership: isMembership))
            }
        }
        return spellings(uses) + targetingKeys() + numbersOfUnits(uses)
            + uses.flatMap { contradictions($0.key.text, $0.value) }
    }

    private static func forEachTest(of condition: Condition, _ body: (String, Condition.Test) -> Void) {
        switch condition {
        case .all(let parts), .any(let parts): for part in parts { forEachTest(of: part, body) }
        case .not(let part): forEachTest(of: part, body)
        // A segment is an entry of its own.
        case .segment: break
        case .test(let test): if let name = test.attribute { body(name, test) }
        }
    }

    // MARK: Names

    private func spellings(_ uses: [UTF8Key: [Use]]) -> [DefinitionProblem] {
        var counts = uses.mapValues(\.count)
        for unit in units { counts[UTF8Key(unit.value), default: 0] += 1 }
        // An experiment may have it without writing it.
        let unit = UTF8Key(Subject.defaultUnit)
        if units.contains(where: { UTF8Key($0.value) == unit }) { counts[unit] = .max }
        let groups = Dictionary(grouping: counts.keys) { $0.text.withoutSpelling }
        return groups.values.filter { $0.count > 1 }.flatMap { names in
            // Blanks at the ends of a name are hardly meant.
            func rank(_ name: UTF8Key) -> (Int, Int, UTF8Key) {
                (DoubtfulText.edgeDoubt(name.text) == nil ? 0 : 1, -(counts[name] ?? 0), name)
            }
            let sorted = names.sorted { rank($0) < rank($1) }
            let usual = sorted[0].text
            let use = uses[sorted[0]]?.first.map { audiences[$0.audience] }
            let field = use.flatMap { Self.fields(named: usual, in: $0.field).first }
            let place = use.flatMap { use in field.map { " (\(use.file):\($0.keyPosition))" } } ?? ""
            return sorted.dropFirst().flatMap { name in
                let message =
                    "the attribute \(QuotedText(name.text)) is written \(QuotedText(usual)) elsewhere\(place), and "
                    + "these are two attributes; write \(usual) if one is meant"
                let tests = Set((uses[name] ?? []).map(\.audience)).flatMap { index in
                    Self.fields(named: name.text, in: audiences[index].field).map { (audiences[index].file, $0) }
                }
                let named = units.filter { UTF8Key($0.value) == name }.map { $0.problem(message, .warning) }
                return named + tests.map { DefinitionProblem(.warning, file: $0, at: $1, atKey: true, message) }
            }
        }
    }

    /// The warnings about experiments on OpenFeature's targeting key, which is never an attribute.
    private func targetingKeys() -> [DefinitionProblem] {
        units.filter { $0.value.withoutSpelling == "targetingkey" }.map {
            $0.problem(
                "the targeting key of OpenFeature is the attribute user_id here, and not \($0.value); write user_id, "
                    + "or leave unit out", .warning)
        }
    }

    private static func fields(named name: String, in condition: Field) -> [Field] {
        (condition.entries ?? []).flatMap { key, value in
            switch key {
            case "$and", "$or", "$nor": (value.elements ?? []).flatMap { fields(named: name, in: $0) }
            case "$not": fields(named: name, in: value)
            default: UTF8Order.areEqual(key, name) ? [value] : []
            }
        }
    }

    // MARK: Values

    private func contradictions(_ name: String, _ uses: [Use]) -> [DefinitionProblem] {
        var byKind: [Kind: [Use]] = [:]
        for use in uses { if let kind = use.kind { byKind[kind, default: []].append(use) } }
        if byKind.count < 2 { return [] }
        var problems: [DefinitionProblem] = []
        for kind in Kind.allCases {
            for opposite in kind.opposites {
                let these = byKind[kind] ?? []
                let those = (byKind[opposite] ?? []).filter { kind != .list || !$0.isMembership }
                guard let first = these.first, let second = those.first else { continue }
                let isUsual = these.count >= those.count
                let (rare, usual) = isUsual ? (those, first) : (these, second)
                let (rareKind, usualKind) = isUsual ? (opposite, kind) : (kind, opposite)
                let place = operands(name, usual).first.map { "\(audiences[usual.audience].file):\($0.position)" }
                let message =
                    "\(name) is compared \(rareKind.words) here, and \(usualKind.words) in \(place ?? "another file"); "
                    + usualKind.fix
                problems += warnings(message, name, rare)
            }
        }
        return problems
    }

    private func numbersOfUnits(_ uses: [UTF8Key: [Use]]) -> [DefinitionProblem] {
        Set(units.map { UTF8Key($0.value) }).flatMap { unit in
            warnings(
                "\(QuotedText(unit.text)) holds unit IDs, and 7, 007 and 7.0 are one number; write IDs in quotes",
                unit.text, (uses[unit] ?? []).filter { $0.kind == .number })
        }
    }

    private func warnings(_ message: String, _ name: String, _ uses: [Use]) -> [DefinitionProblem] {
        let byAudience = Dictionary(uses.map { ($0.audience, $0) }, uniquingKeysWith: { first, _ in first })
        return byAudience.values.flatMap { use in
            operands(name, use).map { DefinitionProblem(.warning, file: audiences[use.audience].file, at: $0, message) }
        }
    }

    /// The operands of an audience's tests of an attribute that compare as one of them does.
    private func operands(_ name: String, _ use: Use) -> [Field] {
        let audience = audiences[use.audience]
        let values = Self.fields(named: name, in: audience.field)
        var found: [Field] = []
        Self.forEachTest(of: audience.value) { other, test in
            guard UTF8Order.areEqual(other, name), test.comparison == use.kind else { return }
            let written = values.flatMap { Self.operands(of: test.operatorName, in: $0) }
            let operand = written.first { Self.fits($0.json, test.predicate) } ?? written.first ?? audience.field
            if !found.contains(where: { $0.position == operand.position }) { found.append(operand) }
        }
        return found
    }

    private static func operands(of name: String, in value: Field) -> [Field] {
        guard let entries = value.entries, entries.contains(where: { $0.key.hasPrefix("$") }) else {
            return name == "$eq" ? [value] : []
        }
        return entries.flatMap {
            $0.key == name ? [$0.value] : $0.key == "$not" ? operands(of: name, in: $0.value) : []
        }
    }

    /// Whether a value can be the literal of a test.
    private static func fits(_ value: JSONValue, _ predicate: Condition.Predicate) -> Bool {
        switch predicate {
        case .equals(let literal): value == literal
        case .isIn(let literals, _): value == .array(literals.literals)
        case .orderedNumber(_, let number): if case .number(let value) = value { value.double == number } else { false }
        case .orderedText(_, let text), .version(_, let text): value == .string(text) || value.canonicalText == text
        default: true
        }
    }
}

extension Condition.Comparison {
    fileprivate var words: String {
        switch self {
        case .number, .order: "with a number"
        case .version: "as a version"
        case .text: "with text"
        case .textOrder: "by the order of text"
        case .flag: "with a boolean"
        case .instant: "as an instant"
        case .list: "as a list"
        }
    }

    fileprivate var fix: String {
        switch self {
        case .number, .order: "compare numbers, without quotes, in all tests"
        case .version: "use $vgte and the other operators for versions in all tests"
        case .text, .textOrder: "put texts in quotes in all tests"
        case .flag: "write true or false without quotes"
        case .instant: "use $after and the other operators for instants in all tests"
        case .list: "use $in, which also looks into lists"
        }
    }

    fileprivate var opposites: [Self] {
        switch self {
        case .version: [.order, .number, .flag, .instant]
        case .order: [.text, .textOrder, .flag, .instant]
        case .flag: [.text, .number, .textOrder]
        case .instant: [.textOrder, .text, .number]
        case .list: [.text, .number, .order, .version, .flag, .instant, .textOrder]
        case .number, .text, .textOrder: []
        }
    }
}
