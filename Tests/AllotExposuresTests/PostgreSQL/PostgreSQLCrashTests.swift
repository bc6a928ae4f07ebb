import Foundation
import TestSupport
import Testing

@testable import AllotExposures
@testable import AllotPostgreSQL

/// Two processes store batches of ten in one database, each from four tasks that send a batch again until it is
/// acknowledged, and write the names of those that are.
@Suite(.blocks, .needsPostgreSQL, .serialized) struct PostgreSQLCrashTests {
    /// A sixth of the kills of the tests of the other store, of which there are more kinds.
    private static let rounds =
        ProcessInfo.processInfo.environment["ALLOT_KILLS"].flatMap { Int($0) }.map { $0 / 6 } ?? 3

    /// A running process and what it wrote.
    private final class Sender {
        let seed: String
        private(set) var acknowledged: [String] = []
        private let output = LineReader()
        private let program: RunningProgram

        init(_ location: String, seed: String) throws {
            self.seed = seed
            program = try RunningProgram(
                BuiltProgram("exposure-crash-probe").url, [location, seed, "patient"], output: output.pipe)
        }

        /// Waits for a number of acknowledgements.
        func read(_ count: Int) throws {
            for _ in 0..<count {
                let line = try #require(output.next(), "the process that stores exposures ended")
                acknowledged.append(String(decoding: line, as: UTF8.self))
            }
        }

        func kill() {
            program.signal(SIGKILL)
            while let line = output.next() { acknowledged.append(String(decoding: line, as: UTF8.self)) }
            #expect(program.waitForEnd() == 128 + SIGKILL)
        }

        /// Expects of the rows that have this sender's units: those of all acknowledged batches, whole batches, and
        /// of each task at most the one batch more that it had sent last.
        func check(_ rows: [Exposure]) {
            let batches = Dictionary(grouping: rows.map(\.unit).filter { $0.hasPrefix("unit-\(seed)-") }) { unit in
                String(unit.dropFirst("unit-".count).prefix(upTo: unit.lastIndex(of: "-") ?? unit.endIndex))
            }
            #expect(batches.values.allSatisfy { $0.count == 10 && Set($0).count == 10 })
            #expect(Set(batches.keys).isSuperset(of: acknowledged))
            for task in 0..<4 {
                func numbers(_ names: some Sequence<String>) -> Set<Int> {
                    Set(
                        names.filter { $0.hasPrefix("\(seed)-\(task)-") }.compactMap {
                            Int($0.split(separator: "-")[2])
                        })
                }
                let (stored, sent) = (numbers(batches.keys), numbers(acknowledged).count + 1)
                #expect(stored == Set(0..<stored.count))
                #expect(stored.count <= sent)
            }
        }
    }

    private static func rows(_ location: String, after cursor: inout Int64) throws -> [Exposure] {
        let database = try PostgreSQLDatabase(location)
        defer { database.close() }
        let last = try database.lastCursor()
        defer { cursor = last }
        return try database.exposures(of: ExposureSelection(), after: cursor, through: last, limit: .max).exposures
    }

    @Test("What was acknowledged survives the killing of the processes that store it")
    func whatWasAcknowledgedSurvivesTheKillingOfTheProcesses() throws {
        let cluster = try PostgreSQLTestCluster()
        let location = PostgreSQLTestSchema.location(cluster.connection)
        var cursor: Int64 = 0
        for round in 0..<Self.rounds {
            var random = SeededGenerator(seed: round)
            let senders = try (0..<2).map { try Sender(location, seed: "\(round).\($0)") }
            for sender in senders { try sender.read(Int.random(in: 1..<100, using: &random)) }
            for sender in senders { sender.kill() }
            let rows = try Self.rows(location, after: &cursor)
            for sender in senders { sender.check(rows) }
        }
    }

    @Test("What was acknowledged survives the killing of PostgreSQL, and no other is stored")
    func whatWasAcknowledgedSurvivesTheKillingOfPostgreSQL() throws {
        let cluster = try PostgreSQLTestCluster()
        let location = PostgreSQLTestSchema.location(cluster.connection)
        let senders = try (0..<2).map { try Sender(location, seed: "\($0)") }
        var random = SeededGenerator(seed: 0)
        for round in 0..<Self.rounds {
            for sender in senders { try sender.read(Int.random(in: 1..<50, using: &random)) }
            if round.isMultiple(of: 2) {
                try cluster.kill()
                try cluster.start()
            } else {
                _ = try cluster.killOneBackend(&random)
            }
        }
        for sender in senders { try sender.read(10) }
        for sender in senders { sender.kill() }
        // Acknowledgements may be older than the last kill, from which the server may still recover: a start waits.
        try cluster.kill()
        try cluster.start()
        var cursor: Int64 = 0
        let rows = try Self.rows(location, after: &cursor)
        for sender in senders { sender.check(rows) }
    }
}
