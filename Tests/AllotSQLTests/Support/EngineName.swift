import Allot
import Testing

/// An engine that tests run SQL on.
enum EngineName: String, CaseIterable {
    case duckdb, clickhouse, spark, postgresql

    /// The variables of the environment that it is found by.
    var variables: [EngineVariable] {
        switch self {
        case .duckdb, .clickhouse: [.python]
        case .postgresql: [.python, .postgresql]
        case .spark: [.python, .spark]
        }
    }

    /// The hashes of other systems that it computes.
    var schemes: [HashScheme] {
        let digests: [HashScheme] = [.eppo1, .launchdarkly1, .statsig1, .planout1, .firebase1]
        return self == .clickhouse ? digests + [.unleash1, .flagd1, .flagdText1] : digests
    }

    /// Whether it can be used.
    var isAvailable: Bool {
        variables.allSatisfy { $0.value != nil }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips where an engine is missing, and says what to set.
    static func needs(_ engine: EngineName) -> ConditionTrait {
        let names = engine.variables.map(\.rawValue).joined(separator: " and ")
        return .enabled(
            if: engine.isAvailable, "\(engine.rawValue) is not available: set \(names), see EngineVariable")
    }
}
