import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotSQL
import TestSupport
import Testing

/// Without an instant the engine's clock decides what has started and what has ended.
struct ClockCheck {
    /// By experiment its schedule and the reason that any clock of this century gives.
    private static let schedules: [(key: String, starts: String?, ends: String?, reason: Reason)] = [
        ("always", nil, nil, .split),
        ("since-2000", "2000-01-01T00:00:00Z", nil, .split),
        ("until-2100", nil, "2100-01-01T00:00:00Z", .split),
        ("both", "2000-02-29T12:30:15.5+05:30", "2100-12-31T23:59:59.999999999Z", .split),
        ("from-2100", "2100-01-01T00:00:00.000000001Z", nil, .notStarted),
        ("until-2000", nil, "2000-01-01T00:00:00Z", .ended),
        ("gone", "1999-01-01T00:00:00Z", "2000-01-01T00:00:00.25Z", .ended),
        ("year-0", "0000-01-01T00:00:00Z", nil, .split),
        ("before-1970", nil, "1969-12-31T23:59:59Z", .ended),
        ("end-of-years", "2000-01-01T00:00:00Z", "9999-12-31T23:59:59.9999999Z", .split),
        ("start-of-no-year", "9999-12-31T23:59:59.9999999Z", nil, .notStarted),
    ]

    /// By experiment its traffic steps, and whether any clock of this century enrols all units or none.
    private static let steps: [(key: String, steps: [(from: String, share: String)], enrols: Bool)] = [
        ("step-of-2000", [("2000-01-01T00:00:00Z", "100%")], true),
        ("step-of-2100", [("2100-01-01T00:00:00.000000001Z", "100%")], false),
        ("risen", [("0000-01-01T00:00:00Z", "0.0001%"), ("2000-02-29T12:30:15.5+05:30", "100%")], true),
        ("to-rise", [("2000-01-01T00:00:00Z", "0%"), ("2100-01-01T00:00:00Z", "100%")], false),
        (
            "three",
            [("1999-01-01T00:00:00Z", "1%"), ("2000-01-01T00:00:00Z", "100%"), ("2100-01-01T00:00:00Z", "5%")], true
        ),
    ]

    func check(_ name: EngineName) throws {
        let engine = try Engine(name)
        let lines = (0..<20).map { "{\"user_id\": \"user-\($0)\"}\n" }
        try engine.load(lines: lines.joined())
        let statement = try name.statement(.long)
        var experiments: [String: JSONObject] = [:]
        for schedule in Self.schedules {
            var experiment = JSONObject()
            if let starts = schedule.starts { experiment["starts"] = .string(starts) }
            if let ends = schedule.ends { experiment["ends"] = .string(ends) }
            experiments[schedule.key] = experiment
        }
        for entry in Self.steps {
            experiments[entry.key] = [
                "traffic": .array(entry.steps.map { ["from": .string($0.from), "share": .string($0.share)] })
            ]
        }
        let plan = try TestDefinitions.plan(experiments)
        let rows = try engine.rows(statement.text(for: plan)).values
        #expect(rows.count == lines.count * (Self.schedules.count + Self.steps.count))
        for schedule in Self.schedules {
            let reasons = Set(rows.filter { $0[1] == schedule.key }.map { $0[3] })
            #expect(reasons == [schedule.reason.text], "\(schedule.key)")
        }
        for entry in Self.steps {
            let reasons = Set(rows.filter { $0[1] == entry.key }.map { $0[3] })
            #expect(reasons == [entry.enrols ? "split" : "traffic"], "\(entry.key)")
        }
    }
}
