import AllotConfiguration
import AllotCore
import AllotSQL
import TestSupport
import Testing

/// Engines know that a table is empty, and that a column has one value or none, and compile statements by it.
struct TableShapeCheck {
    func check(_ name: EngineName) throws {
        let trial = try EqualityTrial(Engine(name))
        let some = HostileUsers(seed: 5, count: 6).rows
        let null = some[0].map { _ in nil as String? }
        let nulls = Array(repeating: null, count: 3)
        // The columns one after another have no value, and the others have those of real users.
        let partial = HostileUsers.columns.indices.map { missing in
            some[missing % some.count].indices.map { $0 == missing ? nil : some[missing % some.count][$0] }
        }
        let onlyUnits = partial.map { row in row.indices.map { $0 == 0 ? "user-\($0)" : nil } }
        let shapes: [(shape: String, rows: [[String?]])] =
            [("empty", []), ("NULL", nulls), ("only units", onlyUnits)]
            + some.enumerated().map { ("constant \($0.offset)", Array(repeating: $0.element, count: 3)) }
            + partial.prefix(name == .spark ? 2 : partial.count).enumerated().map {
                ("without column \($0.offset)", Array(repeating: $0.element, count: 3))
            }
        let plan = try Self.plan()
        for (shape, rows) in name == .spark ? Array(shapes.prefix(5)) : shapes {
            try trial.load(HostileUsers(rows: rows))
            for layout in WarehouseStatement.Layout.allCases {
                #expect(try trial.difference(of: plan, layout) == nil, "\(shape), \(layout)")
            }
        }
        // Random conditions over nothing.
        for rows in [[], nulls] {
            try trial.load(HostileUsers(rows: rows))
            for seed in 1...(name == .spark ? 1 : 4) {
                let plan = try RandomPlan.ofConditions(seed: seed, count: 20)
                #expect(try trial.difference(of: plan, .long) == nil)
            }
        }
    }

    /// A test of each kind.
    private static func plan() throws -> Plan {
        var experiments: [String: JSONObject] = [
            "devices": ["unit": "Device Id", "requires": ["versions": ["green", "control"]]],
            "organisations": ["unit": "org_id", "traffic": "60%", "forced": ["org-1": "green"]],
        ]
        for (key, audience) in Self.audiences { experiments[key] = ["audience": .object(audience)] }
        return try TestDefinitions.plan(experiments)
    }

    private static let versions: [JSONValue] = [
        ["app_version": ["$vgte": "2.1.0-beta.2"]], ["app_version": ["$veq": "1.0.0-rc"]],
        ["app_version": ["$vlt": "1.2-1.a"]],
    ]
    private static let audiences: [String: JSONObject] = [
        "versions": ["$or": .array(versions)],
        "instants": ["signed_up": ["$before": "2026-01-01T00:00:00.5+02:00"]],
        "networks": ["ip": ["$inNetwork": ["10.0.0.0/8", "2001:db8::/32"]]],
        "numbers": ["age": ["$gte": 18, "$lt": 65.5]], "booleans": ["premium": true],
        "patterns": ["email": ["$regex": "^[a-z]+@"]], "lists": ["country": ["$in": ["DE", "FR"]]],
        "folded": ["plan": ["$ini": ["FREE"]]], "parts": ["plan": ["$containsi": "EE"]],
        "absent": ["country": ["$exists": false]],
    ]
}
