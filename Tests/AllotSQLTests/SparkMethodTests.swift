import AllotConfiguration
import AllotCore
import AllotSQL
import TestSupport
import Testing

extension EngineTests {
    /// Java interprets methods of more than 8,000 bytes instead of compiling them.
    struct SparkMethodTests {
        @Test("Spark makes small methods of a statement of many experiments", .needs(.spark))
        func methodsAreSmall() throws {
            let engine = try Engine(.spark)
            try engine.load(HostileUsers(seed: 2, count: 10))
            var experiments: [String: JSONObject] = [:]
            for number in 0..<70 {
                experiments["experiment-\(number)"] = [
                    "unit": number % 2 == 0 ? "user_id" : "org_id", "traffic": "50%",
                    "audience": ["app_version": ["$vgte": "2.1"], "country": ["$in": ["DE", "FR"]]],
                ]
            }
            let plan = try TestDefinitions.plan(experiments)
            for layout in WarehouseStatement.Layout.allCases {
                let statement = try WarehouseStatement(.spark, layout).text(for: plan)
                let code = try engine.rows("EXPLAIN CODEGEN \(statement)").values[0][0] ?? ""
                let sizes = code.matches(of: /maxMethodCodeSize:(\d+)/).compactMap { Int($0.1) }
                #expect(!sizes.isEmpty)
                #expect(sizes.allSatisfy { $0 <= 8000 }, "\(layout): \(sizes)")
            }
        }
    }
}
