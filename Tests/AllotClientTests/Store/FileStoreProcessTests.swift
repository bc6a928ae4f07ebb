import AllotClient
import Foundation
import TestSupport
import Testing

@Suite(.blocks, .mayHang) struct FileStoreProcessTests {
    static let record = StoreRecord(.active, user: "probe")

    /// A process that writes is killed after some records, many times on one folder.
    @Test("A killed process leaves a complete record", arguments: 0..<max(2, Kills.count / 5))
    func aKilledProcessLeavesAWholeRecord(seed: Int) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path("store")
        let store = FileStore(folder: URL(filePath: path))
        var random = SeededGenerator(seed: seed)
        var first = 1
        for _ in 0..<5 {
            let run = try ProbeRun("client-store-probe", ["write", path, "\(first)", "1000000"])
            let written = run.lines(killedAfter: Int.random(in: 1...8, using: &random)).compactMap { Int($0) }
            #expect(run.status == 128 + SIGKILL)
            let number = try #require(ClientStoreProbe.number(of: store.read(Self.record) ?? []))
            // The last one that was acknowledged, or one that came after it.
            #expect(number >= (written.last ?? .max))
            first = number + 1
        }
        try FileStore(folder: URL(filePath: path)).write([1], Self.record)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["active.user-probe"])
    }

    /// Two processes write one record, each with a new store for each write, which looks for leftovers.
    @Test("Two processes can share a store")
    func twoProcessesShareAStore() throws {
        let temporary = try TemporaryFolder()
        let store = FileStore(folder: URL(filePath: temporary.path))
        let runs = try [1, 1_000_000].map {
            try ProbeRun("client-store-probe", ["write", temporary.path, "\($0)", "60"])
        }
        while runs.contains(where: \.isRunning) {
            if let bytes = try store.read(Self.record) { #expect(ClientStoreProbe.number(of: bytes) != nil) }
        }
        for run in runs {
            #expect(run.lines().count == 60)
            #expect(run.status == 0)
        }
        #expect([60, 1_000_059].contains(ClientStoreProbe.number(of: try store.read(Self.record) ?? [])))
        #expect(try temporary.names() == ["active.user-probe"])
    }

    /// The system refuses to write more, as a full disk does in the middle of a file.
    @Test("The former record stays if the disk is full")
    func withoutSpaceTheFormerRecordStays() throws {
        let temporary = try TemporaryFolder()
        let store = FileStore(folder: URL(filePath: temporary.path))
        try store.write([7], StoreRecord(.active, user: nil))
        let run = try ProbeRun("client-store-probe", ["limited", temporary.path, "100000"])
        let lines = run.lines()
        #expect(run.status == 1)
        #expect(lines.count == 1)
        #expect(lines.first?.contains("cannot be written: File too large; free some space") == true)
        #expect(try store.read(StoreRecord(.active, user: nil)) == [7])
        #expect(try temporary.names() == ["active"])
    }

    #if os(Linux)
        @Test("An app's store is where the platform keeps data")
        func dataIsWhereThePlatformKeepsIt() throws {
            let set = try ProbeRun(
                "client-store-probe", ["place", "App"], environment: ["XDG_DATA_HOME": "/data", "HOME": "/home"])
            #expect(set.lines() == ["/data/App/configuration/"])
            let unset = try ProbeRun("client-store-probe", ["place", "App"], environment: ["HOME": "/home/jane"])
            #expect(unset.lines() == ["/home/jane/.local/share/App/configuration/"])
        }
    #endif
}
