import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

/// Attributes that were not given, in explanations.
struct DependencyTests {
    private static let instant = Instant(seconds: 10)

    /// An experiment that gives everyone in the audience one variant.
    private static func experiment(
        _ key: String = "e", audience: String = "{}", requires requirements: [ExperimentDefinition.Requirement] = []
    ) throws -> ExperimentDefinition {
        var experiment = ExperimentDefinition.sample(key)
        let condition = try JSONValue(parsing: Array(audience.utf8))
        experiment.audience = try #require(ConditionParser.parse(condition, segments: SegmentTable()).condition)
        experiment.requirements = requirements
        return experiment
    }

    private static let isGerman = #"{"country": "DE"}"#

    private static func plan(
        _ experiments: [ExperimentDefinition], layers: [LayerDefinition] = [], holdouts: [HoldoutDefinition] = []
    ) -> Plan { Plan(Definitions(layers: layers, holdouts: holdouts, experiments: experiments)) }

    /// The attributes that the decisions on some experiments rest on, by their keys.
    private static func dependencies(_ plan: Plan, _ subject: Subject) -> [String: [String]] {
        let experiments = plan.explanation(for: subject, at: instant).experiments
        return Dictionary(experiments.map { ($0.assignment.experiment, $0.dependsOn) }) { first, _ in first }
    }

    private static let either = #"{"$or": [{"country": "DE"}, {"orders": {"$gt": 3}}]}"#
    private static let both = #"{"country": "DE", "orders": {"$lt": 5}}"#
    private static let notBoth = #"{"$not": {"country": "DE", "orders": {"$lt": 5}}}"#
    private static let neither = #"{"$nor": [{"country": "DE"}, {"plan": "free"}]}"#
    private static let nested = #"{"$and": [{"$or": [{"country": "DE"}, {"plan": "pro"}]}, {"orders": 1}]}"#

    /// An audience, the attributes that are given, and those that the decision rests on. An empty text says that the
    /// unit does not have the attribute.
    static let audiences: [(audience: String, given: [String: String], expected: [String])] = [
        ("{}", [:], []), (#"{"user_id": "u"}"#, [:], []), (#"{"country": "DE"}"#, [:], ["country"]),
        (#"{"country": "DE"}"#, ["country": "US"], []), (#"{"country": "DE"}"#, ["country": "DE"], []),
        (#"{"country": "DE"}"#, ["country": ""], []), (#"{"country": {"$ne": "US"}}"#, [:], ["country"]),
        (#"{"orders": {"$exists": false}}"#, [:], ["orders"]), (#"{"orders": {"$exists": false}}"#, ["orders": ""], []),
        (either, [:], ["country", "orders"]), (either, ["country": "DE"], []), (either, ["country": "US"], ["orders"]),
        (either, ["orders": "9"], []), (either, ["orders": "1"], ["country"]),
        (either, ["orders": "1", "country": "US"], []), (both, [:], ["country", "orders"]),
        (both, ["country": "US"], []), (both, ["country": "DE"], ["orders"]), (both, ["orders": "9"], []),
        (notBoth, ["country": "US"], []), (notBoth, [:], ["country", "orders"]), (neither, ["plan": "free"], []),
        (neither, ["plan": "pro"], ["country"]), (nested, ["orders": "1"], ["country", "plan"]),
        (nested, ["orders": "2"], []), (#"{"tags": {"$elemMatch": {"$eq": "x"}}}"#, [:], ["tags"]),
        (#"{"tags": {"$size": 2}}"#, [:], ["tags"]), (#"{"device.os": "ios"}"#, [:], ["device.os"]),
        // An object that is absent in text has no members.
        (#"{"device.screen.size": 1}"#, ["device": ""], []), (#"{"device.screen.size": 1}"#, ["device.screen": ""], []),
    ]

    @Test("A decision rests on the attributes that can change it, and on no others", arguments: audiences.indices)
    func dependenciesOfAudiences(index: Int) throws {
        let (audience, given, expected) = Self.audiences[index]
        var experiment = try Self.experiment(audience: audience)
        var subject = Subject(untyped: given)
        subject.setTyped("user_id", "u")
        #expect(Self.dependencies(Self.plan([experiment]), subject) == ["e": expected])
        // No unit is enrolled, whatever the unit is.
        for traffic in Self.noTrafficAtTheInstant {
            experiment.traffic = traffic
            #expect(Self.dependencies(Self.plan([experiment]), subject) == ["e": []])
            #expect(Self.dependencies(Self.plan([experiment]), Subject(untyped: given)) == ["e": []])
        }
    }

    /// Traffic that enrols no unit at the instant.
    private static let noTrafficAtTheInstant: [Traffic] = [
        .constant(0), .steps([.init(from: Instant(seconds: 11), share: 1_000_000)]),
        .steps([.init(from: Instant(seconds: 1), share: 1_000_000), .init(from: Instant(seconds: 9), share: 0)]),
    ]

    @Test("Traffic that enrols no unit settles a decision without a unit, unless the unit may be forced")
    func noTraffic() {
        for traffic in Self.noTrafficAtTheInstant {
            var experiment = ExperimentDefinition.sample("e")
            experiment.traffic = traffic
            #expect(Self.dependencies(Self.plan([experiment]), Subject()) == ["e": []])
            experiment.forced = [.init(unitID: "o", variant: "only")]
            #expect(Self.dependencies(Self.plan([experiment]), Subject()) == ["e": ["user_id"]])
        }
        #expect(Self.dependencies(Self.plan([.sample("e")]), Subject()) == ["e": ["user_id"]])
    }

    /// Attributes of a unit, and those that an audience of a member, a deeper one and a country rests on.
    static let typed: [(given: JSONObject, expected: [String])] = [
        (["device": ["os": "ios", "screen": ["size": 5]], "country": .null], []),
        (["device": ["os": "ios", "screen": ["size": 5]]], ["country"]),
        // Without the object, or with another type in its place, the unit does not have its members.
        (["device": .null, "country": "DE"], []), (["device": "phone", "country": "DE"], []),
        (["device": [1], "country": "DE"], []), (["device": ["os": "ios", "screen": .null], "country": "DE"], []),
        (["device": ["os": "ios", "screen": 5], "country": "DE"], []),
        (["device": ["os": "ios", "screen": [:]], "country": "DE"], ["device.screen.size"]),
        (["device": [:], "country": "DE"], ["device.os", "device.screen.size"]),
    ]

    @Test("A typed null is given, and so are the members of an object", arguments: typed.indices)
    func typedAttributes(index: Int) throws {
        let (given, expected) = Self.typed[index]
        // No given value passes a test, which would settle all of them.
        let experiment = try Self.experiment(
            audience: #"{"$or": [{"device.os": "x"}, {"device.screen.size": 1}, {"country": "x"}]}"#)
        #expect(Self.dependencies(Self.plan([experiment]), Subject(id: "u", attributes: given)) == ["e": expected])
    }

    @Test("Units that rivals force count, unless they are given or something else settles the decision")
    func rivals() throws {
        var team = try Self.experiment("team", audience: #"{"country": "US"}"#)
        team.draw?.unit = "org_id"
        team.forced = [.init(unitID: "acme", variant: "only")]
        var plain = try Self.experiment("plain", audience: Self.isGerman)
        (team.layer, team.slots) = ("layer", [0..<500_000])
        (plain.layer, plain.slots) = ("layer", [0..<1_000_000])
        var over = plain
        (over.key, over.status, over.winner) = ("over", .concluded, "only")
        var idea = plain
        (idea.key, idea.status) = ("idea", .draft)
        var tester = plain
        tester.key = "tester"
        tester.forced = [.init(unitID: "t", variant: "only")]
        let salt = try #require(Salt("layer"))
        let plan = Self.plan(
            [team, plain, over, idea, tester],
            layers: [LayerDefinition(name: "layer", hash: .sha256(salt), unit: "user_id")])
        func open(_ attributes: [String: String]) -> [String: [String]] {
            Self.dependencies(plan, Subject(untyped: attributes))
        }
        let germany = open(["user_id": "u", "country": "DE"])
        // Units of the team itself may be forced as well.
        let unit = ["org_id"]
        #expect(germany == ["plain": unit, "over": unit, "tester": unit, "team": unit, "idea": []])
        for given in [["org_id": "acme"], ["org_id": "o"], ["org_id": ""]] {
            let known = open(given.merging(["user_id": "u", "country": "DE"]) { first, _ in first })
            #expect(known.values.allSatisfy { $0.isEmpty }, "\(given)")
        }
        // Not in the audience, whatever the organisation is; forced before anything else.
        let elsewhere = open(["user_id": "u", "country": "US"])
        #expect(elsewhere["plain"] == [])
        #expect(elsewhere["over"] == [])
        #expect(open(["user_id": "t", "country": "DE"])["tester"] == [])
    }

    @Test("Units of the experiment, its layer and its holdouts count as well")
    func units() throws {
        let salt = try #require(Salt("gate"))
        let layer = LayerDefinition(name: "layer", hash: .sha256(salt), unit: "org_id")
        let holdout = HoldoutDefinition(
            name: "holdout", hash: .sha256(salt), unit: "device_id", share: 500_000,
            scope: HoldoutDefinition.Scope(experiments: ["plain"], layers: []))
        var inLayer = ExperimentDefinition.sample("layered")
        (inLayer.layer, inLayer.slots) = ("layer", [0..<500_000])
        var team = try Self.experiment("team", audience: Self.isGerman)
        team.draw?.unit = "org_id"
        var paused = team
        (paused.key, paused.status) = ("paused", .paused)
        var over = team
        (over.key, over.status, over.winner) = ("over", .concluded, "only")
        var forcing = paused
        (forcing.key, forcing.status) = ("forcing", .draft)
        forcing.forced = [.init(unitID: "o", variant: "only")]
        let plan = Self.plan(
            [.sample("plain"), inLayer, team, paused, over, forcing], layers: [layer], holdouts: [holdout])
        #expect(
            Self.dependencies(plan, Subject(id: "u")) == [
                "plain": ["device_id"], "layered": ["org_id"], "team": ["country", "org_id"], "paused": [],
                "over": ["country", "org_id"], "forcing": ["org_id"],
            ])
    }

    @Test("What a requirement rests on, a decision rests on")
    func requirements() throws {
        let first = try Self.experiment("first", audience: Self.isGerman)
        let second = try Self.experiment("second", requires: [.init(experiment: "first", .variants(["only"]))])
        let third = try Self.experiment(
            "third", audience: #"{"plan": "pro"}"#, requires: [.init(experiment: "first", .noVariant)])
        let plan = Self.plan([first, second, third])
        #expect(
            Self.dependencies(plan, Subject(id: "u"))
                == ["first": ["country"], "second": ["country"], "third": ["country", "plan"]])
        #expect(
            Self.dependencies(plan, Subject(id: "u", attributes: ["plan": "free"]))
                == ["first": ["country"], "second": ["country"], "third": []])
        #expect(
            Self.dependencies(plan, Subject(id: "u", attributes: ["country": "US"]))
                == ["first": [], "second": [], "third": ["plan"]])
    }

    @Test("All requirements count, and one that is not met settles a decision wherever it stands", arguments: [0, 1])
    func severalRequirements(order: Int) throws {
        let first = try Self.experiment("first", audience: Self.isGerman)
        let gate = try Self.experiment("gate", audience: #"{"plan": "pro"}"#)
        var second = try Self.experiment(
            "second",
            requires: ["first", "gate"].map { ExperimentDefinition.Requirement(experiment: $0, .variants(["only"])) })
        if order == 1 { second.requirements.reverse() }
        let plan = Self.plan([first, gate, second])
        for (given, expected) in [
            ([:], ["country", "plan"]), (["plan": "free"], []), (["country": "US"], []), (["plan": "pro"], ["country"]),
            (["country": "DE"], ["plan"]), (["country": "DE", "plan": "pro"], []),
        ] as [([String: String], [String])] {
            var subject = Subject(untyped: given)
            subject.setTyped("user_id", "u")
            #expect(Self.dependencies(plan, subject)["second"] == expected, "\(given)")
            // The last step is that of the requirement that decided.
            let experiment = try #require(
                plan.explanation(for: subject, at: Self.instant, experiments: ["second"]).experiments.first)
            if experiment.assignment.reason == .requirement {
                let areRequirements = experiment.steps.map { if case .requirement = $0 { true } else { false } }
                #expect(areRequirements.last == true)
                #expect(areRequirements.count { $0 } <= 2)
            }
        }
    }

    /// Values of all attributes; among those of units are some that are forced.
    private static func values(_ plan: Plan) -> [(String, [String])] {
        func forced(by unit: String) -> [String] {
            let forcing = plan.definitions.experiments.filter { $0.forcesAnyUnit && $0.unit == unit }
            return Array(forcing.compactMap { $0.forced.first?.unitID }.prefix(3))
        }
        return [
            ("country", ["", "DE", "US"]), ("org_id", ["", "o-1", "o-2"] + forced(by: "org_id")),
            ("user_id", ["", "u-1", "u-2"] + forced(by: "user_id")),
        ]
    }

    /// All subjects that have the given attributes, and any values of the others.
    private static func completions(_ given: [String: String], _ values: [(String, [String])]) -> [[String: String]] {
        values.reduce([given]) { completions, attribute in
            guard given[attribute.0] == nil else { return completions }
            return completions.flatMap { completion in
                attribute.1.map { value in completion.merging([attribute.0: value]) { _, new in new } }
            }
        }
    }

    @Test("No other value of an attribute that is not named changes a decision", arguments: 0..<100)
    func randomDefinitions(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random).withOtherSystems(&random))
        let all = Self.values(plan)
        for _ in 0..<3 {
            var given: [String: String] = [:]
            for (name, values) in all where Bool.random(using: &random) {
                given[name] = values.randomElement(using: &random)
            }
            let subject = Subject(untyped: given)
            let explained = plan.explanation(for: subject, at: Self.instant).experiments
            #expect(explained.map(\.assignment) == plan.assignments(for: subject, at: Self.instant))
            #expect(explained.allSatisfy { !$0.steps.isEmpty && $0.text.hasPrefix($0.sentence) })
            for completion in Self.completions(given, all) {
                let assignments = plan.assignments(for: Subject(untyped: completion), at: Self.instant)
                for (experiment, assignment) in zip(explained, assignments)
                where experiment.dependsOn.allSatisfy({ completion[$0] == "" }) {
                    #expect(
                        experiment.assignment.variant == assignment.variant,
                        "\(experiment.assignment.experiment), \(given), \(completion): \(experiment.dependsOn)")
                }
            }
        }
    }

    @Test("Attributes that nothing reads have the nearest name that was not given")
    func unreadAttributes() throws {
        let plan = Self.plan([
            try Self.experiment(audience: #"{"platform": "web", "device.os": "ios", "country": "DE"}"#)
        ])
        func unread(_ attributes: JSONObject) -> [UnreadAttribute] {
            plan.unreadAttributes(of: Subject(id: "u", attributes: attributes))
        }
        #expect(unread(["plattform": "web"]) == [UnreadAttribute(name: "plattform", meant: "platform")])
        #expect(unread(["plattform": "web", "platform": "web"]) == [UnreadAttribute(name: "plattform", meant: nil)])
        #expect(unread(["device": ["os": "ios"], "country": "DE"]) == [])
        #expect(unread(["devic": 1, "colour": 2]).map(\.name) == ["colour", "devic"])
        #expect(
            unread(["plattform": 1, "contry": 1, "x\u{202E}": 1]).notes == [
                #"no experiment looks at "contry"; did you mean "country"?"#,
                #"no experiment looks at "plattform"; did you mean "platform"?"#, #"no experiment looks at "x\u202E""#,
            ])
        // Those with a hint that are too many for notes of their own are among all others.
        let hints = unread(
            JSONObject(
                "abcdefghijklm".map { (key: "countr\($0)", value: JSONValue.null) }
                    + [(key: "zzzz", value: JSONValue.null)]))
        #expect(hints.count { $0.meant == "country" } == 13)
        #expect(hints.notes.count == 11)
        #expect(hints.notes.last == #"no experiment looks at "countrk", "countrl", "countrm", "zzzz""#)
        let many = unread(JSONObject((100..<400).map { (key: "zzzz\($0)", value: .null) }))
        #expect(many.count == 300)
        #expect(many.notes.count == 1)
        #expect(many.notes.allSatisfy { $0.utf8.count < 300 })
    }
}
