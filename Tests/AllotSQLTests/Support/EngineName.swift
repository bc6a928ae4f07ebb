import Foundation
import Testing

/// An engine that tests run SQL on.
enum EngineName: String, CaseIterable {
    case duckdb, clickhouse, spark, postgresql

    /// The variables of the environment that it is found by.
    ///
    /// `ALLOT_SQL_PYTHON` is a Python with the packages of `Engines/requirements.txt`, and `ALLOT_SQL_POSTGRES` the
    /// connection string that `Engines/postgresql.sh start FOLDER` prints.
    var variables: [String] {
        self == .postgresql ? ["ALLOT_SQL_PYTHON", "ALLOT_SQL_POSTGRES"] : ["ALLOT_SQL_PYTHON"]
    }

    /// Whether it is at hand.
    var isAvailable: Bool {
        variables.allSatisfy { !(ProcessInfo.processInfo.environment[$0] ?? "").isEmpty }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips where an engine is not at hand, and says what to set.
    static func needs(_ engine: EngineName) -> ConditionTrait {
        .enabled(
            if: engine.isAvailable,
            "\(engine.rawValue) is not at hand: set \(engine.variables.joined(separator: " and ")), see EngineName")
    }
}
