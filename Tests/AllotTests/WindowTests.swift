import AllotConfiguration
import TestSupport
import Testing

@_spi(Groups) @testable import AllotCore

/// Units of several attributes, and randomisations in windows of time.
struct WindowTests {
    // MARK: Golden vectors

    @Test("Joined unit IDs and the buckets of windows are those of the golden vectors")
    func goldenVectors() throws {
        let cases = try Vectors.load("windows")
        #expect(cases.count > 250)
        for entry in cases {
            let salt = try #require(entry.text("salt").flatMap(Salt.init))
            let parts = entry.array("parts").compactMap { if case .string(let part) = $0 { part } else { nil } }
            let unit = CompositeUnit.join(parts)
            #expect(unit == entry.text("unit"))
            if parts.count > 1 { #expect(CompositeUnit.parts(of: unit) == parts) }
            let period = Period(
                every: Int64(try #require(entry.integer("every"))), from: Instant(seconds: 0),
                isBalanced: entry["balanced"] == true)
            let instant = Instant(seconds: Int64(try #require(entry.integer("seconds"))))
            #expect(period.number(at: instant) == entry.integer("window").map(Int64.init))
            let buckets = period.buckets(of: Array(unit.utf8).span, under: SaltedHash(salt), at: instant)
            #expect(buckets.first == entry.integer("first"), "\(unit)")
            #expect(buckets.second == entry.integer("second"), "\(unit)")
        }
    }

    @Test("No two lists of texts are joined to one text")
    func joiningIsInjective() {
        let letters = ["|", "\\", "a"]
        var texts = [""]
        for _ in 0..<3 { texts += texts.flatMap { text in letters.map { text + $0 } } }
        texts = Array(Set(texts)).filter { !$0.isEmpty }
        var seen: [String: [String]] = [:]
        for left in texts {
            for right in texts {
                let joined = CompositeUnit.join([left, right])
                #expect(seen.updateValue([left, right], forKey: joined) == nil)
                #expect(CompositeUnit.parts(of: joined) == [left, right])
            }
        }
    }

    @Test(
        "A text longer than a hash block is hashed with its window", arguments: [1, 30, 52, 53, 54, 55, 56, 200, 1024])
    func lengthsAroundBlocks(length: Int) throws {
        let salt = SaltedHash(try #require(Salt("s")))
        let unit = String(repeating: "u", count: length)
        for window in [Int64(0), 9, 10, 123_456, Int64.max] {
            #expect(salt.buckets(of: Array(unit.utf8).span, window: window) == salt.buckets(of: "\(unit)@\(window)"))
        }
    }

    // MARK: Against the oracle

    @Test("Every decision on joined units and windows is the oracle's", arguments: 0..<300)
    func agreesWithTheOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let definitions = RandomDefinitions.make(&random).withOtherSystems(&random).withWindows(&random)
        let plan = Plan(definitions)
        for _ in 0..<40 {
            let instant = Instant(seconds: Int64.random(in: 0...30, using: &random))
            let attributes = RandomDefinitions.attributesWithParts(&random)
            let oracle = EvaluationOracle(definitions: definitions, instant: instant, attributes: attributes)
            for assignment in plan.assignments(for: Subject(untyped: attributes), at: instant) {
                let expected = oracle.decide(assignment.experiment)
                #expect(assignment.variant == expected.variant)
                #expect(assignment.reason == expected.reason)
                #expect(assignment.bucket == expected.bucket)
            }
        }
    }

    @Test("A group whose subjects have instants of their own is decided as each of them alone", arguments: 0..<200)
    func groupsAgreeWithSingleSubjects(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withOtherSystems(&random).withWindows(&random))
        let capacity = Int.random(in: 2...70, using: &random)
        var grouped = Evaluator(plan: plan, at: Instant(seconds: 10), selection: nil, groupSize: capacity)
        var single = Evaluator(plan: plan, at: Instant(seconds: 10))
        for _ in 0..<5 {
            let subjects = (0..<Int.random(in: 0...capacity, using: &random)).map { _ in
                PreparedSubject(Subject(untyped: RandomDefinitions.attributesWithParts(&random)), for: plan)
            }
            let instants = subjects.map { _ in Instant(seconds: Int64.random(in: 0...30, using: &random)) }
            let group = SubjectGroup(subjects)
            grouped.evaluate(group: group.count, group.values.span, group.bytes.span, at: instants)
            for (row, subject) in subjects.enumerated() {
                single.evaluate(subject, at: instants[row])
                #expect(grouped.selectedDecisions(row: row) == single.decisions)
            }
        }
    }

    @Test("One experiment is decided for a subject as among all of them", arguments: 0..<200)
    func singleDecisionsAgree(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withOtherSystems(&random).withWindows(&random))
        var (all, one) = (
            Evaluator(plan: plan, at: Instant(seconds: 0)), Evaluator(plan: plan, at: Instant(seconds: 0))
        )
        for _ in 0..<10 {
            let subject = PreparedSubject(Subject(untyped: RandomDefinitions.attributesWithParts(&random)), for: plan)
            let instant = Instant(seconds: Int64.random(in: 0...30, using: &random))
            all.evaluate(subject, at: instant)
            for index in plan.experiments.indices {
                #expect(one.decide(index, for: subject, at: instant) == all.decisions[index])
            }
        }
    }

    @Test(
        "Configurations with windows have the bytes of the plain merge, and a fingerprint for each window",
        arguments: 0..<100)
    func configurationsAgree(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withOtherSystems(&random).withWindows(&random))
        for _ in 0..<10 {
            let subject = Subject(untyped: RandomDefinitions.attributesWithParts(&random))
            var answers: [String: [UInt8]] = [:]
            for second in Int64(0)...30 {
                let decided = plan.decide(subject, at: Instant(seconds: second))
                let bytes = plan.configuration(for: subject, at: Instant(seconds: second)).canonicalBytes
                #expect(plan.configurationBytes(of: decided) == bytes)
                if let known = answers.updateValue(bytes, forKey: decided.fingerprint) { #expect(known == bytes) }
            }
        }
    }

    @Test("Between two boundaries nothing changes, and each window begins at one", arguments: 0..<200)
    func boundaries(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withWindows(&random))
        let subject = Subject(untyped: RandomDefinitions.attributesWithParts(&random))
        for second in Int64(0)...31 {
            let (instant, previous) = (Instant(seconds: second), Instant(seconds: second - 1))
            let begins = plan.experiments.contains { experiment in
                guard let window = experiment.window(at: instant) else { return false }
                return window.since == instant
            }
            if begins {
                #expect(plan.nextBoundary(after: previous) == instant)
                #expect(plan.lastBoundary(at: instant) == instant)
            }
            guard plan.nextBoundary(after: previous) != instant else { continue }
            #expect(plan.assignments(for: subject, at: previous) == plan.assignments(for: subject, at: instant))
        }
    }

    // MARK: Periods

    private static func plan(every seconds: Int64 = 3600, isBalanced: Bool = false, unit: String = "city|line") throws
        -> Plan
    {
        var experiment = ExperimentDefinition(
            key: "surge-price", status: .running, salt: try #require(Salt("surge-price")),
            variants: [
                VariantDefinition(key: "off", buckets: [0..<500_000], overrides: [:]),
                VariantDefinition(key: "on", buckets: [500_000..<1_000_000], overrides: [:]),
            ])
        experiment.draw?.unit = unit
        experiment.draw?.period = Period(every: seconds, from: Instant(seconds: 0), isBalanced: isBalanced)
        return Plan(Definitions(experiments: [experiment]))
    }

    private static let line = Subject(attributes: ["city": "berlin", "line": "U1"])

    @Test("No unit is enrolled before the first window")
    func beforeTheFirstWindow() throws {
        let plan = try Self.plan()
        #expect(plan.assignments(for: Self.line, at: Instant(seconds: -1))[0].reason == .notStarted)
        #expect(plan.assignments(for: Self.line, at: Instant(seconds: 0))[0].reason == .split)
        #expect(plan.nextBoundary(after: Instant(seconds: -100)) == Instant(seconds: 0))
    }

    @Test("A window far away has its number and its boundary at once")
    func farWindows() throws {
        let plan = try Self.plan(every: 60)
        let instant = Instant(seconds: 253_000_000_000, nanoseconds: 5)
        let number: Int64 = 4_216_666_666
        #expect(plan.experiments[0].window(at: instant)?.number == number)
        #expect(plan.nextBoundary(after: instant) == Instant(seconds: 253_000_000_000 / 60 * 60 + 60))
        // No window begins after the year 9999.
        #expect(plan.nextBoundary(after: Instant.writable.upperBound) == nil)
        #expect(plan.nextBoundary(after: Instant(seconds: .min)) == Instant(seconds: 0))
        _ = plan.nextBoundary(after: Instant(seconds: .max))
    }

    @Test("The configuration's meta names the unit, the window and its start")
    func meta() throws {
        let plan = try Self.plan()
        let meta = plan.configuration(for: Self.line, at: Instant(seconds: 7300)).meta
        let entry = meta.object("assignments")?.object("surge-price")
        #expect(entry?["unit"] == "city|line")
        #expect(entry?["window"] == 2)
        #expect(entry?["since"] == "1970-01-01T02:00:00Z")
        let other = Subject(attributes: ["city": "berlin"])
        #expect(plan.configuration(for: other, at: Instant(seconds: 7300)).meta.object("assignments") == [:])
    }

    @Test("The order of the attributes makes another unit")
    func orderOfAttributes() throws {
        let units = try [Self.plan(), Self.plan(unit: "line|city")].map { plan in
            plan.assignments(for: Self.line, at: Instant(seconds: 0))[0].bucket
        }
        #expect(units[0] != units[1])
    }

    @Test("An explanation names the window, when it begins and ends, and the text that is hashed")
    func explanation() throws {
        let explanation = try Self.plan(isBalanced: true).explanation(for: Self.line, at: Instant(seconds: 3700))
        let entry = try #require(explanation.experiments.first)
        #expect(entry.unitID == "berlin|U1")
        #expect(explanation.text.contains("1, from 1970-01-01T01:00Z until before 1970-01-01T02:00Z"))
        #expect(explanation.text.contains("hashes surge-price:berlin|U1@0; the second bucket is 999999 minus"))
        let partial = try Self.plan().explanation(
            for: Subject(attributes: ["city": "berlin"]), at: Instant(seconds: 3700))
        #expect(partial.text.contains("line is missing, so there is no unit to assign"))
        #expect(partial.experiments[0].dependsOn == ["line"])
    }

    @Test("A period and its balance are parts of the revision")
    func revisions() throws {
        let plans = try [
            Self.plan(), Self.plan(every: 7200), Self.plan(isBalanced: true), Self.plan(unit: "line|city"),
        ]
        #expect(Set(plans.map { $0.experiments[0].revision }).count == plans.count)
    }

    // MARK: Statistics

    /// Chi-square with one degree of freedom of the fourfold table, at z = 3.29: 10.83. Fixed inputs, so that the
    /// result is the same each time.
    private static func areIndependent(_ table: [[Int]]) -> Bool {
        let rows = table.map { Double($0[0] + $0[1]) }
        let columns = [Double(table[0][0] + table[1][0]), Double(table[0][1] + table[1][1])]
        let total = rows[0] + rows[1]
        var chiSquare = 0.0
        for row in 0..<2 {
            for column in 0..<2 {
                let expected = rows[row] * columns[column] / total
                let difference = Double(table[row][column]) - expected
                chiSquare += difference * difference / expected
            }
        }
        return chiSquare < 10.83
    }

    @Test("The arms of consecutive windows are independent, over a million unit-windows")
    func windowsAreIndependent() throws {
        let salt = SaltedHash(try #require(Salt("independent")))
        let period = Period(every: 60, from: Instant(seconds: 0))
        var arms = [[0, 0], [0, 0]]
        var enrolled = [[0, 0], [0, 0]]
        for unit in 0..<1000 {
            let id = Array("unit-\(unit)".utf8)
            var before: BucketPair?
            for window in Int64(0)...1000 {
                let buckets = period.buckets(of: id.span, under: salt, at: Instant(seconds: window * 60))
                if let before {
                    arms[before.second < 500_000 ? 0 : 1][buckets.second < 500_000 ? 0 : 1] += 1
                    enrolled[before.first < 300_000 ? 0 : 1][buckets.first < 300_000 ? 0 : 1] += 1
                }
                before = buckets
            }
        }
        #expect(arms.joined().reduce(0, +) == 1_000_000)
        #expect(Self.areIndependent(arms))
        #expect(Self.areIndependent(enrolled))
    }

    @Test("A balanced pair of windows gives a unit both arms, in an order independent of the pair before")
    func pairsAreBalanced() throws {
        let plan = try Self.plan(every: 60, isBalanced: true)
        var evaluator = Evaluator(plan: plan, at: Instant(seconds: 0))
        var orders = [[0, 0], [0, 0]]
        var firsts = 0
        for unit in 0..<100 {
            let subject = PreparedSubject(Subject(attributes: ["city": "c", "line": .string("\(unit)")]), for: plan)
            var before: Int?
            for pair in Int64(0)...200 {
                let first = evaluator.decide(0, for: subject, at: Instant(seconds: pair * 120)).variant
                let second = evaluator.decide(0, for: subject, at: Instant(seconds: pair * 120 + 60)).variant
                let order = try #require(first)
                #expect(second == 1 - order)
                if let before { orders[before][order] += 1 }
                firsts += order
                before = order
            }
        }
        #expect(Self.areIndependent(orders))
        // z = 3.29 of a half.
        #expect(abs(Double(firsts) - 10_050) < 3.29 * (20_100 * 0.25).squareRoot())
    }
}
