import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

/// Settings that are read together with the exposures.
struct SettingReadingTests {
    private static let instant = Instant(seconds: 10)

    /// An experiment of a control and of a variant with overrides, each for half of the units.
    private static func experiment(_ key: String, _ overrides: JSONObject) -> ExperimentDefinition {
        var experiment = ExperimentDefinition.sample(key)
        experiment.variants = [
            VariantDefinition(key: "control", buckets: [0..<500_000], overrides: [:]),
            VariantDefinition(key: "other", buckets: [500_000..<1_000_000], overrides: overrides),
        ]
        return experiment
    }

    private static func plan(_ experiments: ExperimentDefinition...) -> Plan {
        let base: JSONObject = ["Page": ["Color": "grey", "Layout": ["gap": 1, "wide": false], "Steps": 3]]
        return Plan(Definitions(base: base, experiments: experiments))
    }

    @Test("A unit is exposed to each experiment that compares the setting, in the control as well")
    func exposures() throws {
        let plan = Self.plan(
            Self.experiment("gap", ["Page": ["Layout": ["gap": 2]]]), Self.experiment("steps", ["Page": ["Steps": 4]]),
            Self.experiment("wide", ["Page": ["Layout": ["wide": true]]]))
        var seen: Set<[String]> = []
        for number in 0..<40 {
            let subject = Subject(id: "u\(number)")
            let reading = try plan.reading("Page", "Layout", as: JSONObject.self, for: subject, at: Self.instant)
            let configuration = plan.configuration(for: subject, at: Self.instant)
            #expect(.object(reading.value) == configuration.value("Page", "Layout"))
            #expect(reading.instant == Self.instant)
            let assigned = plan.assignments(for: subject, at: Self.instant).filter { $0.experiment != "steps" }
            #expect(
                reading.exposures
                    == assigned.map {
                        ReadingExposure(
                            unit: "u\(number)", experiment: $0.experiment, salt: $0.experiment,
                            variant: $0.variant ?? "", reason: .split, revision: $0.revision, window: nil)
                    })
            seen.insert(reading.exposures.map(\.variant))
        }
        #expect(seen.count == 4)
    }

    @Test("An experiment that assigns the unit no variant, or randomises nothing, exposes no unit")
    func noExposures() throws {
        var everyone = ExperimentDefinition.sample("all")
        everyone.draw = nil
        everyone.variants = [VariantDefinition(key: "only", buckets: [], overrides: ["Page": ["Color": "blue"]])]
        var paused = Self.experiment("paused", ["Page": ["Color": "red"]])
        paused.status = .paused
        let plan = Self.plan(everyone, paused)
        let reading = try plan.reading("Page", "Color", as: String.self, for: Subject(id: "u"), at: Self.instant)
        #expect(reading.value == "blue")
        #expect(reading.exposures.isEmpty)
    }

    @Test("An exposure names the unit, the salt and the reason of its experiment")
    func units() throws {
        var experiment = Self.experiment("steps", ["Page": ["Steps": 4]])
        experiment.draw = UnitDraw(unit: "org_id", hash: .sha256(try #require(Salt("again"))))
        experiment.forced = [.init(unitID: "42", variant: "other")]
        let plan = Self.plan(experiment)
        let subject = Subject(id: "u", attributes: ["org_id": 42])
        let reading = try plan.reading("Page", "Steps", as: Int.self, for: subject, at: Self.instant)
        #expect(reading.value == 4)
        #expect(
            reading.exposures == [
                ReadingExposure(
                    unit: "42", experiment: "steps", salt: "again", variant: "other", reason: .forced,
                    revision: plan.experiments[0].revision, window: nil)
            ])
    }

    @Test(
        "A setting that does not exist or has another type is an error",
        arguments: [
            ("Shop", "Steps", "Shop.Steps: the configuration has no section \"Shop\", expected text;"),
            ("Page", "Stairs", "Page.Stairs: the section has no such setting, expected text;"),
            ("Page", "Steps", "Page.Steps: expected text, found the number 3;"),
        ])
    func faults(section: String, setting: String, message: String) {
        let error = #expect(throws: SettingError.self) {
            try Self.plan().reading(section, setting, as: String.self, for: Subject(id: "u"), at: Self.instant)
        }
        #expect(error?.description.hasPrefix(message) == true)
    }
}
