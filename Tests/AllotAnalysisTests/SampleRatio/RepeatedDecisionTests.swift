import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotAnalysis

struct RepeatedDecisionTests {
    private static func plan() throws -> Plan {
        try .of([
            "holdouts.yaml": "hold: { share: 10% }",
            "layers.yaml": "layer: {}",
            "button.yaml": """
            status: running
            starts: 1970-01-01T00:00:10Z
            traffic: 80%
            layer: layer
            slots: [0%..<70%]
            audience: { country: { $in: [DE, FR] }, seats: { $gte: 5 }, device.os: { $ne: web } }
            variants: [{ key: control }, { key: green }]
            forced: { user-7: green }
            """,
            "other.yaml": "status: running\nvariants: [{ key: a }, { key: b }]\n",
        ])
    }

    private struct Row {
        let unit: String
        let country: String
        let seats: Int
        let device: String
        let instant: Instant

        init(using generator: inout SeededGenerator) {
            unit = "user-\(Int.random(in: 0..<3000, using: &generator))"
            country = ["DE", "FR", "US", ""].randomElement(using: &generator) ?? ""
            seats = Int.random(in: 0..<12, using: &generator)
            device = ["ios", "web"].randomElement(using: &generator) ?? ""
            instant = Instant(seconds: Int64.random(in: 5..<100, using: &generator))
        }
    }

    /// The reason that the engine gives to a subject made in the usual way.
    private func reason(_ subject: Subject, _ plan: Plan, _ instant: Instant) -> Reason? {
        plan.assignments(for: subject, at: instant).first { $0.experiment == "button" }?.reason
    }

    @Test("Text attributes decide as in the engine", arguments: 0..<3)
    func textAttributes(seed: Int) throws {
        let plan = try Self.plan()
        var generator = SeededGenerator(seed: seed)
        let names = ["note", "seats", "country", "device.os", "user_id", "seats"]
        var check = RepeatedDecision(plan, experiment: 0, attributes: names.enumerated().map { ($1, $0) })
        #expect(check.missingAttributes.isEmpty)
        for _ in 0..<2000 {
            let row = Row(using: &generator)
            row.unit.withBytes { check.begin($0) }
            for (index, value) in ["\(row.seats)", row.country, row.device].enumerated() {
                value.withBytes { check.set(index, $0) }
            }
            var subject = Subject(id: row.unit)
            subject.setUntyped("seats", "\(row.seats)")
            subject.setUntyped("country", row.country)
            subject.setUntyped("device.os", row.device)
            #expect(check.decide(at: row.instant) == reason(subject, plan, row.instant))
        }
    }

    /// With more different objects than are kept.
    @Test("JSON attributes decide as in the engine")
    func jsonAttributes() throws {
        let plan = try Self.plan()
        var generator = SeededGenerator(seed: 1)
        var check = RepeatedDecision(plan, experiment: 0, attributes: [("country", 0)])
        #expect(check.missingAttributes == ["device.os", "seats"])
        for number in 0..<12_000 {
            let row = Row(using: &generator)
            let note = number % 3 == 0 ? 0 : number
            let json = #"{"seats":\#(row.seats),"device":{"os":"\#(row.device)"},"note":\#(note)}"#
            row.unit.withBytes { check.begin($0) }
            row.country.withBytes { check.set(0, $0) }
            var subject = Subject(id: row.unit)
            subject.setUntyped("country", row.country)
            subject.setTyped("seats", .number(JSONNumber(row.seats)))
            subject.setTyped("device", ["os": .string(row.device)])
            let found = json.withBytes { check.decide(json: $0, at: row.instant) }
            guard found == reason(subject, plan, row.instant) else {
                Issue.record("\(json): \(found)")
                return
            }
        }
        #expect(check.missingAttributes.isEmpty)
    }

    @Test("Text that is not JSON holds no attribute")
    func textThatIsNotJSONHoldsNothing() throws {
        let plan = try Self.plan()
        var check = RepeatedDecision(plan, experiment: 0, attributes: [])
        for json in ["", "{", "[1]"] {
            "user-7".withBytes { check.begin($0) }
            #expect(json.withBytes { check.decide(json: $0, at: Instant(seconds: 50)) } == .forced)
        }
        #expect(check.missingAttributes == ["country", "device.os", "seats"])
    }
}
