import AllotConfiguration
import AllotFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotClient

@Suite(.mayHang) struct ExposureJournalTests {
    private static func journal(
        _ folder: String?, limit: Int = 1000, memoryLimit: Int = 1000, write: @escaping JournalWrite = LockedFile.append
    ) -> ExposureJournal {
        let journal = ExposureJournal(folder: folder, limit: limit, memoryLimit: memoryLimit, write: write)
        _ = journal.adopt()
        return journal
    }

    private static func units(_ journal: ExposureJournal) -> [String] { journal.first(.max).map(\.unit) }

    private static func isKept(_ outcome: ExposureJournal.Outcome) -> Bool {
        if case .kept(nil) = outcome { true } else { false }
    }

    private static func isKeptInMemory(_ outcome: ExposureJournal.Outcome) -> Bool {
        if case .kept(let problem?) = outcome { problem.kind == .unwritable } else { false }
    }

    private static func isRepeated(_ outcome: ExposureJournal.Outcome) -> Bool {
        if case .repeated = outcome { true } else { false }
    }

    private static func lines(_ units: [String]) -> [UInt8] {
        units.flatMap { JournalLine.event(ExposureFixture.event($0)).bytes }
    }

    /// A file that ends at any byte holds the events that were whole, and takes more.
    @Test("An incomplete last line loses no other line")
    func aTornLineLosesNoOther() throws {
        let whole = Self.lines(["a", "b", "é"])
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        for length in 0...whole.count {
            let folder = try TemporaryFolder()
            try folder.write(Array(whole.prefix(length)), to: "exposures-1-x.journal")
            let journal = ExposureJournal(folder: folder.path, limit: 1000, memoryLimit: 1000)
            let adoption = journal.adopt()
            // A line that lacks its end alone is whole.
            let expected = Array(["a", "b", "é"].prefix(ends.count { $0 <= length }))
            #expect(Self.units(journal) == expected, "\(length) bytes")
            #expect(adoption.count == expected.count, "\(length) bytes")
            #expect(adoption.problems == [], "\(length) bytes")
            #expect(Self.isKept(journal.append(ExposureFixture.event("next"))))
            journal.close(isTidy: false)
            let next = ExposureJournal(folder: folder.path, limit: 1000, memoryLimit: 1000)
            #expect(next.adopt().problems == [], "\(length) bytes")
            #expect(Self.units(next) == expected + ["next"], "\(length) bytes")
        }
    }

    /// A line with any wrong byte is skipped and reported; the others stay.
    @Test("A damaged line loses no other line")
    func aDamagedLineLosesNoOther() throws {
        let (first, middle, last) = (Self.lines(["a"]), Self.lines(["b"]), Self.lines(["c"]))
        for index in middle.indices.dropLast() {
            var damaged = middle
            damaged[index] ^= 1
            let folder = try TemporaryFolder()
            try folder.write(first + damaged + last, to: "exposures-1-x.journal")
            let journal = ExposureJournal(folder: folder.path, limit: 1000, memoryLimit: 1000)
            let problems = journal.adopt().problems
            #expect(Self.units(journal) == ["a", "c"], "byte \(index)")
            #expect(problems.map(\.kind) == [.corrupt], "byte \(index)")
        }
    }

    @Test("Files with garbage are reported and other files are not touched")
    func garbageIsReported() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 1)
        try folder.write((0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }, to: "exposures-1-x.journal")
        try folder.write("not ours", to: "notes.txt")
        try FileManager.default.createDirectory(
            atPath: folder.path("exposures-1-y.journal"), withIntermediateDirectories: false)
        let journal = ExposureJournal(folder: folder.path, limit: 1000, memoryLimit: 1000)
        let problems = journal.adopt().problems
        #expect(journal.count == 0)
        #expect(Set(problems.map(\.kind)) == [.corrupt, .unreadable])
        #expect(journal.adopt().problems == [])
        #expect(try folder.text("notes.txt") == "not ours")
    }

    @Test("Removed events are gone, but their exposures are remembered")
    func removedEventsAreGoneAndRemembered() throws {
        let folder = try TemporaryFolder()
        let events = ["a", "b", "c"].map { ExposureFixture.event($0) }
        let journal = Self.journal(folder.path)
        for event in events { #expect(Self.isKept(journal.append(event))) }
        #expect(journal.remove([events[1]]) == [])
        #expect(Self.units(journal) == ["a", "c"])
        journal.close(isTidy: false)
        let next = Self.journal(folder.path)
        #expect(Self.units(next) == ["a", "c"])
        for event in events { #expect(Self.isRepeated(next.append(event)), "\(event.unit)") }
        #expect(next.remove([events[0], events[2]]) == [])
        next.close(isTidy: true)
        #expect(try folder.names().count == 1)
        let last = Self.journal(folder.path)
        #expect(last.count == 0)
        for event in events { #expect(Self.isRepeated(last.append(event)), "\(event.unit)") }
    }

    @Test("Two journals can share a folder")
    func twoJournalsShareAFolder() throws {
        let folder = try TemporaryFolder()
        let one = Self.journal(folder.path)
        let two = Self.journal(folder.path)
        #expect(Self.isKept(one.append(ExposureFixture.event("one"))))
        #expect(Self.isKept(two.append(ExposureFixture.event("two"))))
        for (journal, unit) in [(one, "one"), (two, "two")] {
            #expect(journal.adopt().count == 0)
            #expect(Self.units(journal) == [unit])
        }
        one.close(isTidy: false)
        #expect(two.adopt().count == 1)
        #expect(Set(Self.units(two)) == ["one", "two"])
        #expect(two.remove(two.first(.max)) == [])
        two.close(isTidy: true)
        #expect(Self.journal(folder.path).count == 0)
    }

    @Test("The queue and its files are bounded")
    func filesAreBounded() throws {
        let folder = try TemporaryFolder()
        let journal = Self.journal(folder.path, limit: 5)
        for number in 0..<10 {
            let outcome = journal.append(ExposureFixture.event("\(number)"))
            if case .full = outcome { #expect(number >= 5) } else { #expect(number < 5) }
        }
        #expect(journal.count == 5)
        // Once all is sent the file has nothing but the exposures to remember.
        let events = journal.first(.max)
        #expect(journal.remove(events) == [])
        #expect(try folder.names().map(folder.bytes) == [JournalLine.seen(events.map(\.fingerprint)).bytes])
    }

    @Test("Files of other processes become one, even if a process ended while it copied them")
    func filesBecomeOne() throws {
        let folder = try TemporaryFolder()
        let seen = JournalLine.seen([ExposureFixture.event("seen").fingerprint]).bytes
        try folder.write(Self.lines(["a", "b"]), to: "exposures-1-x.journal")
        try folder.write(Self.lines(["b", "c"]) + seen, to: "exposures-1-y.journal")
        let journal = Self.journal(folder.path)
        #expect(Self.units(journal) == ["a", "b", "c"])
        #expect(Self.isRepeated(journal.append(ExposureFixture.event("seen"))))
        #expect(try folder.names() == ["exposures-1-x.journal", "exposures-1-y.journal"])
        #expect(journal.synchronize() == [])
        #expect(try folder.names() == ["exposures-1-x.journal"])
        journal.close(isTidy: false)
        // An app that crashes at each start leaves one file.
        for life in 0..<3 {
            let next = Self.journal(folder.path)
            #expect(Self.units(next) == ["a", "b", "c"] + (0..<life).map { "\($0)" })
            #expect(Self.isRepeated(next.append(ExposureFixture.event("seen"))))
            #expect(Self.isKept(next.append(ExposureFixture.event("\(life)"))))
            next.close(isTidy: false)
            #expect(try folder.names().count == 1)
        }
    }

    @Test("A long file of which most was sent is replaced by a short one")
    func aWornFileIsReplaced() throws {
        let folder = try TemporaryFolder()
        let journal = Self.journal(folder.path, limit: 2000)
        let events = (0..<1500).map { number in
            ExposureEvent(
                id: "\(number)", unit: "\(number)", experiment: "a", variant: "b", at: "2026-11-21T12:00:00.000Z",
                attributes: ["padding": .string(String(repeating: "x", count: 3000))])
        }
        for event in events { #expect(Self.isKept(journal.append(event))) }
        #expect(journal.remove(Array(events.dropLast(10))) == [])
        #expect(Self.isKept(journal.append(ExposureFixture.event("next"))))
        #expect(journal.synchronize() == [])
        let sizes = try folder.names().map { try folder.bytes($0).count }
        #expect(sizes.count == 1)
        #expect(sizes[0] < 200_000)
        journal.close(isTidy: false)
        let next = Self.journal(folder.path)
        #expect(Set(Self.units(next)) == Set(events.suffix(10).map(\.unit) + ["next"]))
        #expect(Self.isRepeated(next.append(events[1489])))
    }

    @Test("The number of remembered exposures is bounded")
    func memoryOfExposuresIsBounded() throws {
        let folder = try TemporaryFolder()
        for round in 0..<3 {
            let journal = Self.journal(folder.path, memoryLimit: 10)
            for number in 0..<25 {
                let event = ExposureFixture.event("\(round).\(number)")
                #expect(Self.isKept(journal.append(event)))
                #expect(journal.remove([event]) == [])
            }
            #expect(Self.isRepeated(journal.append(ExposureFixture.event("\(round).15"))), "the tenth latest")
            #expect(Self.isKept(journal.append(ExposureFixture.event("\(round).14"))))
            #expect(journal.remove(journal.first(.max)) == [])
            journal.close(isTidy: true)
        }
        // Nor does it grow while one process lives.
        let living = Self.journal(folder.path, memoryLimit: 10)
        for number in 0..<500 {
            let event = ExposureFixture.event(number == 499 ? "2.24" : "living \(number)")
            _ = living.append(event)
            #expect(living.remove([event]) == [])
            guard number.isMultiple(of: 20) else { continue }
            #expect(living.synchronize() == [])
            let sizes = try folder.names().map { try folder.bytes($0).count }
            #expect(sizes.count == 1)
            #expect(sizes.reduce(0, +) <= 2 * 10 * 64)
        }
        living.close(isTidy: true)
        #expect(Self.isRepeated(Self.journal(folder.path, memoryLimit: 10).append(ExposureFixture.event("2.24"))))
    }

    @Test("An exposure that waits is not forgotten, however many others are recorded or sent after it")
    func waitingExposuresAreRemembered() {
        let journal = Self.journal(nil, memoryLimit: 10)
        let events = (0..<25).map { ExposureFixture.event("\($0)") }
        for event in events { #expect(Self.isKept(journal.append(event))) }
        for event in events { #expect(Self.isRepeated(journal.append(event)), "\(event.unit)") }
        #expect(journal.remove(Array(events.dropFirst())) == [])
        #expect(Self.isRepeated(journal.append(events[0])))
        #expect(Self.isRepeated(journal.append(events[15])))
        #expect(Self.isKept(journal.append(events[14])))
        #expect(Self.units(journal) == ["0", "14"])
    }

    /// Two processes may have recorded it.
    @Test("An exposure that waits twice is remembered until both events are sent")
    func exposuresThatWaitTwiceAreRemembered() throws {
        let folder = try TemporaryFolder()
        let (one, other) = (ExposureFixture.event("a", id: "one"), ExposureFixture.event("a", id: "other"))
        try folder.write(JournalLine.event(one).bytes, to: "exposures-1-x.journal")
        try folder.write(JournalLine.event(other).bytes, to: "exposures-1-y.journal")
        let journal = Self.journal(folder.path, memoryLimit: 1)
        #expect(journal.count == 2)
        #expect(journal.remove([one]) == [])
        for unit in ["b", "c"] {
            #expect(Self.isKept(journal.append(ExposureFixture.event(unit))))
            #expect(journal.remove([ExposureFixture.event(unit)]) == [])
        }
        #expect(Self.isRepeated(journal.append(ExposureFixture.event("a"))))
        #expect(journal.remove([other]) == [])
        #expect(Self.isKept(journal.append(ExposureFixture.event("b"))))
        #expect(journal.remove([ExposureFixture.event("b")]) == [])
        #expect(Self.isKept(journal.append(ExposureFixture.event("a"))))
    }

    @Test("Events are replaced wherever they are in the queue")
    func eventsAreReplaced() {
        let journal = Self.journal(nil)
        for number in 0..<10 { _ = journal.append(ExposureFixture.event("\(number)")) }
        let events = journal.first(.max)
        journal.replace([9, 0, 4].map { events[$0].moved(to: "2025-11-21T12:00:00.000Z", correction: -31_536_000) })
        #expect(journal.first(.max).map(\.isMoved) == (0..<10).map { [0, 4, 9].contains($0) })
        #expect(Self.units(journal) == (0..<10).map { "\($0)" })
    }

    /// Opening a pipe waits for its other end, which would keep the app from starting.
    @Test("Pipes with the names of the journal's files do not block it")
    func pipesDoNotBlock() throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path("exposures-1-x.journal"), 0o600) == 0)
        let ended = DispatchSemaphore(value: 0)
        let kinds = Mutex<[StoreError.Kind]>([])
        Thread.detachNewThread { [path = folder.path] in
            let journal = ExposureJournal(folder: path, limit: 10, memoryLimit: 10)
            var problems = journal.adopt().problems
            _ = journal.append(ExposureFixture.event("a"))
            problems += journal.remove([ExposureFixture.event("a")])
            kinds.withLock { $0 = problems.map(\.kind) }
            ended.signal()
        }
        try #require(ended.wait(timeout: .now() + 60) == .success)
        #expect(kinds.withLock { $0 } == [.unreadable])
    }

    /// They are written in portions, while others are removed and added, or when the journal is closed.
    @Test("Events that a full disk refused are written later, each once", arguments: [nil, true, false] as [Bool?])
    func whatAFullDiskRefusedIsWrittenLater(isTidy: Bool?) throws {
        let folder = try TemporaryFolder()
        let disk = FaultyDisk(seed: 1)
        let journal = Self.journal(folder.path, write: disk.write)
        disk.isFaulty.withLock { $0 = true }
        for number in 0..<950 { #expect(Self.isKeptInMemory(journal.append(ExposureFixture.event("\(number)")))) }
        #expect(!journal.synchronize().isEmpty)
        disk.isFaulty.withLock { $0 = false }
        var expected = (0..<950).map { "\($0)" }
        if isTidy == nil {
            #expect(Self.isKept(journal.append(ExposureFixture.event("late"))))
            _ = journal.remove(journal.first(10))
            #expect(journal.synchronize() == [])
            expected = ["late"] + expected.dropFirst(10)
        }
        #expect(journal.close(isTidy: isTidy ?? false) == [])
        let found = Self.units(Self.journal(folder.path))
        #expect(isTidy == nil ? found.sorted() == expected.sorted() : found == expected)
    }

    @Test("Closing reports that events could not be written, to a full disk or without a folder")
    func closingReportsWhatCouldNotBeWritten() throws {
        let folder = try TemporaryFolder(["file": ""])
        let disk = FaultyDisk(seed: 1)
        disk.isFaulty.withLock { $0 = true }
        for path in [folder.path, folder.path("file/queue")] {
            let journal = Self.journal(path, write: disk.write)
            #expect(Self.isKeptInMemory(journal.append(ExposureFixture.event("a"))))
            #expect(Self.units(journal) == ["a"])
            #expect(journal.close(isTidy: true).map(\.kind) == [.unwritable])
        }
        #expect(try folder.names() == ["file"])
        let unmade = ExposureJournal(folder: folder.path("file/queue"), limit: 10, memoryLimit: 10)
        #expect(unmade.adopt().problems.map(\.kind) == [.unwritable])
    }

    /// A file system without locks: no file is left, no exposure tries again, and all are written later.
    @Test("A file system without locks is reported, and no files are left on it", arguments: [ENOTSUP, ENOLCK, EINVAL])
    func withoutLocksNoFilesAreLeft(number: Int32) throws {
        let folder = try TemporaryFolder()
        let disk = LocklessDisk(number)
        let journal = ExposureJournal(folder: folder.path, limit: 1000, memoryLimit: 1000, lock: disk.lock)
        #expect(journal.adopt().problems.map(\.kind) == [.unwritable])
        for number in 0..<50 {
            #expect(Self.isKeptInMemory(journal.append(ExposureFixture.event("\(number)"))))
        }
        #expect(disk.attempts == 1)
        #expect(try folder.names() == [])
        #expect(journal.synchronize().map(\.kind) == [.unwritable])
        #expect(disk.attempts == 2)
        disk.end()
        #expect(journal.synchronize() == [])
        journal.close(isTidy: false)
        #expect(Self.units(Self.journal(folder.path)) == (0..<50).map { "\($0)" })
    }

    /// FNV-1a of 128 bits, from the authors' test vectors.
    @Test("Fingerprints are FNV-1a with 128 bits")
    func fingerprints() {
        func hex(_ text: String) -> String { FNV1a.hash128(Array(text.utf8)).hexadecimal }
        #expect(hex("") == "6c62272e07bb014262b821756295c58d")
        #expect(hex("a") == "d228cb696f1a8caf78912b704e4a8964")
        #expect(hex("foobar") == "343e1662793c64bf6f0d3597ba446f18")
        #expect(FNV1a.hash128(["a", "bc"]) != FNV1a.hash128(["ab", "c"]))
        let key = FNV1a.hash128(["x"])
        #expect(FNV1a.Hash128(hexadecimal: key.hexadecimal.utf8) == key)
        #expect(FNV1a.Hash128(hexadecimal: "X".utf8 + Array(key.hexadecimal.utf8.dropFirst())) == nil)
    }

    @Test(
        "Times of exposures are limited to the years 1970 to 9999",
        arguments: [
            (-86_400, "1970-01-01T00:00:00.000Z"), (1_795_262_400.123, "2026-11-21T12:00:00.123Z"),
            (253_402_300_799, "9999-12-31T23:59:59.000Z"), (1e300, "9999-12-31T23:59:59.999Z"),
            (.nan, "1970-01-01T00:00:00.000Z"), (.infinity, "9999-12-31T23:59:59.999Z"),
        ] as [(Double, String)])
    func times(seconds: Double, text: String) throws {
        #expect(ExposureTime.text(Date(timeIntervalSince1970: seconds)) == text)
        #expect(ExposureTime.text(try #require(ISO8601Date.date(text))) == text)
    }
}

/// A file system without locks, until it has them.
private final class LocklessDisk: Sendable {
    private let number: Atomic<Int32>
    private let count = Atomic(0)

    init(_ number: Int32) { self.number = Atomic(number) }

    /// How often it was asked for a lock.
    var attempts: Int { count.load(ordering: .relaxed) }

    func end() { number.store(0, ordering: .relaxed) }

    @Sendable func lock(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        count.add(1, ordering: .relaxed)
        let number = number.load(ordering: .relaxed)
        guard number == 0 else { throw SystemError(number) }
        return try file.lock()
    }
}
