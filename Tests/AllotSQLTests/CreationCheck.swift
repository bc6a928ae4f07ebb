import AllotConfiguration
import AllotCore
import AllotSQL
import TestSupport
import Testing

/// A function decides for single units as Allot does.
struct CreationCheck {
    /// Experiments of several units, forced units, audiences and requirements.
    static let experiments: [String: JSONObject] = [
        "colours": ["audience": ["country": ["$in": ["DE", "FR", "US"]]], "forced": ["it's": "green"]],
        "prices": ["unit": "org_id", "traffic": "60%", "audience": ["age": ["$gte": 18]]],
        "devices": ["unit": "Device Id", "requires": ["colours": ["green", "control"]]],
        "over": ["status": "concluded", "winner": "green"],
        "later": ["status": "draft"], "versions": ["audience": ["app_version": ["$vgte": "2.1.0-beta.2"]]],
    ]

    func check(_ name: EngineName) throws {
        let engine = try Engine(name)
        let users = HostileUsers(seed: 3, count: 300)
        try engine.load(users)
        let plan = try TestDefinitions.plan(Self.experiments)
        var statement = try engine.name.statement(.long)
        statement.instant = Instant(seconds: 1_780_272_000)
        statement.columns = [ColumnMapping(attribute: "Device Id", column: "device")]
        statement.creation = Creation(.function, name: "allot_decide")
        try engine.run(statement.text(for: plan))
        try engine.run(statement.text(for: plan))
        let attributes = ["user_id", "org_id", "country", "age", "Device Id", "app_version"]
        let names = attributes.map { $0 == "Device Id" ? "device" : $0 }
        let version = try #require(HostileUsers.columns.firstIndex(of: "app_version"))
        let odd = users.rows.filter { $0[0] == "it's" || $0[0] == "\\'" }.prefix(2)
        for row in users.rows.prefix(8) + odd + users.rows.filter({ $0[version] == nil }).prefix(2) {
            var subject = Subject()
            var arguments: [String] = []
            for (attribute, name) in zip(attributes, names) {
                let text = HostileUsers.columns.firstIndex(of: attribute).flatMap { row[$0] }
                subject.setUntyped(attribute, text ?? "")
                arguments.append(Self.argument(name, text, engine.name))
            }
            let answer = try engine.rows("SELECT * FROM allot_decide(\(arguments.joined(separator: ", ")))")
            #expect(answer.columns == ["unit", "experiment", "variant", "reason", "bucket", "revision"])
            let found = Engine.Rows.sorted(answer.values.map { [$0[1], $0[2], $0[3], $0[4], $0[5]] })
            let expected = plan.assignments(for: subject, at: try #require(statement.instant)).map { assignment in
                [
                    assignment.experiment, assignment.variant, assignment.reason.text,
                    assignment.bucket.map(String.init), assignment.revision,
                ]
            }
            #expect(found == Engine.Rows.sorted(expected), "\(row)")
        }
        try engine.drop(function: "allot_decide")
    }

    /// An argument of a call; the texts hold nothing but quotes and back-slashes that have to be escaped.
    private static func argument(_ name: String, _ text: String?, _ engine: EngineName) -> String {
        var literal = "NULL"
        if let text {
            let escaped = text.unicodeScalars.map { scalar -> String in
                switch (scalar, engine) {
                case ("'", .duckdb), ("'", .postgresql): "''"
                case ("'", _), ("\\", .clickhouse), ("\\", .spark): "\\" + String(scalar)
                default: String(scalar)
                }
            }
            literal = "'\(escaped.joined())'"
        }
        return switch engine {
        case .duckdb: "\(name) := \(literal)"
        case .clickhouse: "\(name) = \(literal)"
        case .postgresql, .spark: "\(name) => \(literal)"
        }
    }
}
