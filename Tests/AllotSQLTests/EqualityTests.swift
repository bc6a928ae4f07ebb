import AllotSQL
import Foundation
import TestSupport
import Testing

/// Tests that run SQL on engines. Those of one engine run one after another, at the same time as those of other
/// engines.
enum EngineTests {}

extension EngineTests {
    /// Statements on an engine have the result of Allot's own assignment of the same users.
    ///
    /// The environment variable `ALLOT_SQL_DEFINITIONS` sets the number of definitions for each engine, by default 3.
    struct EqualityTests {
        @Test("Statements on DuckDB assign exactly what Allot assigns", .needs(.duckdb))
        func duckdb() throws { try compare(.duckdb) }
        @Test("Statements on ClickHouse assign exactly what Allot assigns", .needs(.clickhouse))
        func clickhouse() throws { try compare(.clickhouse) }
        @Test("Statements on PostgreSQL assign exactly what Allot assigns", .needs(.postgresql))
        func postgresql() throws { try compare(.postgresql) }
        // Spark needs seconds for a statement, mostly to compile it.
        @Test("Statements on Spark assign exactly what Allot assigns", .needs(.spark))
        func spark() throws { try compare(.spark, share: 4) }

        private static let definitionCount =
            ProcessInfo.processInfo.environment["ALLOT_SQL_DEFINITIONS"].flatMap { Int($0) } ?? 3
        private static let userCount = 5000
        /// The number of definitions that are tried on the same users.
        private static let definitionsPerUsers = 20
        /// One in this number of definitions is tried in the wide layout too.
        private static let definitionsPerWideLayout = 5
        /// One in this number of definitions consists of many conditions instead of all features, and one has hashes of
        /// other systems.
        private static let definitionsPerTests = 3
        private static let testCount = 20
        /// The number of differences after which further definitions would show nothing new.
        private static let failureLimit = 10

        private func compare(_ name: EngineName, share: Int = 1) throws {
            let engine = try Engine(name)
            let trial = try EqualityTrial(engine)
            var failures = 0
            for seed in 1...max(1, Self.definitionCount / share) where failures < Self.failureLimit {
                if seed % Self.definitionsPerUsers == 1 {
                    try trial.load(HostileUsers(seed: seed, count: Self.userCount))
                }
                let plan =
                    switch seed % Self.definitionsPerTests {
                    case 0: try RandomPlan.ofConditions(seed: seed, count: Self.testCount)
                    case 1: RandomPlan.make(seed: seed, schemes: name.schemes)
                    default: RandomPlan.make(seed: seed)
                    }
                let isWide = seed % Self.definitionsPerWideLayout == 0
                let layouts: [WarehouseStatement.Layout] = isWide ? [.long, .wide] : [.long]
                for layout in layouts {
                    if let difference = try trial.difference(of: plan, layout) {
                        failures += 1
                        Issue.record("\(name.rawValue), seed \(seed), \(layout): \(difference)")
                    }
                }
            }
        }
    }
}
