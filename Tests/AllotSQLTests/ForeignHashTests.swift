import AllotConfiguration
import AllotCore
import AllotSQL
import Testing

/// The hashes of other systems: what an engine computes bit for bit is written, and the rest is refused by name.
struct ForeignHashTests {
    private static let refused: [HashScheme: String] = [
        .growthbook1: "does not have FNV-1a in 32 bits", .growthbook2: "does not have FNV-1a in 32 bits",
        .optimizely1: "does not have MurmurHash3 with the seed that it uses",
        .unleashVariants1: "does not have MurmurHash3 with the seed that it uses",
        .unleash1: "does not have MurmurHash3 as other systems compute it",
        .flagd0: "does not have MurmurHash3 as other systems compute it",
        .flagd1: "does not have MurmurHash3 as other systems compute it",
        .flagdText1: "does not have MurmurHash3 as other systems compute it",
    ]

    private static let foreign = HashScheme.allCases.filter { $0 != .sha256 }

    private static func plan(_ scheme: HashScheme) throws -> Plan {
        let half = scheme.defaultResolution / 2
        return try TestDefinitions.plan([
            "moved": [
                "hash": .string(scheme.rawValue), "salt": "flag it's.salt",
                "variants": [
                    ["key": "a", "buckets": [.string("0..<\(half)")]],
                    ["key": "b", "buckets": [.string("\(half)..<\(scheme.defaultResolution)")]],
                ],
            ]
        ])
    }

    @Test("Each dialect writes or refuses each hash of another system", arguments: Dialect.allCases)
    func writesOrRefuses(dialect: Dialect) throws {
        for scheme in Self.foreign {
            let statement = WarehouseStatement(dialect, .long)
            let plan = try Self.plan(scheme)
            let isBuiltIn = dialect == .clickhouse && EngineName.clickhouse.schemes.contains(scheme)
            guard let reason = Self.refused[scheme], !isBuiltIn else {
                let text = try statement.text(for: plan)
                #expect(text.contains("-- Unit IDs are hashed with the hashes of other systems: \(scheme.rawValue)."))
                #expect(text.contains("bucket_flag_it_s_salt"))
                continue
            }
            let expected =
                "moved: the hash \(scheme.rawValue) cannot be written: \(dialect.title) \(reason); assign with "
                + "\"allot assign\" and load the result"
            #expect(statement.problems(plan) == [expected])
        }
    }

    @Test("A statement says which extension it needs")
    func extensionIsNamed() throws {
        let text = try WarehouseStatement(dialect: .postgresql).text(for: Self.plan(.launchdarkly1))
        #expect(text.contains("CREATE EXTENSION IF NOT EXISTS pgcrypto"))
        #expect(try !WarehouseStatement(dialect: .postgresql).text(for: Self.plan(.eppo1)).contains("pgcrypto"))
        #expect(try !WarehouseStatement(dialect: .duckdb).text(for: Self.plan(.launchdarkly1)).contains("pgcrypto"))
    }
}
