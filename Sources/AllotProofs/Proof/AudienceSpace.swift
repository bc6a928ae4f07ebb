import AllotConfiguration
import AllotCore

/// Everything that the attributes of a unit can decide for some experiments: their audiences, and the unit IDs.
struct AudienceSpace: Sendable {
    let plan: Plan
    /// The experiments, those that they require included, each after those that it requires.
    let experiments: [Int]
    let tests: [Condition.Test]
    let testRanges: [Int: Range<Int>]
    private let prepared: [PreparedTest]
    /// The attributes that are tested or hold unit IDs, or parts of them, in byte order.
    private let attributes: [Attribute]
    /// The units that decide, several attributes as one.
    private let units: [UTF8Key]
    /// By whether forced IDs are included, and by attribute; `nil` where there are too many.
    private var options: [Bool: [Int: [AttributeOption]?]] = [:]
    /// More combinations of attributes than this are not gone through.
    static let limit = 65_536

    /// An attribute with the positions of its tests in ``tests``.
    private typealias Attribute = (name: String, tests: [Int], isUnit: Bool)

    /// The last question and its scenarios: the claims of a case, and its instants, ask the same.
    private var last: (question: Question, scenarios: Scenarios)?

    private struct Question: Hashable {
        let known: JSONObject
        let present: Set<UTF8Key>
        let includesForced: Bool
    }

    init(_ plan: Plan, experiments selection: [Int]) {
        self.plan = plan
        experiments = plan.order(of: selection)
        var tests: [Condition.Test] = []
        var ranges: [Int: Range<Int>] = [:]
        for index in experiments {
            let start = tests.count
            tests += plan.definitions.experiments[index].audience.tests
            ranges[index] = start..<tests.count
        }
        (self.tests, testRanges) = (tests, ranges)
        prepared = PreparedTest.all(tests)
        var byName: [UTF8Key: [Int]] = [:]
        for (index, test) in tests.enumerated() {
            if let name = test.attribute { byName[UTF8Key(name), default: []].append(index) }
        }
        let units = plan.unitAttributes(decidingFor: experiments)
        self.units = units.sorted()
        let parts = Set(units.flatMap(\.parts))
        attributes = Set(byName.keys).union(parts).sorted().map {
            (name: $0.text, tests: byName[$0] ?? [], isUnit: parts.contains($0))
        }
    }

    /// The engine's own results of all tests for a subject.
    func results(_ subject: Subject) -> [Bool] {
        zip(tests, prepared).map { $1.accepts(subject.value(of: $0.attribute ?? "")) }
    }

    /// The attributes that audiences test and that are not given.
    func freeAttributes(_ known: JSONObject) -> [String] {
        attributes.filter { !$0.tests.isEmpty && !known.determines($0.name) }.map(\.name)
    }

    /// One combination of what attributes can decide.
    struct Scenario: Sendable {
        /// By experiment whether the unit is in its audience.
        var isInAudience: [Int: Bool]
        /// By unit what is known of its ID: of several attributes, of the joined one.
        var units: [UTF8Key: UnitKnowledge]
        /// By attribute what is known of the ID, or the part of one, that it holds.
        var parts: [UTF8Key: UnitKnowledge] = [:]
        /// The attributes of these of whose values nothing is known and that no condition tests.
        var freeParts: Set<UTF8Key> = []
        /// A value for each attribute that is not given; `nil` if there may be no such unit.
        var witness: [(name: String, value: Subject.Value)]?
        /// Whether the units are too few to have a share.
        var isRare: Bool
        /// Whether some condition restricts the unit IDs.
        var restrictsUnits: Bool
    }

    /// The scenarios, or the reason why there are none.
    enum Scenarios: Sendable {
        /// `canHold` and `canFail` say which tests some known unit passes or fails.
        case found([Scenario], canHold: [Bool], canFail: [Bool])
        /// There are too many combinations of these attributes.
        case tooMany([String])
    }

    /// Every combination that units can have which have the known attributes, and any value of those that are present.
    mutating func scenarios(known: JSONObject, present: Set<UTF8Key>, includesForced: Bool) -> Scenarios {
        let question = Question(known: known, present: Set(present.flatMap(\.parts)), includesForced: includesForced)
        if let last, last.question == question { return last.scenarios }
        let found = makeScenarios(question)
        last = (question, found)
        return found
    }

    private mutating func makeScenarios(_ question: Question) -> Scenarios {
        let (known, present, includesForced) = (question.known, question.present, question.includesForced)
        var choices: [[AttributeOption]] = []
        var count = 1
        for (index, attribute) in attributes.enumerated() {
            guard let found = choice(index, attribute, known, present, includesForced) else {
                return .tooMany([attribute.name])
            }
            count *= found.count
            guard count <= Self.limit else {
                return .tooMany(attributes.filter { !$0.isUnit && !known.determines($0.name) }.map(\.name))
            }
            choices.append(found)
        }
        var canHold = Array(repeating: false, count: tests.count)
        var canFail = canHold
        for (attribute, options) in zip(attributes, choices) {
            for option in options where option.witness != nil {
                for (test, holds) in zip(attribute.tests, option.results) {
                    if holds { canHold[test] = true } else { canFail[test] = true }
                }
            }
        }
        return .found(combine(choices, question), canHold: canHold, canFail: canFail)
    }

    private mutating func choice(
        _ index: Int, _ attribute: Attribute, _ known: JSONObject, _ present: Set<UTF8Key>, _ includesForced: Bool
    ) -> [AttributeOption]? {
        if known.determines(attribute.name) { return given(attribute, known) }
        let found: [AttributeOption]? = options[includesForced]?[index] ?? make(attribute, includesForced)
        options[includesForced, default: [:]][index] = .some(found)
        guard present.contains(UTF8Key(attribute.name)) else { return found }
        return found?.filter { !$0.isAbsent && $0.unit != .absent }
    }

    /// The options of an attribute that is given, typed and untyped.
    private func given(_ attribute: Attribute, _ known: JSONObject) -> [AttributeOption] {
        let typed = Subject(attributes: known).value(of: attribute.name) ?? .typed(.null)
        let untyped = (known[attribute.name]?.untyped).map { [Subject.Value.untyped($0)] } ?? []
        return ([typed] + untyped).map { witness in
            var option = AttributeOption(
                results: attribute.tests.map { prepared[$0].accepts(witness) }, witness: witness)
            if attribute.isUnit { option.unit = witness.unitID.map(UnitKnowledge.id) ?? .absent }
            return option
        }.distinct
    }

    private func make(_ attribute: Attribute, _ includesForced: Bool) -> [AttributeOption]? {
        let tests = attribute.tests.map { self.tests[$0] }
        guard attribute.isUnit else { return AttributeOptions.all(tests) }
        let forced = plan.forcedUnitParts(of: attribute.name, decidingFor: experiments)
        // A part of a forced ID is also a part of others.
        let adding =
            includesForced
            ? forced : plan.forcedUnitParts(of: attribute.name, decidingFor: experiments, ofSeveral: true)
        return AttributeOptions.units(tests, leaving: Set(forced.map(UTF8Key.init)), adding: adding)
    }

    /// The differences between scenarios.
    private struct Signature: Hashable {
        let audiences: [Bool]
        let units: [UnitKnowledge]
        let isRare: Bool
        let restrictsUnits: Bool
    }

    /// The units of several attributes that are forced, unless they are asked for or given.
    private func leftOut(_ question: Question) -> [UTF8Key: Set<String>] {
        guard !question.includesForced else { return [:] }
        let open = units.filter { unit in
            unit.parts.count > 1 && !unit.parts.allSatisfy { question.known.determines($0.text) }
        }
        return Dictionary(
            uniqueKeysWithValues: open.map { ($0, Set(plan.forcedUnitIDs(of: $0.text, decidingFor: experiments))) })
    }

    private func combine(_ choices: [[AttributeOption]], _ question: Question) -> [Scenario] {
        let (known, leftOut) = (question.known, leftOut(question))
        var positions: [Signature: Int] = [:]
        var scenarios: [Scenario] = []
        var results = Array(repeating: false, count: tests.count)
        var chosen: [AttributeOption] = []
        func visit(_ index: Int) {
            guard index < attributes.count else {
                let scenario = scenario(chosen, results, known)
                let isLeftOut = leftOut.contains { unit, ids in
                    if case .id(let id)? = scenario.units[unit] { ids.contains(id) } else { false }
                }
                guard !isLeftOut else { return }
                let signature = Signature(
                    audiences: experiments.map { scenario.isInAudience[$0] ?? true },
                    units: zip(attributes, chosen).filter(\.0.isUnit).map(\.1.unit), isRare: scenario.isRare,
                    restrictsUnits: scenario.restrictsUnits)
                if let position = positions[signature] {
                    if scenarios[position].witness == nil { scenarios[position].witness = scenario.witness }
                } else {
                    positions[signature] = scenarios.count
                    scenarios.append(scenario)
                }
                return
            }
            for option in choices[index] {
                for (test, holds) in zip(attributes[index].tests, option.results) { results[test] = holds }
                chosen.append(option)
                visit(index + 1)
                chosen.removeLast()
            }
        }
        visit(0)
        return scenarios
    }

    private func scenario(_ chosen: [AttributeOption], _ results: [Bool], _ known: JSONObject) -> Scenario {
        var scenario = Scenario(isInAudience: [:], units: [:], witness: [], isRare: false, restrictsUnits: false)
        var (rare, listed, tested): (Set<UTF8Key>, Set<UTF8Key>, Set<UTF8Key>) = ([], [], [])
        for (index, range) in testRanges {
            var own = results[range]
            scenario.isInAudience[index] = plan.definitions.experiments[index].audience.holds(&own)
        }
        for (attribute, option) in zip(attributes, chosen) {
            if attribute.isUnit {
                let name = UTF8Key(attribute.name)
                scenario.parts[name] = option.unit
                if option.isRare { rare.insert(name) }
                if option.unit.ids != nil { listed.insert(name) }
                if !attribute.tests.isEmpty {
                    tested.insert(name)
                } else if option.unit == .anyID {
                    scenario.freeParts.insert(name)
                }
            }
            // A member of an object that is given comes with the object.
            if known.determines(attribute.name), known[attribute.name] == nil { continue }
            if let witness = option.witness {
                scenario.witness?.append((attribute.name, witness))
            } else {
                scenario.witness = nil
            }
        }
        for unit in units {
            let parts = unit.parts
            scenario.units[unit] = .joined(parts.map { scenario.parts[$0] ?? .anyID })
            // One part that can be anything gives the units every bucket, whatever the others are.
            if parts.contains(where: rare.contains), parts.allSatisfy(rare.union(listed).contains) {
                scenario.isRare = true
            }
            if parts.contains(where: tested.contains), !parts.contains(where: scenario.freeParts.contains) {
                scenario.restrictsUnits = true
            }
        }
        return scenario
    }
}

extension UTF8Key { var parts: [UTF8Key] { CompositeUnit.parts(of: text).map(UTF8Key.init) } }

extension UnitKnowledge {
    static func joined(_ parts: [UnitKnowledge]) -> UnitKnowledge {
        guard parts.count > 1 else { return parts.first ?? .absent }
        if parts.contains(.absent) { return .absent }
        var lists: [[String]] = [[]]
        for part in parts {
            guard let ids = part.ids, lists.count * ids.count <= AttributeOptions.limit else { return .anyID }
            lists = lists.flatMap { list in ids.map { list + [$0] } }
        }
        // A joined ID that is too long is not valid.
        let ids = lists.map(CompositeUnit.join).filter { UnitID.isValidLength($0.utf8.count) }
        return ids.isEmpty ? .absent : ids.count == 1 ? .id(ids[0]) : .oneOf(ids)
    }

    /// All IDs that there can be; `nil` if they are not known.
    fileprivate var ids: [String]? {
        switch self {
        case .absent: []
        case .anyID: nil
        case .oneOf(let ids): ids
        case .id(let id): [id]
        }
    }
}

extension JSONObject {
    /// Whether an attribute has one value: it is given, or the object around it.
    func determines(_ name: String) -> Bool {
        if self[name] != nil { return true }
        guard AttributePath.leadsIntoObject(name) else { return false }
        if case .object? = self[AttributePath.parts(of: name)[0]] { return true }
        return false
    }
}

extension Plan {
    /// The attributes whose unit IDs decide for experiments: their own, those of their layers and of their holdouts.
    func unitAttributes(decidingFor experiments: [Int]) -> Set<UTF8Key> {
        var units: Set<UTF8Key> = []
        for index in experiments {
            if let unit = self.experiments[index].unit { units.insert(UTF8Key(unit)) }
            if let layer = layer(of: index) { units.insert(UTF8Key(layer.unit)) }
            units.formUnion(rivals(of: index).compactMap { self.experiments[$0].unit.map(UTF8Key.init) })
            for holdout in definitions.holdouts where holdout.covers(definitions.experiments[index]) {
                units.insert(UTF8Key(holdout.unit))
            }
        }
        return units
    }

    /// The texts of an attribute that are forced unit IDs, or parts of them, in byte order; with `ofSeveral` those of
    /// units of several attributes only.
    func forcedUnitParts(of attribute: String, decidingFor experiments: [Int], ofSeveral: Bool = false) -> [String] {
        var texts: Set<UTF8Key> = []
        for unit in unitAttributes(decidingFor: experiments) where !ofSeveral || unit.parts.count > 1 {
            for (place, name) in unit.parts.enumerated() where UTF8Order.areEqual(name.text, attribute) {
                for id in forcedUnitIDs(of: unit.text, decidingFor: experiments) {
                    let parts = unit.parts.count == 1 ? [id] : CompositeUnit.parts(of: id)
                    if place < parts.count { texts.insert(UTF8Key(parts[place])) }
                }
            }
        }
        return texts.sorted().map(\.text)
    }

    /// The unit IDs that some experiments force, or others that displace their units, in byte order.
    func forcedUnitIDs(of attribute: String, decidingFor experiments: [Int]) -> [String] {
        let deciding = Set(experiments + experiments.flatMap(rivals))
        let forcing = deciding.map { definitions.experiments[$0] }.filter {
            $0.forcesUnits && $0.unit.map { UTF8Order.areEqual($0, attribute) } ?? false
        }
        return Set(forcing.flatMap(\.forced).map { UTF8Key($0.unitID) }).sorted().map(\.text)
    }
}

extension JSONValue {
    /// A scalar as it comes from a CSV file or a query string. Returns `nil` for an empty text, which is a missing
    /// attribute, and for lists and maps, which keep their types.
    fileprivate var untyped: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.text
        case .boolean(let flag): "\(flag)"
        case .null, .array, .object: nil
        }
    }
}
