import AllotConfiguration
import AllotCore
import AllotDefinitions

/// A unit for which a claim does not hold, or what is known of such units.
struct Counterexample {
    /// The example in words; `nil` if there is nothing to say.
    let text: String?
    /// Whether there are such units for sure.
    let isCertain: Bool

    /// Finds a unit whose decisions are against the claim; `folder` is for the command that shows it.
    init(
        _ statement: Statement, _ violation: Statement.Violation, _ plan: Plan, folder: String? = nil,
        isViolated: ([Decision]) -> Bool
    ) {
        var values = violation.scenario.witness ?? []
        guard let region = violation.region else {
            // A share is of all units with these attributes.
            let free = values.filter { value in plan.attributes.index(of: value.name) != nil }
            let texts = free.filter { violation.scenario.parts[UTF8Key($0.name)] == nil }.map(Self.text)
            text = texts.isEmpty ? nil : "for units with \(texts.joined(separator: ", "))"
            isCertain = !violation.isOpen
            return
        }
        for (unit, knowledge) in violation.scenario.units.sorted(by: { $0.key < $1.key }) where knowledge == .anyID {
            guard unit.parts.count == 1 else {
                Self.complete(&values, unit, region, violation.scenario, known: statement.known)
                continue
            }
            let witness = values.first { UTF8Order.areEqual($0.name, unit.text) }?.value
            let forced = Set(plan.forcedUnitIDs(of: unit.text, decidingFor: Array(plan.experiments.indices)))
            guard let id = region.unitID(like: witness, as: unit, where: { !forced.contains($0) }) else { continue }
            values.removeAll { UTF8Order.areEqual($0.name, unit.text) }
            values.append((unit.text, id))
        }
        var subject = Subject(attributes: statement.known)
        for value in values { value.value.set(value.name, of: &subject) }
        let decisions = plan.decide(subject, at: statement.instant).decisions
        if isViolated(decisions) {
            let given = Set(values.map { UTF8Key($0.name) })
            let known = statement.known.members.filter { !given.contains(UTF8Key($0.key)) }
                .map { (name: $0.key, value: Subject.Value.typed($0.value)) }
            text = "for example: " + Self.command(known + values, at: statement.instant, folder)
            isCertain = true
        } else {
            text = "for units \(Self.words(region))"
            isCertain = !violation.scenario.restrictsUnits && !violation.isOpen
        }
    }

    /// Gives parts of a unit of several attributes of which nothing is known such values that the unit is in a region.
    private static func complete(
        _ values: inout [(name: String, value: Subject.Value)], _ unit: UTF8Key, _ region: BucketBox,
        _ scenario: AudienceSpace.Scenario, known: JSONObject
    ) {
        let free = scenario.freeParts.intersection(unit.parts)
        var subject = Subject(attributes: known)
        for value in values where !free.contains(UTF8Key(value.name)) { value.value.set(value.name, of: &subject) }
        guard region.complete(&subject, as: unit) else { return }
        for name in free {
            guard let value = subject.value(of: name.text) else { continue }
            values.removeAll { UTF8Order.areEqual($0.name, name.text) }
            values.append((name.text, value))
        }
    }

    private static func text(_ value: (name: String, value: Subject.Value)) -> String {
        "\(value.name) \(value.value.text.map { PrintableText($0).description } ?? "missing")"
    }

    private static func words(_ region: BucketBox) -> String {
        let parts = region.sets.map { dimension, set in
            let ranges = set.ranges.map { "\($0.lowerBound)..<\($0.upperBound)" }.joined(separator: ", ")
            let all = region.isOpen ? " of \(dimension.resolution)" : ""
            return "whose \(dimension.words) is in \(ranges)\(all)"
        }
        return parts.isEmpty ? "of any bucket" : parts.sorted().joined(separator: " and ")
    }

    /// The command that explains the decisions on a subject.
    private static func command(
        _ values: [(name: String, value: Subject.Value)], at instant: Instant, _ folder: String?
    ) -> String {
        var words = ["allot explain"]
        var typed = JSONObject()
        var pairs: [String] = []
        for (name, value) in values where value != .typed(.null) {
            switch value {
            case .typed(.string(let text)) where name == Subject.defaultUnit: words.append(text.shellWord)
            case .typed(.string(let text)) where !["true", "false", ""].contains(text.lowercased()):
                pairs.append("\(name)=\(text)".shellWord)
            case .untyped(let text): pairs.append("\(name)=\(text)".shellWord)
            case .typed(let value): typed[name] = value
            }
        }
        // Without an ID the first pair would be taken for one; an empty ID is missing.
        if words.count == 1, !pairs.isEmpty { words.append("''") }
        words += pairs
        if !typed.isEmpty || words.count == 1 {
            words.append("--attributes \(JSONValue.object(typed).canonicalText.shellWord)")
        }
        words.append("--at \(instant)")
        if let folder, folder != DefinitionsLoader.defaultFolder { words.append("--definitions \(folder.shellWord)") }
        return words.joined(separator: " ")
    }
}
