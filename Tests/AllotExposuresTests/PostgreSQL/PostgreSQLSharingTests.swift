import AllotConfiguration
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotExposures
@testable import AllotPostgreSQL

/// What several servers on one database may rely on.
@Suite(.blocks, .needsPostgreSQL) struct PostgreSQLSharingTests {
    /// An exposure of few units, so that identities meet; the time is different in each, so that none are tied.
    private static func exposure(_ random: inout SeededGenerator, number: Int) -> Exposure {
        var exposure = Exposure(
            unit: "unit \(Int.random(in: 0..<40, using: &random))", experiment: "e", salt: "s",
            variant: Bool.random(using: &random) ? "a" : "b",
            reason: ["split", "winner", "forced"][Int.random(in: 0..<3, using: &random)],
            at: Int64.random(in: 0..<100, using: &random) * 100_000 + Int64(number))
        if Int.random(in: 0..<4, using: &random) == 0 {
            exposure.doubt = .tooOld
            exposure.reportedAt = 0
        }
        return exposure
    }

    private struct Identity: Hashable {
        let unit: String
        let variant: String
        let isCounted: Bool

        init(_ exposure: Exposure) {
            (unit, variant, isCounted) = (exposure.unit, exposure.variant, exposure.isCounted)
        }
    }

    /// The number of writers that have not ended.
    private final class Running: Sendable {
        let count: Atomic<Int>

        init(_ count: Int) {
            self.count = Atomic(count)
        }
    }

    /// Loads what is new, page by page.
    private final class Loader {
        private let database: PostgreSQLDatabase
        private(set) var loaded: [Identity: Exposure] = [:]
        private var cursor: Int64 = 0

        init(_ database: PostgreSQLDatabase) {
            self.database = database
        }

        func load() throws {
            let end = try database.lastCursor()
            for isCounted in [true, false] {
                var after = cursor
                while after < end {
                    let page = try database.exposures(
                        of: ExposureSelection(isCounted: isCounted), after: after, through: end, limit: 7)
                    for exposure in page.exposures { loaded[Identity(exposure)] = exposure }
                    #expect(page.cursor > after)
                    after = page.cursor
                }
            }
            #expect(end >= cursor)
            cursor = end
        }
    }

    /// Both writers send the same identities in different orders and in batches of all sizes, and a reader that loads
    /// what is new again and again has all of it in the end.
    @Test("Two writers agree, and an incremental reader misses nothing", arguments: 0..<4)
    func twoWritersAgree(seed: Int) async throws {
        let schema = try PostgreSQLTestSchema()
        let location = schema.location
        _ = try schema.database()
        let sent = (0..<2).map { writer in
            var random = SeededGenerator(seed: seed * 2 + writer)
            return (0..<150).map { batch in
                (0..<Int.random(in: 1..<30, using: &random)).map { index in
                    Self.exposure(&random, number: (batch * 30 + index) * 2 + writer)
                }
            }
        }
        let running = Running(sent.count)
        async let reading = onThread {
            let reader = Loader(try PostgreSQLDatabase(location))
            while running.count.load(ordering: .acquiring) > 0 { try reader.load() }
            try reader.load()
            return reader.loaded
        }
        let outcomes = try await withThrowingTaskGroup { group in
            for batches in sent {
                group.addTask {
                    try await onThread {
                        defer { running.count.subtract(1, ordering: .releasing) }
                        let database = try PostgreSQLDatabase(location, persistence: .seconds(20))
                        return try batches.flatMap { try database.store($0) }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let loaded = try await reading
        var first: [Identity: Exposure] = [:]
        for exposure in sent.joined().joined() {
            let identity = Identity(exposure)
            if first[identity].map({ exposure.rank < $0.rank }) ?? true { first[identity] = exposure }
        }
        #expect(loaded == first)
        let rows = try schema.database().rows()
        #expect(rows.count == first.count)
        #expect(Dictionary(uniqueKeysWithValues: rows.map { (Identity($0), $0) }) == first)
        #expect(outcomes.count { $0 == .stored } == first.count)
    }

    @Test("Plans do not depend on statistics: the index of the identity is used, also in a store with few rows")
    func theIndexOfTheIdentityIsUsed() throws {
        let schema = try PostgreSQLTestSchema()
        let database = try schema.database()
        let lookup = """
            EXPLAIN SELECT cursor FROM unnest(ARRAY[1], ARRAY['u']) AS sent (arm, unit) JOIN exposure USING (arm, unit)
            """
        func plan() throws -> String {
            let address = try #require(PostgreSQLAddress(schema.location))
            return try PostgreSQLSchema.connect(address, patience: nil).query(lookup).map { $0.text(0) }
                .joined(separator: "\n")
        }
        #expect(try plan().contains("exposure_arm_unit_key"))
        for number in 0..<60 {
            let exposure = Exposure(unit: "\(number)", experiment: "e\(number)", salt: "s", variant: "v", at: 0)
            _ = try database.store([exposure])
        }
        try schema.execute("ANALYZE exposure")
        #expect(try plan().contains("exposure_arm_unit_key"))
    }
}
