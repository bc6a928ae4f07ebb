import AllotConfiguration
import AllotCore
import AllotDefinitions
import Testing

@testable import AllotImport

/// Flags with first-match rules as experiments, compared with a plain reading of the rules.
struct LoweringTests {
    private static let unit = "id"
    private static let path = PayloadPath.root.appending(key: "flags").appending(key: "f")

    private func arm(_ key: String, _ value: JSONValue? = nil) -> Arm {
        Arm(key: key, settings: [ImportedSetting("f", value ?? .string(key))])
    }

    private func share(_ arm: Arm, _ buckets: Range<Int>) -> ArmShare { (arm, [buckets]) }

    private func rule(_ condition: Guard, _ outcome: Outcome, name: String? = nil) -> ImportedRule {
        ImportedRule(name: name, path: Self.path.appending(index: 0), condition: condition, outcome: outcome)
    }

    private func flag(_ key: String, default standard: JSONValue = "none", _ rules: [ImportedRule]) -> ImportedFlag {
        ImportedFlag(key: key, path: Self.path, settings: [ImportedSetting(key, standard)], rules: rules)
    }

    private func definitions(
        _ flags: [ImportedFlag], skipping: Bool = false, needsUnit: Bool = false
    ) throws -> ImportedDefinitions {
        var project = ImportedProject(mainUnit: Self.unit)
        project.needsUnit = needsUnit
        for flag in flags { project.addFlag(flag.key, at: flag.path) { () throws(ImportProblem) in flag } }
        let lowering = ProjectLowering(project)
        if !skipping { try #require(lowering.inexact.isEmpty, "\(lowering.inexact)") }
        let text = DefinitionsText(system: "a system", section: "Flags", lowering: lowering, segments: [])
        return try ImportedDefinitions(text, attributes: [], notes: [])
    }

    private func text(_ definitions: ImportedDefinitions, _ name: String) throws -> String {
        let source = try #require(definitions.sources.first { $0.name == name })
        return String(decoding: source.bytes, as: UTF8.self)
    }

    @Test("Buckets of a draw that a rule refuses are taken from those that it asks for")
    func refusedBuckets() throws {
        let gate = Draw(.unleash1, salt: "gate", unit: "id")
        let refused = Guard.not(.all([.condition(["x": ["$eq": 1]]), .draw(gate, [0..<50])]))
        let split = rule(
            .all([refused, .draw(gate, [0..<70])]),
            .split(Draw(.eppo1, salt: "split", unit: "id"), [share(arm("red"), 0..<10_000)]))
        let definitions = try definitions([flag("f", [split])])
        let hash = try #require(ForeignHash(.unleash1, salt: "gate"))
        for unit in (0..<60).map({ "u\($0)" }) {
            let number = hash.number(of: unit)
            let (one, other): (JSONObject, JSONObject) = (["id": .string(unit), "x": 1], ["id": .string(unit)])
            #expect(ImportCase.value(definitions, "f", one) == ((50..<70).contains(number) ? "red" : "none"))
            #expect(ImportCase.value(definitions, "f", other) == (number < 70 ? "red" : "none"))
        }
    }

    @Test("A file says where it comes from, the hash and the ranges with their shares")
    func file() throws {
        let draw = Draw(.eppo1, salt: "checkout-split", unit: "id", resolution: 1000)
        let split = rule(
            .condition(["country": ["$in": ["DE", "NO"]]]),
            .split(draw, [share(arm("red"), 0..<500), share(arm("none"), 500..<1000)]),
            name: "Checkout: colour")
        let definitions = try definitions([flag("f", [split])])
        #expect(
            try text(definitions, "Checkout-colour.yaml") == """
                # a system: f, $.flags.f[0]
                description: "Checkout: colour"
                status: running
                hash: eppo/1
                salt: checkout-split
                resolution: 1000
                unit: id
                audience: { country: { $in: [DE, "NO"] } }
                variants:
                  - key: red
                    buckets: [0..<500] # 50%
                    overrides: { Flags: { f: red } }
                  - key: none
                    buckets: [500..<1000] # 50%

                """)
        #expect(definitions.report.lines[0] == "a system: 1 of 1 flag imported exactly, as 1 experiment")
    }

    /// A guard over two draws, two attributes and another flag, at random.
    private func guarded(_ dice: inout Dice, depth: Int) -> Guard {
        switch dice.roll(depth > 2 ? 5 : 9) {
        case 0: .always
        case 1: .condition(["a": ["$eq": .int(dice.roll(2))]])
        case 2: .condition(["b": ["$exists": true]])
        case 3, 4:
            .draw(
                Draw(.optimizely1, salt: "s\(dice.roll(2))", unit: "id"), [0..<dice.roll(10_001)])
        case 5: .not(guarded(&dice, depth: depth + 1))
        case 6: .all([guarded(&dice, depth: depth + 1), guarded(&dice, depth: depth + 1)])
        case 7: .any([guarded(&dice, depth: depth + 1), guarded(&dice, depth: depth + 1)])
        default: .serves(flag: "parent", arms: ["x"], orDefault: dice.roll(2) == 0)
        }
    }

    private func holds(_ condition: Guard, _ attributes: JSONObject, parent: String?) -> Bool {
        switch condition {
        case .always: return true
        case .never: return false
        case .condition(let json):
            return json == ["b": ["$exists": true]]
                ? attributes["b"] != nil : attributes["a"].map { json == ["a": ["$eq": $0]] } ?? false
        case .draw(let draw, let ranges):
            guard case .string(let id)? = attributes["id"], let hash = ForeignHash(draw.scheme, salt: draw.salt)
            else { return false }
            let bucket = hash.number(of: id)
            return ranges.contains(bucket)
        case .serves(_, let arms, let orDefault): return parent.map(arms.contains) ?? orDefault
        case .not(let part): return !holds(part, attributes, parent: parent)
        case .all(let parts): return parts.allSatisfy { holds($0, attributes, parent: parent) }
        case .any(let parts): return parts.contains { holds($0, attributes, parent: parent) }
        case .layer, .period: return false
        }
    }

    @Test("Random guards over draws, conditions and other flags decide as they read")
    func randomGuards() throws {
        let compared = try (0..<12).count { try compareRandomGuards(seed: $0) }
        #expect(compared >= 6)
    }

    /// Compares a flag with random guards. Returns false if the flag is left out, as one that cannot be said exactly.
    private func compareRandomGuards(seed: Int) throws -> Bool {
        var dice = Dice(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
        let parentRules = [
            rule(.draw(Draw(.optimizely1, salt: "p", unit: "id"), [0..<3000]), .value(Arm(key: "x", settings: []))),
            rule(
                .condition(["a": ["$eq": 1]]),
                .split(
                    Draw(.optimizely1, salt: "q", unit: "id"),
                    [share(Arm(key: "x", settings: []), 0..<5000), share(Arm(key: "y", settings: []), 5000..<8000)])),
        ]
        let guards = (0..<3).map { _ in guarded(&dice, depth: 0) }
        let rules = guards.enumerated().map { index, condition in
            index == 1
                ? rule(condition, .split(Draw(.optimizely1, salt: "s0", unit: "id"), [share(arm("1"), 0..<7000)]))
                : rule(condition, .value(arm("\(index)")))
        }
        let definitions = try definitions([flag("f", rules), flag("parent", default: 0, parentRules)], skipping: true)
        guard definitions.report.leftOutCount == 0 else { return false }
        for number in 0..<60 {
            var attributes: JSONObject = number % 5 == 4 ? [:] : ["id": .string("user-\(number)")]
            if number % 3 > 0 { attributes["a"] = .int(number % 3 - 1) }
            if number % 2 == 0 { attributes["b"] = "given" }
            let parent = served(parentRules, attributes, parent: nil)
            let expected = served(rules, attributes, parent: parent) ?? "none"
            #expect(ImportCase.value(definitions, "f", attributes) == .string(expected), "\(guards) for \(attributes)")
        }
        return true
    }

    /// The key of the arm of the first rule that applies.
    private func served(_ rules: [ImportedRule], _ attributes: JSONObject, parent: String?) -> String? {
        for rule in rules where holds(rule.condition, attributes, parent: parent) {
            switch rule.outcome {
            case .value(let arm): return arm.key
            case .split(let draw, let arms):
                for (arm, ranges) in arms where holds(.draw(draw, ranges), attributes, parent: nil) { return arm.key }
            }
        }
        return nil
    }

    @Test("Objects are not merged with the default's members, and values of other types are served")
    func objects() throws {
        let draw = Draw(.optimizely1, salt: "s", unit: "id")
        let split = rule(.always, .split(draw, [share(arm("a", ["x": 1]), 0..<5000)]))
        let definitions = try definitions([flag("f", default: ["y": 2], [split])])
        let values = (0..<20).compactMap { ImportCase.value(definitions, "f", ["id": .string("u\($0)")]) }
        #expect(Set(values) == [["x": 1], ["y": 2]])
        let mixed = try self.definitions([
            flag("f", default: 1, [rule(.condition(["a": ["$eq": 1]]), .value(arm("b", "text")))])
        ])
        #expect(ImportCase.value(mixed, "f", ["id": "u", "a": 1]) == "text")
        #expect(ImportCase.value(mixed, "f", ["id": "u"]) == 1)
        #expect(ImportCase.value(mixed, "f", [:]) == 1)
        #expect(ImportCase.value(mixed, "f", ["a": 1]) == "text")
    }

    @Test("A rule that randomises nothing has no unit, unless the other system decides for users with an ID only")
    func withoutDraw() throws {
        let rule = rule(.condition(["a": ["$eq": 1]]), .value(arm("one")), name: "one")
        let definitions = try definitions([flag("f", [rule])])
        #expect(
            try text(definitions, "one.yaml") == """
                # a system: f, $.flags.f[0]
                status: running
                unit: none
                audience: { a: { $eq: 1 } }
                variants:
                  - key: one
                    overrides: { Flags: { f: one } }

                """)
        #expect(ImportCase.value(definitions, "f", ["a": 1]) == "one")
        let needing = try self.definitions([flag("f", [rule])], needsUnit: true)
        #expect(try text(needing, "one.yaml").contains("\nunit: id\n"))
        #expect(ImportCase.value(needing, "f", ["a": 1]) == "none")
        #expect(ImportCase.value(needing, "f", ["id": "u", "a": 1]) == "one")
    }

    @Test("A layer is one where experiments have slots of their own, and a gate where they share some")
    func layers() throws {
        func rule(_ slots: Range<Int>, _ salt: String) -> ImportedRule {
            let draw = Draw(.growthbook1, salt: salt, unit: "id")
            return self.rule(
                .layer("ns", Draw(.growthbook1, salt: "__ns", unit: "id"), [slots]),
                .split(draw, [share(arm("a"), 0..<1000)]), name: salt)
        }
        let apart = try definitions([flag("f", [rule(0..<500, "one"), rule(500..<900, "two")])])
        #expect(try text(apart, "one.yaml").contains("layer: ns\nslots: [0..<500] # 50%\n"))
        #expect(
            try text(apart, "layers.yaml").hasSuffix("ns: { hash: growthbook/1, salt: __ns, unit: id }\n"))
        let fixed = self.rule(
            .layer("ns", Draw(.growthbook1, salt: "__ns", unit: "id"), [900..<1000]), .value(arm("b")), name: "all")
        let value = try definitions([flag("f", [rule(0..<500, "one"), fixed])])
        #expect(try text(value, "all.yaml").contains("unit: id\nlayer: ns\nslots: [900..<1000] # 10%\n"))
        let shared = try definitions([flag("f", [rule(0..<500, "one"), rule(400..<900, "two")])])
        #expect(!shared.sources.contains { $0.name == "layers.yaml" })
        #expect(try text(shared, "one.yaml").contains("requires:\n  in-__ns: [in]\n"))
    }

    @Test("Flags that need one that is left out, or each other, are left out as well, and say why")
    func dependencies() throws {
        func needs(_ key: String) -> [ImportedRule] {
            [rule(.serves(flag: key, arms: ["x"], orDefault: false), .value(arm("y")))]
        }
        var project = ImportedProject(mainUnit: "id")
        project.addFlag("bad", at: Self.path) { () throws(ImportProblem) in throw ImportProblem(Self.path, "no equal") }
        for (key, other) in [("a", "b"), ("b", "a"), ("c", "bad"), ("d", "absent"), ("e", "c")] {
            project.addFlag(key, at: Self.path) { () throws(ImportProblem) in flag(key, needs(other)) }
        }
        let lowering = ProjectLowering(project)
        let reasons = Dictionary(uniqueKeysWithValues: lowering.inexact.map { ($0.key, $0.problem.message) })
        #expect(lowering.flags.isEmpty)
        #expect(reasons["b"] == #"the flag depends on "a", which depends on it"#)
        #expect(reasons["c"] == #"the flag depends on "bad", which cannot be exact ($.flags.f)"#)
        #expect(reasons["d"] == #"the flag depends on "absent", which the payload does not have"#)
        #expect(Set(reasons.keys) == ["a", "b", "bad", "c", "d", "e"])
    }

    @Test("Names become valid keys, each once, and reserved ones get a number")
    func names() {
        var names = NameTable(reserved: ["base"])
        let given = ["Exp A!", "exp-a", "base", "a--b", "日本", "", "-x", String(repeating: "n", count: 80)]
        let expected = [
            "Exp-A", "exp-a-2", "base-2", "a--b", "unnamed", "unnamed-2", "x", String(repeating: "n", count: 64),
        ]
        #expect(given.map { names.unique($0) } == expected)
    }

    @Test("Text that YAML would take for something else is in quotes, and reads back")
    func quoting() throws {
        let texts = [
            "yes", "NO", "null", "1.5", "a: b", "#", "- x", "é\u{301}", "\u{FEFF}", "a\nb", "", "$in", "\u{1F642}",
        ]
        let value = JSONValue.strings(texts)
        let definitions = try definitions([flag("f", default: value, [])])
        #expect(ImportCase.value(definitions, "f", [:]) == value)
        let long = JSONValue.array((0..<200).map { .string("value \($0)") })
        #expect(ImportCase.value(try self.definitions([flag("f", default: long, [])]), "f", [:]) == long)
    }
}

/// A small generator, so that tests are the same everywhere.
private struct Dice {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(sides))
    }
}
