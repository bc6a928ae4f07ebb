import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

/// Processes that share a folder, of which some are killed.
@Suite(.blocks, .mayHang) struct ExposureProcessTests {
    /// Two processes are killed at random moments, three times in a row; the next run of the app sends what they left.
    @Test("Killed processes lose no exposure", arguments: 0..<max(2, Kills.count / 6))
    func killedProcessesLoseNothing(seed: Int) async throws {
        let folder = try TemporaryFolder()
        let received = try folder.write("", to: "received")
        var random = SeededGenerator(seed: seed)
        var recorded: Set<String> = []
        for life in 0..<3 {
            let counts = [Int.random(in: 1..<400, using: &random), Int.random(in: 1..<400, using: &random)]
            try await withThrowingTaskGroup(of: Set<String>.self) { group in
                for (index, count) in counts.enumerated() {
                    let path = folder.path("queue")
                    group.addTask {
                        try Self.run(path, received, "\(seed).\(life).\(index)", 1_000_000, killedAfter: count)
                    }
                }
                for try await units in group { recorded.formUnion(units) }
            }
        }
        #expect(recorded.count >= 6)
        let server = FakeExposureServer()
        let reporter = ExposureReporter.make(folder.path("queue"), server)
        await reporter.flush()
        #expect(reporter.waitingCount == 0)

        var idsByUnit: [String: Set<String>] = [:]
        for line in try folder.text("received").split(separator: "\n") {
            let words = line.split(separator: " ")
            idsByUnit[String(words[1]), default: []].insert(String(words[0]))
        }
        for event in server.stored { idsByUnit[event.unit, default: []].insert(event.id) }
        #expect(recorded.isSubset(of: idsByUnit.keys))
        // A unit is one event, however often it was sent; and no unit was made up.
        #expect(idsByUnit.values.allSatisfy { $0.count == 1 })
        #expect(idsByUnit.keys.allSatisfy { $0.hasPrefix("\(seed).") && $0.split(separator: "-").count == 3 })
    }

    /// Two processes that live send each event once.
    @Test("Processes that share a folder send each event once")
    func livingProcessesSendEachEventOnce() async throws {
        let folder = try TemporaryFolder()
        let received = try folder.write("", to: "received")
        var recorded: Set<String> = []
        try await withThrowingTaskGroup(of: Set<String>.self) { group in
            for index in 0..<2 {
                let path = folder.path("queue")
                group.addTask { try Self.run(path, received, "\(index)", 600, killedAfter: nil) }
            }
            for try await units in group { recorded.formUnion(units) }
        }
        #expect(recorded.count == 1200)
        let units = try folder.text("received").split(separator: "\n").map { String($0.split(separator: " ")[1]) }
        #expect(Set(units) == recorded)
        #expect(units.count == recorded.count)
    }

    /// The units that a process recorded before it ended or was killed.
    private static func run(
        _ folder: String, _ received: String, _ name: String, _ count: Int, killedAfter limit: Int?
    ) throws -> Set<String> {
        let run = try ProbeRun("client-exposure-probe", [folder, received, name, String(count)])
        let lines = run.lines(killedAfter: limit ?? .max)
        #expect(run.status == (limit == nil ? 0 : 128 + SIGKILL))
        return Set(lines)
    }
}
