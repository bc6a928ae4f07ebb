import AllotCore
import AllotSQL
import TestSupport
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
        return self == .clickhouse ? digests + [.unleash1, .flagd0, .flagd1, .flagdText1] : digests
    }

    /// A statement of its dialect.
    func statement(
        _ layout: WarehouseStatement.Layout = .wide, table: String = "users"
    ) throws -> WarehouseStatement {
        var statement = WarehouseStatement(try #require(Dialect(rawValue: rawValue)), layout)
        statement.table = table
        return statement
    }

    /// What stands between the name of a new table and its query.
    var storage: String { self == .clickhouse ? "ENGINE = Memory " : "" }

    /// Whether it can be used.
    var isAvailable: Bool {
        variables.allSatisfy { $0.value != nil }
    }
}

/// Runs the tests of an engine one after another, on a thread of their own, and skips them if the engine is missing.
struct EngineTrait: TestTrait, TestScoping {
    private let condition: ConditionTrait
    private let thread: BlockingTrait

    private static let duckdb = BlockingTrait(threads: 1)
    private static let clickhouse = BlockingTrait(threads: 1)
    private static let spark = BlockingTrait(threads: 1)
    private static let postgresql = BlockingTrait(threads: 1)

    fileprivate init(_ engine: EngineName) {
        let names = engine.variables.map(\.rawValue).joined(separator: " and ")
        condition = .enabled(
            if: engine.isAvailable, "\(engine.rawValue) is not available: set \(names), see EngineVariable")
        thread =
            switch engine {
            case .duckdb: Self.duckdb
            case .clickhouse: Self.clickhouse
            case .spark: Self.spark
            case .postgresql: Self.postgresql
            }
    }

    func prepare(for test: Test) async throws {
        try await condition.prepare(for: test)
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await thread.provideScope(for: test, testCase: testCase, performing: function)
    }
}

extension Trait where Self == EngineTrait {
    /// The test runs SQL on an engine. Where that is missing, the reason says what to set.
    static func needs(_ engine: EngineName) -> EngineTrait {
        EngineTrait(engine)
    }
}
