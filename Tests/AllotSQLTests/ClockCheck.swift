import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotSQL
import TestSupport
import Testing

/// Without an instant the engine's clock decides what has started and what has ended.
struct ClockCheck {
    /// Experiments, and the reason that any clock of this century gives to all units.
    private static let experiments: [(key: String, definition: JSONObject, reason: Reason)] = [
        ("always", [:], .split), ("since-2000", ["starts": "2000-01-01T00:00:00Z"], .split),
        ("until-2100", ["ends": "2100-01-01T00:00:00Z"], .split),
        ("both", ["starts": "2000-02-29T12:30:15.5+05:30", "ends": "2100-12-31T23:59:59.999999999Z"], .split),
        ("from-2100", ["starts": "2100-01-01T00:00:00.000000001Z"], .notStarted),
        ("until-2000", ["ends": "2000-01-01T00:00:00Z"], .ended),
        ("gone", ["starts": "1999-01-01T00:00:00Z", "ends": "2000-01-01T00:00:00.25Z"], .ended),
        ("year-0", ["starts": "0000-01-01T00:00:00Z"], .split),
        ("before-1970", ["ends": "1969-12-31T23:59:59Z"], .ended),
        ("end-of-years", ["starts": "2000-01-01T00:00:00Z", "ends": "9999-12-31T23:59:59.9999999Z"], .split),
        ("start-of-no-year", ["starts": "9999-12-31T23:59:59.9999999Z"], .notStarted),
        ("windows", ["period": ["every": "1h", "from": "2000-01-01T00:00:00Z", "balanced": true]], .split),
        ("windows-of-2100", ["period": ["every": "1h", "from": "2100-01-01T00:00:00Z"]], .notStarted),
        ("step-of-2000", steps([("2000-01-01T00:00:00Z", "100%")]), .split),
        ("step-of-2100", steps([("2100-01-01T00:00:00.000000001Z", "100%")]), .traffic),
        ("risen", steps([("0000-01-01T00:00:00Z", "0.0001%"), ("2000-02-29T12:30:15.5+05:30", "100%")]), .split),
        ("to-rise", steps([("2000-01-01T00:00:00Z", "0%"), ("2100-01-01T00:00:00Z", "100%")]), .traffic),
        (
            "three",
            steps([("1999-01-01T00:00:00Z", "1%"), ("2000-01-01T00:00:00Z", "100%"), ("2100-01-01T00:00:00Z", "5%")]),
            .split
        ),
    ]

    /// An experiment whose traffic has steps.
    private static func steps(_ steps: [(from: String, share: String)]) -> JSONObject {
        ["traffic": .array(steps.map { ["from": .string($0.from), "share": .string($0.share)] })]
    }

    func check(_ name: EngineName) throws {
        let engine = try Engine(name)
        let lines = (0..<20).map { "{\"user_id\": \"user-\($0)\"}\n" }
        try engine.load(lines: lines.joined())
        let plan = try TestDefinitions.plan(
            Dictionary(uniqueKeysWithValues: Self.experiments.map { ($0.key, $0.definition) }))
        let rows = try engine.rows(name.statement(.long).text(for: plan)).values
        #expect(rows.count == lines.count * Self.experiments.count)
        for experiment in Self.experiments {
            let reasons = Set(rows.filter { $0[1] == experiment.key }.map { $0[3] })
            #expect(reasons == [experiment.reason.text], "\(experiment.key)")
        }
    }
}
