import Foundation
import TestSupport
import Testing

/// Tests that run SQL on engines: one after another, as each takes some gigabytes of memory.
@Suite(.serialized) enum EngineTests {}

extension EngineTests {
    /// `allot sql` on an engine gives what `allot assign` gives.
    ///
    /// The number of definitions is that of the variable `ALLOT_SQL_DEFINITIONS`, or 25.
    @Suite(.serialized) struct EqualityTests {
        @Test("DuckDB", .needs(.duckdb))
        func duckdb() throws { try compare(.duckdb) }
        @Test("ClickHouse", .needs(.clickhouse))
        func clickhouse() throws { try compare(.clickhouse) }
        @Test("PostgreSQL", .needs(.postgresql))
        func postgresql() throws { try compare(.postgresql) }
        // A statement takes Spark seconds, most of them to compile it.
        @Test("Spark", .needs(.spark))
        func spark() throws { try compare(.spark, share: 4) }

        private static let definitionCount =
            ProcessInfo.processInfo.environment["ALLOT_SQL_DEFINITIONS"].flatMap { Int($0) } ?? 25
        private static let userCount = 5000
        /// So many definitions are tried on the same users.
        private static let definitionsPerUsers = 20
        /// So many definitions are tried in the long layout until one is in the wide one as well.
        private static let definitionsPerWideLayout = 5
        /// So many definitions are of every feature until one is of many conditions and nothing else.
        private static let definitionsPerTests = 3
        private static let testCount = 20
        /// A statement that differs so often is wrong in a way that more definitions say nothing new about.
        private static let failureLimit = 10

        private func compare(_ name: EngineName, share: Int = 1) throws {
            let engine = try Engine(name)
            let trial = try EqualityTrial(engine)
            var failures = 0
            for seed in 1...max(1, Self.definitionCount / share) where failures < Self.failureLimit {
                if seed % Self.definitionsPerUsers == 1 {
                    try trial.load(HostileUsers(seed: seed, count: Self.userCount))
                }
                let layouts = seed % Self.definitionsPerWideLayout == 0 ? ["long", "wide"] : ["long"]
                let folder =
                    seed % Self.definitionsPerTests == 0
                    ? RandomFolder(testsSeed: seed, count: Self.testCount) : RandomFolder(seed: seed)
                for layout in layouts {
                    if let difference = try trial.difference(of: folder, seed: seed, layout: layout) {
                        failures += 1
                        Issue.record("\(difference)")
                    }
                }
            }
        }
    }
}
