import AllotCore
import AllotDefinitions
import TestSupport
import Testing

/// Preconditions of the comparison with engines: the definitions are valid, and the users cover all reasons.
struct RandomFolderTests {
    @Test("Random definitions are valid")
    func definitionsAreValid() throws {
        let folder = try TemporaryFolder()
        for seed in 1...60 {
            for (name, random) in [("f", RandomFolder(seed: seed)), ("t", RandomFolder(testsSeed: seed, count: 20))] {
                let path = folder.path("\(name)\(seed)")
                try random.write(to: path)
                #expect(throws: Never.self, "seed \(seed)") { try Self.plan(path) }
            }
        }
    }

    @Test("Random users and definitions have decisions of every reason")
    func usersMeetEveryReason() throws {
        let folder = try TemporaryFolder()
        let users = HostileUsers(seed: 1, count: 300)
        let instant = try #require(Instant(RandomFolder.instant))
        var counts: [Reason: Int] = [:]
        for seed in 1...40 {
            let path = folder.path("\(seed)")
            try RandomFolder(seed: seed).write(to: path)
            let plan = try Self.plan(path)
            for row in users.rows {
                var subject = Subject()
                for (name, text) in zip(HostileUsers.columns, row) { subject.setUntyped(name, text ?? "") }
                for assignment in plan.assignments(for: subject, at: instant) {
                    counts[assignment.reason, default: 0] += 1
                }
            }
        }
        for reason in Reason.allCases {
            #expect(counts[reason, default: 0] >= 100, "\(reason.text) is rare")
        }
    }

    private static func plan(_ path: String) throws -> Plan {
        try Plan.load(folder: path)
    }
}
