import TestSupport
import Testing

@testable import AllotExposures

/// The notes of variants and revisions that no definition has had, in each kind of database.
@Suite(.blocks) struct ConfirmationTests {
    private static func arm(_ experiment: String) -> ExposureArm {
        ExposureArm(experiment: experiment, salt: experiment, variant: "v")
    }

    /// Batches of exposures to experiments that a definition has (`+`), has in another revision (`?`) or does not have
    /// (`-`); with `!` they are forced. Then the experiments that no definition has had, the one that was received
    /// longest ago first.
    static let cases: [([[String]], [String])] = [
        ([["+a"]], []), ([["?a"]], []), ([["-a"]], ["a"]), ([["-a"], ["-a"]], ["a"]),
        // Later, and the other way round: once is enough.
        ([["-a"], ["+a"]], []), ([["-a"], ["?a"]], []), ([["+a"], ["-a"]], []), ([["?a"], ["-a"]], []),
        // In one transaction.
        ([["-a", "+a"]], []), ([["+a", "-a"]], []), ([["-a", "-b", "+a"]], ["b"]),
        // Forced units are kept apart, but the variant is the same.
        ([["-a!"]], ["a"]), ([["-a", "-a!"]], ["a"]), ([["+a"], ["-a!"]], []), ([["-a!"], ["+a"]], []),
        ([["-a", "+a!"]], []), ([["+a!", "-a"]], []),
        ([["-b", "-a"], ["-c"]], ["b", "a", "c"]), ([["-a"], ["-b"], ["-a"]], ["b", "a"]),
    ]

    @Test("A variant that a definition has had once stays so", arguments: TestedKind.available, cases)
    func confirmation(kind: TestedKind, sample: ([[String]], [String])) async throws {
        let (batches, unconfirmed) = sample
        let tested = try kind.make()
        defer { withExtendedLifetime(tested) {} }
        var number: Int64 = 0
        for batch in batches {
            // Another server for each.
            let store = try tested.openStore()
            let exposures = batch.map { text in
                number += 1
                let confirmations: [Character: Exposure.Confirmation] = ["+": .whole, "?": .arm, "-": .nothing]
                return Exposure(
                    "u\(number)", experiment: String(text.filter(\.isLetter)), at: number,
                    reason: text.hasSuffix("!") ? "forced" : "split", revision: "r",
                    confirmation: confirmations[text.first ?? "+"] ?? .whole)
            }
            #expect(try await store.record(exposures) == exposures.map { _ in .stored })
            await store.shutdown()
        }
        let store = try tested.openStore()
        #expect(try await store.unconfirmedArms() == unconfirmed.map(Self.arm))
        await store.shutdown()
    }

    @Test(
        "Variants are in the order in which they were received, those of one experiment too",
        arguments: TestedKind.available)
    func order(kind: TestedKind) async throws {
        try await kind.withStore { store async throws in
            for (number, name) in ["e-a", "other-v", "e-b", "e-a"].enumerated() {
                let parts = name.split(separator: "-").map(String.init)
                let (experiment, variant, time) = (parts[0], parts[1], Int64(number))
                _ = try await store.record([
                    Exposure("u\(number)", experiment: experiment, variant: variant, at: time, confirmation: .nothing)
                ])
            }
            #expect(
                try await store.unconfirmedArms().map { "\($0.experiment)-\($0.variant)" } == ["other-v", "e-b", "e-a"])
        }
    }

    @Test("Variants that no definition has had can be deleted, and others cannot", arguments: TestedKind.available)
    func deletion(kind: TestedKind) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.record([
                Exposure("1", experiment: "a", at: 1, confirmation: .nothing),
                Exposure("2", experiment: "a", at: 2, confirmation: .nothing),
                Exposure("3", experiment: "b", at: 3, confirmation: .nothing), Exposure("4", experiment: "c", at: 4),
            ])
            let deletion = ExposureDeletion(unconfirmed: ["a", "c", "unknown"].map(Self.arm))
            #expect(
                try await store.preview(of: deletion) == [.init(experiment: "a", count: 2, earliest: 1, latest: 2)])
            #expect(try await store.delete(deletion) == 2)
            #expect(try await store.unconfirmedArms() == [Self.arm("b")])
            try await store.confirm([(Self.arm("b"), "r"), (Self.arm("unknown"), "r")])
            #expect(try await store.delete(ExposureDeletion(unconfirmed: [Self.arm("b")])) == 0)
            #expect(try await store.delete(ExposureDeletion(unconfirmed: [])) == 0)
            #expect(try await store.exposures().exposures.map(\.unit) == ["3", "4"])
            // Deleted variants may come again.
            _ = try await store.record([
                Exposure("5", experiment: "a", at: 5, confirmation: .nothing),
                Exposure("6", experiment: "b", at: 6, confirmation: .nothing),
            ])
            #expect(try await store.unconfirmedArms() == [Self.arm("a")])
            #expect(try await store.units(of: "b") == [2])
        }
    }

    @Test(
        "A variant has room for few revisions that no definition has had, over restarts too",
        arguments: TestedKind.available)
    func revisions(kind: TestedKind) async throws {
        let tested = try kind.make()
        defer { withExtendedLifetime(tested) {} }
        let limit = Exposure.Confirmation.revisionLimit
        let first = try tested.openStore()
        let invented = (0..<limit + 3).map { Exposure("u\($0)", revision: "r\($0)", confirmation: .arm) }
        #expect(try await first.record(invented) == invented.map { _ in .stored })
        await first.shutdown()
        let store = try tested.openStore()
        func revisions(_ exposures: Exposure...) async throws -> [String?] {
            let last = try await store.lastCursor()
            _ = try await store.record(exposures)
            return try await store.exposures(after: last).exposures.map(\.revision)
        }
        #expect(
            try await store.exposures(limit: 1000).exposures.map(\.revision)
                == (0..<limit).map { "r\($0)" } + [nil, nil, nil])
        #expect(
            try await revisions(
                Exposure("new", revision: "new", confirmation: .arm),
                Exposure("known", revision: "r0", confirmation: .arm),
                Exposure("own", revision: "own"),
                Exposure("other", experiment: "f", revision: "new", confirmation: .arm),
                Exposure("none", confirmation: .arm)) == [nil, "r0", "own", "new", nil])
        // A revision that a definition has takes no room.
        try await store.confirm([(Self.arm("e"), "r0")])
        #expect(
            try await revisions(
                Exposure("a", revision: "new", confirmation: .arm), Exposure("b", revision: "newer", confirmation: .arm)
            )
                == ["new", nil])
        await store.shutdown()
    }

    @Test(
        "A revision takes a place only while exposures with it are stored", arguments: TestedKind.available)
    func freedRevisions(kind: TestedKind) async throws {
        try await kind.withStore { store async throws in
            let numbers = 0..<Exposure.Confirmation.revisionLimit
            _ = try await store.record([Exposure(experiment: "other", id: "id")])
            let repeated = numbers.map { Exposure(id: "id", revision: "repeated-\($0)", confirmation: .arm) }
            #expect(try await store.record(repeated) == repeated.map { _ in .duplicate })
            /// Stores an exposure of each revision, all of which have a place.
            func fill(_ name: String, at time: Int64) async throws {
                let last = try await store.lastCursor()
                _ = try await store.record(
                    numbers.map { Exposure("\(name)-\($0)", at: time, revision: "\(name)-\($0)", confirmation: .arm) })
                #expect(
                    try await store.exposures(after: last).exposures.map(\.revision) == numbers.map { "\(name)-\($0)" })
            }
            try await fill("replaced", at: 10)
            _ = try await store.record(numbers.map { Exposure("replaced-\($0)", at: 9) })
            try await fill("deleted", at: 1)
            #expect(try await store.delete(ExposureDeletion(before: 2)) == numbers.count + 1)
            try await fill("last", at: 20)
        }
    }

    @Test("Names whose exposures were deleted, or not stored, are not kept", arguments: TestedKind.available)
    func namesAreNotKept(kind: TestedKind) async throws {
        let tested = try kind.make()
        defer { withExtendedLifetime(tested) {} }
        let store = try tested.openStore()
        func invented(_ round: Int) -> [Exposure] {
            (0..<20).map {
                Exposure("u\($0)", experiment: "e-\(round)-\($0)", revision: "r-\(round)", confirmation: .nothing)
            }
        }
        for round in 0..<5 {
            let exposures = invented(round)
            #expect(try await store.record(exposures) == exposures.map { _ in .stored })
            #expect(try tested.names() == [20, 40])
            #expect(Set(try await store.randomisations().map(\.experiment)) == Set(exposures.map(\.experiment)))
            let arms = try await store.unconfirmedArms()
            #expect(try await store.delete(ExposureDeletion(unconfirmed: arms)) == 20)
            #expect(try tested.names() == [0, 0])
        }
        // One of them again, and new ones.
        let again = [Exposure("again", experiment: "e-4-7")]
        let known = again + (0..<21).map { Exposure(experiment: "new-\($0)") }
        _ = try await store.record(known)
        #expect(try tested.names() == [22, 0])
        for exposure in known { #expect(try await store.units(of: exposure.experiment) == [1]) }
        // An event whose ID is stored with another identity.
        var other = invented(9)[0]
        other.id = "1"
        #expect(try await store.record([Exposure("event", experiment: "e-4-7", id: "1")]) == [.stored])
        #expect(try await store.record([other]) == [.duplicate])
        #expect(try tested.names() == [22, 0])
        await store.shutdown()
    }
}
