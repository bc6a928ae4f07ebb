import AllotSQL
import Foundation
import TestSupport
import Testing

/// Statements on an engine have the result of Allot's own assignment of the same users.
///
/// The environment variable `ALLOT_SQL_DEFINITIONS` sets the number of definitions for each engine, by default 3.
struct EqualityCheck {
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

    func check(_ name: EngineName) throws {
        // Spark needs seconds for a statement, mostly to compile it.
        let count = max(1, Self.definitionCount / (name == .spark ? 4 : 1))
        let engine = try Engine(name)
        let trial = try EqualityTrial(engine)
        var failures = 0
        for seed in 1...count where failures < Self.failureLimit {
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
