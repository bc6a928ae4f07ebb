import AllotCore
import AllotDefinitions
import AllotSQL
import TestSupport
import Testing

/// Views, tables and functions give what the plain statement gives.
struct CreationCheck {
    private static let userCount = 300

    func check(_ name: EngineName) throws {
        let engine = try Engine(name)
        let users = HostileUsers(seed: 3, count: Self.userCount)
        try engine.load(users)
        for object in ["allot_view", "allot_table"] { try drop(object, in: engine) }
        let plan = try Self.plan()
        for layout in WarehouseStatement.Layout.allCases {
            var statement = try name.statement(layout)
            let plain = try engine.rows(statement.text(for: plan))
            #expect(plain.values.count == Self.userCount * (layout == .long ? plan.experiments.count : 1))
            for kind in [Creation.Kind.view, .table] {
                let object = "allot_\(kind.rawValue)"
                statement.creation = Creation(kind, name: object)
                try engine.run(statement.text(for: plan))
                // A second view takes the place of the first; a table that exists is in the way of some.
                if kind == .view { try engine.run(statement.text(for: plan)) }
                let kept = try engine.rows("SELECT * FROM \(object)")
                #expect(kept.columns == plain.columns)
                #expect(kept.sorted == plain.sorted)
                try drop(object, in: engine)
            }
        }
        try checkFunction(engine, plan, users)
    }

    /// Calls a function for single units.
    private func checkFunction(_ engine: Engine, _ plan: Plan, _ users: HostileUsers) throws {
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

    private func drop(_ object: String, in engine: Engine) throws {
        try engine.run("DROP \(object == "allot_view" ? "VIEW" : "TABLE") IF EXISTS \(object)")
    }

    /// Experiments of several units, forced units, audiences and requirements.
    private static func plan() throws -> Plan {
        try TestDefinitions.plan([
            "colours": ["audience": ["country": ["$in": ["DE", "FR", "US"]]], "forced": ["it's": "green"]],
            "prices": ["unit": "org_id", "traffic": "60%", "audience": ["age": ["$gte": 18]]],
            "devices": ["unit": "Device Id", "requires": ["colours": ["green", "control"]]],
            "over": ["status": "concluded", "winner": "green"],
            "later": ["status": "draft"], "versions": ["audience": ["app_version": ["$vgte": "2.1.0-beta.2"]]],
        ])
    }
}
