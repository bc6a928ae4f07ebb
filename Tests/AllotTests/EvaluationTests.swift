import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

struct EvaluationTests {
    @Test("Every decision is the oracle's", arguments: 0..<300)
    func agreesWithTheOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var operators = RandomOperators(seed: Int(seed), attributes: ["x", "y"], lists: ["y"])
        let audiences = operators.conditions(6)
        let definitions = RandomDefinitions.make(&random, audience: { $0.pick(audiences).condition })
            .withOtherSystems(&random)
        let written = Dictionary(
            audiences.map { ($0.condition.canonical.canonicalText, $0.json) }, uniquingKeysWith: { first, _ in first })
        let texts = Dictionary(
            uniqueKeysWithValues: definitions.experiments.map {
                ($0.key, written[$0.audience.canonical.canonicalText] ?? [:])
            })
        let plan = Plan(definitions)
        let instant = Instant(seconds: Int64.random(in: 0...30, using: &random))
        for _ in 0..<40 {
            let attributes = RandomDefinitions.attributes(&random)
            var subject = Subject(untyped: attributes)
            let (x, y) = (random.pick(RandomOperators.values), random.pick(RandomOperators.lists))
            x?.set("x", of: &subject)
            y?.set("y", of: &subject)
            let values = ConditionOracle(["x": .init(x), "y": .init(y)])
            let oracle = EvaluationOracle(
                definitions: definitions, instant: instant, attributes: attributes,
                isInAudience: { values.holds(texts[$0.key] ?? [:]) })
            for assignment in plan.assignments(for: subject, at: instant) {
                let expected = oracle.decide(assignment.experiment)
                #expect(assignment.variant == expected.variant)
                #expect(assignment.reason == expected.reason)
                #expect(assignment.bucket == expected.bucket)
            }
        }
    }

    @Test("Between two boundaries nothing changes, and at each something can", arguments: 0..<200)
    func boundaries(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withOtherSystems(&random))
        let running = plan.experiments.filter { $0.status == .running }
        let changes = Set(running.flatMap { [$0.starts, $0.ends].compactMap { $0 } + Self.changesOfTraffic($0) })
        let subject = Subject(untyped: RandomDefinitions.attributes(&random))
        for second in Int64(-1)...31 {
            let instant = Instant(seconds: second)
            #expect(plan.nextBoundary(after: instant) == changes.filter { $0 > instant }.min())
            let previous = Instant(seconds: second - 1)
            guard plan.nextBoundary(after: previous) != instant else { continue }
            #expect(
                plan.assignments(for: subject, at: previous) == plan.assignments(for: subject, at: instant),
                "\(second)")
        }
    }

    /// The instants at which a live experiment has another share than just before, found by looking at every second.
    private static func changesOfTraffic(_ experiment: Plan.Experiment) -> [Instant] {
        (Int64(0)...31).map { Instant(seconds: $0) }.filter { instant in
            let before = Instant(seconds: instant.seconds - 1)
            return [instant, before].allSatisfy { experiment.schedule.reason(at: $0) == nil }
                && experiment.traffic.share(at: instant) != experiment.traffic.share(at: before)
        }
    }

    /// A group of subjects is decided as one by one.
    @Test("A group of subjects is decided as each of them alone", arguments: 0..<200)
    func groupsAgreeWithSingleSubjects(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withOtherSystems(&random))
        let capacity = Int.random(in: 1...70, using: &random)
        var grouped = Evaluator(plan: plan, at: Instant(seconds: 10), selection: nil, groupSize: capacity)
        var single = Evaluator(plan: plan, at: Instant(seconds: 10))
        for _ in 0..<5 {
            let subjects = (0..<Int.random(in: 0...capacity, using: &random)).map { _ in
                PreparedSubject(Subject(untyped: RandomDefinitions.attributes(&random)), for: plan)
            }
            grouped.evaluate(SubjectGroup(subjects))
            for (row, subject) in subjects.enumerated() {
                single.evaluate(subject)
                #expect(grouped.selectedDecisions(row: row) == single.decisions)
            }
        }
    }

    /// A buffer that is filled again and again, at instants that go back and forth, is decided as a subject is.
    @Test("An attribute buffer is decided as the subject with its attributes", arguments: 0..<200)
    func formsAgreeWithSubjects(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withOtherSystems(&random))
        var evaluator = Evaluator(plan: plan, at: Instant(seconds: 10))
        var buffer = AttributeBuffer(plan)
        for _ in 0..<20 {
            let attributes = RandomDefinitions.attributes(&random)
            let instant = Instant(seconds: Int64.random(in: 0...30, using: &random))
            buffer.fill(attributes)
            evaluator.evaluate(buffer, at: instant)
            let decided = evaluator.decided(buffer)
            let subject = Subject(untyped: attributes)
            let expected = plan.decide(subject, at: instant)
            #expect(decided.decisions == expected.decisions)
            #expect(decided.holdouts == expected.holdouts)
            #expect(decided.fingerprint == expected.fingerprint)
            // The bytes of the plain merge.
            let bytes = plan.configuration(for: subject, at: instant).canonicalBytes
            #expect(plan.configurationBytes(of: decided) == bytes)
            #expect(plan.configurationBytes(for: subject, at: instant) == bytes)
        }
    }

    /// Deciding some experiments gives the same answers as deciding all.
    @Test("A selection of experiments changes no decision on them", arguments: 0..<100)
    func selectionChangesNoAnswer(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withOtherSystems(&random))
        var all = Evaluator(plan: plan, at: Instant(seconds: 10))
        for selected in plan.experiments.indices {
            var one = Evaluator(plan: plan, at: Instant(seconds: 10), selection: [selected])
            for _ in 0..<10 {
                let prepared = PreparedSubject(Subject(untyped: RandomDefinitions.attributes(&random)), for: plan)
                all.evaluate(prepared)
                one.evaluate(prepared)
                #expect(one.decisions[selected] == all.decisions[selected])
                #expect(
                    one.selectedDecisions().indices.allSatisfy {
                        $0 == selected || one.selectedDecisions()[$0].variant == nil
                    })
            }
        }
    }

    @Test(
        "Text of at least one byte is a unit ID, and so are the digits of an exact whole number",
        arguments: [
            (#""user-1""#, "user-1"), (#""007""#, "007"), ("42", "42"), ("-7", "-7"),
            ("9007199254740991", "9007199254740991"), ("-9007199254740991", "-9007199254740991"),
            ("9007199254740992", nil), ("1e3", nil), ("42.0", nil), ("1.5", nil), ("true", nil), ("null", nil),
            (#"["x"]"#, nil), (#""""#, nil), ("{}", nil),
        ] as [(String, String?)])
    func unitIDsFromJSON(json: String, unit: String?) throws {
        let plan = Plan(.experiment(audience: .everyone))
        func assignment(_ subject: Subject) -> Assignment { plan.assignments(for: subject, at: Instant(seconds: 0))[0] }
        let typed = assignment(Subject(attributes: ["user_id": try JSONValue(parsing: Array(json.utf8))]))
        #expect((typed.reason == .split) == (unit != nil))
        if let unit { #expect(typed == assignment(Subject(id: unit))) }
    }

    @Test("Raising traffic reassigns no unit")
    func raisingTrafficReassignsNoUnit() {
        var definitions = Definitions.experiment(audience: .everyone)
        definitions.experiments[0].variants = [
            VariantDefinition(key: "a", buckets: [0..<400_000], overrides: [:]),
            VariantDefinition(key: "b", buckets: [400_000..<1_000_000], overrides: [:]),
        ]
        var held: [Int: String] = [:]
        for traffic in stride(from: 0, through: 1_000_000, by: 125_000) {
            definitions.experiments[0].traffic = .constant(traffic)
            let plan = Plan(definitions)
            for unit in 0..<500 {
                let variant = plan.assignments(for: Subject(id: "user-\(unit)"), at: Instant(seconds: 0))[0].variant
                if let before = held[unit] { #expect(variant == before) }
                held[unit] = variant
            }
        }
        #expect(held.count == 500)
    }

    @Test(
        "The meta block names what was decided, and the salt if it is not the experiment's key",
        arguments: [nil, "again"])
    func metaSaysWhatWasDecided(salt: String?) throws {
        var experiment = ExperimentDefinition.sample("button")
        if let salt { experiment.draw?.hash = .sha256(try #require(Salt(salt))) }
        experiment.variants = [
            VariantDefinition(key: "only", buckets: [0..<1_000_000], overrides: ["A": ["two": "y", "one": 2]])
        ]
        let holdout = HoldoutDefinition(
            name: "h", hash: .sha256(try #require(Salt("h"))), unit: "user_id", share: 1_000_000,
            scope: .init(experiments: [], layers: []))
        let plan = Plan(Definitions(base: RandomDefinitions.base, holdouts: [holdout], experiments: [experiment]))
        let bucket = PreparedHash(try #require(experiment.hash)).buckets(of: "u").second
        let document = plan.configuration(for: Subject(id: "u"), at: Instant(seconds: 0))
        var assignment: JSONObject = [
            "variant": "only", "reason": "split", "bucket": .number(JSONNumber(bucket)),
            "revision": .string(plan.experiments[0].revision), "settings": ["A.one", "A.two"],
        ]
        if let salt { assignment["salt"] = .string(salt) }
        #expect(
            document.meta == [
                "format_version_string": "1.0", "configuration_revision": .string(plan.revision), "holdouts": ["h"],
                "assignments": ["button": .object(assignment)],
            ])
        #expect(plan.configurationBytes(for: Subject(id: "u"), at: Instant(seconds: 0)) == document.canonicalBytes)
        #expect(document.value("A", "two") == "y")
        #expect(document.value("A", "none") == nil)
    }
}
