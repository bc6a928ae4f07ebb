import AllotConfiguration
import AllotCore
import AllotSQL
import TestSupport
import Testing

/// Views, tables and functions give what the plain statement gives, also after experiments have come and gone.
struct RedeploymentCheck {
    private static let two: JSONObject = ["audience": ["plan": "free"], "traffic": "60%"]
    /// The definitions one after another: what is added comes first and looks at further columns, or goes.
    private static let deployments: [[String: JSONObject]] = [
        ["one": ["audience": ["country": ["$in": ["DE", "FR"]]]], "two": two],
        ["a-zero": ["unit": "org_id", "audience": ["age": ["$gte": 18]]], "one": [:], "two": two],
        ["two": two],
        ["everyone": ["unit": "none", "variants": [["key": "green"]]]],
        ["two": two],
    ]

    func check(_ name: EngineName) throws {
        let engine = try Engine(name)
        try engine.load(HostileUsers(seed: 12, count: 150))
        try engine.run("DROP VIEW IF EXISTS deployed")
        try engine.run("DROP TABLE IF EXISTS kept")
        // A view takes the place of the one before; a table that exists is in the way of some.
        var creations: [([String: JSONObject], [Creation.Kind])] = [(CreationCheck.experiments, [.view, .table])]
        for experiments in Self.deployments { creations.append((experiments, [.view])) }
        var statement = try name.statement()
        for layout in WarehouseStatement.Layout.allCases {
            statement.layout = layout
            for (experiments, kinds) in creations {
                let plan = try TestDefinitions.plan(experiments)
                let expected = try engine.rows(statement.text(for: plan))
                for kind in kinds {
                    let object = kind == .view ? "deployed" : "kept"
                    statement.creation = Creation(kind, name: object)
                    try engine.run(statement.text(for: plan))
                    let found = try engine.rows("SELECT * FROM \(object)")
                    #expect(found.columns == expected.columns)
                    #expect(found.sorted == expected.sorted, "\(experiments.keys), \(layout)")
                }
                statement.creation = nil
            }
            try engine.run("DROP VIEW deployed")
            try engine.run("DROP TABLE kept")
        }
        try checkFunction(engine, statement)
    }

    private func checkFunction(_ engine: Engine, _ statement: WarehouseStatement) throws {
        var statement = statement
        statement.creation = Creation(.function, name: "deployed_function")
        let arguments = ["age": "20", "country": "DE", "org_id": "org-1", "plan": "free", "user_id": "user-1"]
        for experiments in Self.deployments {
            let plan = try TestDefinitions.plan(experiments)
            let text = try statement.text(for: plan)
            try engine.run(text)
            // The call that the statement itself names, with texts for its NULLs.
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("--   SELECT * FROM ") })
            var call = String(line.dropFirst("--   ".count))
            var subject = Subject()
            for (attribute, argument) in arguments where call.contains(attribute) {
                for sign in [":=", "=>", "="] {
                    for quote in ["\"", "`"] {
                        call = call.replacing(
                            "\(quote)\(attribute)\(quote) \(sign) NULL",
                            with: "\(quote)\(attribute)\(quote) \(sign) '\(argument)'")
                    }
                }
                subject.setUntyped(attribute, argument)
            }
            #expect(!call.contains("NULL"))
            let assignments = plan.assignments(for: subject, at: Instant(seconds: 1_780_272_000))
            let expected = assignments.map { [$0.experiment, $0.variant ?? "", $0.reason.text] }
            let found = try engine.rows(call).values.map { [$0[1] ?? "", $0[2] ?? "", $0[3] ?? ""] }
            #expect(found.sorted { $0[0] < $1[0] } == expected, "\(call)")
            // Without its first argument it is an error, and no other answer.
            if let comma = call.firstRange(of: ", "), let start = call.firstIndex(of: "(") {
                let incomplete = call[...start] + call[comma.upperBound...]
                #expect(throws: (any Error).self, "\(incomplete)") { try engine.rows(String(incomplete)) }
            }
        }
        if engine.name == .postgresql { try checkPrivileges(engine, statement) }
        try engine.drop(function: "deployed_function")
    }

    /// A function of PostgreSQL whose parameters stay the same keeps its privileges and what depends on it.
    private func checkPrivileges(_ engine: Engine, _ statement: WarehouseStatement) throws {
        func functions() throws -> [[String?]] {
            try engine.rows(
                "SELECT pronargs::text, (proacl IS NULL)::text FROM pg_proc WHERE proname = 'deployed_function'"
            ).values
        }
        #expect(try functions() == [["2", "true"]])
        try engine.run("REVOKE EXECUTE ON FUNCTION deployed_function FROM PUBLIC")
        try engine.run(
            "CREATE VIEW dependent AS SELECT * FROM deployed_function(plan := 'free', user_id := 'user-1')")
        let changed = try TestDefinitions.plan(["two": ["audience": ["plan": "free"], "traffic": "0%"]])
        // Inside a transaction of the caller, which stays open.
        try engine.run("BEGIN")
        try engine.run(statement.text(for: changed))
        #expect(try engine.rows("SELECT reason FROM dependent").values == [["traffic"]])
        try engine.run("ROLLBACK")
        #expect(try engine.rows("SELECT reason FROM dependent").values != [["traffic"]])
        try engine.run(statement.text(for: changed))
        #expect(try functions() == [["2", "false"]])
        // With other parameters the old function has to go, which the view does not let it; nothing is changed.
        let larger = try TestDefinitions.plan(["two": ["audience": ["plan": "free", "country": "DE"]]])
        let text = try statement.text(for: larger)
        #expect(throws: (any Error).self) { try engine.run(text) }
        #expect(try functions() == [["2", "false"]])
        try engine.run("DROP VIEW dependent")
        try engine.run(text)
        #expect(try functions() == [["3", "true"]])
        // A function of the same names and another type is not this one.
        try engine.run("DROP FUNCTION deployed_function")
        try engine.run(
            """
            CREATE FUNCTION deployed_function(country text, plan text, user_id int)
            RETURNS TABLE (unit text, experiment text, variant text, reason text, bucket bigint, revision text)
            LANGUAGE sql AS 'SELECT NULL::text, NULL::text, NULL::text, NULL::text, NULL::bigint, NULL::text'
            """)
        // What another schema has of the name, behind in the search path, belongs to another.
        try engine.run("CREATE SCHEMA elsewhere")
        try engine.run("CREATE FUNCTION elsewhere.\"Other\"() RETURNS int LANGUAGE sql AS 'SELECT 1'")
        try engine.run("CREATE VIEW elsewhere.seen AS SELECT 1 AS number")
        try engine.run("SET search_path = public, elsewhere")
        try engine.run(text)
        #expect(try functions() == [["3", "true"]])
        var other = statement
        other.creation = Creation(.function, name: "\"Other\"")
        try engine.run(other.text(for: changed))
        other.creation = Creation(.view, name: "seen")
        other.layout = .wide
        try engine.run(other.text(for: changed))
        #expect(try engine.rows("SELECT count(*)::text FROM pg_proc WHERE proname = 'Other'").values == [["2"]])
        #expect(try engine.rows("SELECT * FROM elsewhere.seen").values == [["1"]])
        try engine.run("DROP VIEW seen")
        try engine.run("DROP FUNCTION \"Other\"(text, text)")
        try engine.run("SET search_path = public")
        try engine.run("DROP SCHEMA elsewhere CASCADE")
    }
}
