import Foundation
import TestSupport
import Testing

@testable import AllotExposures

/// Damage that SQLite can notice is an error, and never a wrong answer; no damage ends the process.
struct DamageTests {
    /// A store of three randomisations: with replaced, purged and erased rows, and units in several variants.
    private static func sample(_ path: String) async throws -> [(experiment: String, salt: String)] {
        var random = SeededGenerator(seed: 7)
        let store = try ExposureStore(path)
        for _ in 0..<30 {
            let exposures = (0..<100).map { _ in
                let number = Int.random(in: 0..<1200, using: &random)
                var exposure = Exposure(
                    id: "event-\(random.next())", unit: "unit-\(number)", experiment: "e\(number % 2)",
                    salt: number % 3 == 0 ? "salt" : "e\(number % 2)",
                    variant: number % 200 == 0 || number % 4 == 0 ? "control" : "treatment",
                    at: Int64.random(in: 0..<1_000_000, using: &random))
                if Int.random(in: 0..<50, using: &random) == 0 { exposure.variant = "treatment" }
                exposure.revision = "r\(number % 2)"
                exposure.attributes = #"{"country":"DE","number":\#(number)}"#
                if number % 7 == 0 { exposure.isOverridden = true }
                return exposure
            }
            _ = try await store.record(exposures)
        }
        _ = try await store.delete(ExposureDeletion(before: 20_000))
        _ = try await store.erase(unit: "unit-77")
        let randomisations = try await store.randomisations()
        await store.shutdown()
        return randomisations.map { ($0.experiment, $0.salt) }
    }

    private static func damage(_ bytes: inout Data, _ random: inout SeededGenerator) -> String {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let page = place / 4096 * 4096
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            return "bit at \(place)"
        case 1:
            for index in place..<min(place + 16, bytes.count) { bytes[index] = .random(in: 0...255, using: &random) }
            return "16 bytes at \(place)"
        case 2:
            let sector = place / 512 * 512
            bytes.replaceSubrange(sector..<sector + 512, with: Data(count: 512))
            return "no sector at \(sector)"
        case 3:
            // The header of a page and the places of its cells.
            let header = page + (page == 0 ? 100 : 0) + Int.random(in: 0..<24, using: &random)
            bytes[header] = .random(in: 0...255, using: &random)
            return "header at \(header)"
        case 4:
            let other = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
            bytes.replaceSubrange(page..<page + 4096, with: Data(bytes[other..<other + 4096]))
            return "page at \(other) instead of \(page)"
        default:
            let number = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes.replaceSubrange(min(place, bytes.count - 4)..<min(place, bytes.count - 4) + 4, with: number)
            return "number at \(place)"
        }
    }

    /// The number of spots in each of four parts.
    private static let spots =
        ProcessInfo.processInfo.environment["ALLOT_DAMAGED_SPOTS"].flatMap(Int.init) ?? 10

    /// A changed value in a sound row may be an answer: SQLite cannot notice it.
    @Test("A damaged spot is an error or an answer, and never the end of the process", arguments: 0..<4)
    func damagedSpots(part: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        let randomisations = try await Self.sample(path)
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(randomisations.count == 4)
        var random = SeededGenerator(seed: 100 + part)
        for _ in 0..<Self.spots {
            var bytes = sound
            let what = Self.damage(&bytes, &random)
            try bytes.write(to: URL(fileURLWithPath: path))
            let answers = try await Self.answers(path, randomisations)
            #expect([0, 6].contains(answers.count), "\(what)")
        }
    }

    /// The first byte of a page says what kind of page it is.
    enum Loss: CaseIterable {
        /// The page is all zeros, as after a write that was lost.
        case zeros
        /// The page is of no kind.
        case header
        /// The file ends before the page.
        case end
    }

    @Test("A lost page gives no wrong answer, and a check finds it", arguments: Loss.allCases)
    func lostPages(loss: Loss) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        let randomisations = try await Self.sample(path)
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        let expected = try await Self.answers(path, randomisations)
        #expect(expected.count == 6)
        #expect(!expected.contains(nil))
        let pages = sound.count / 4096
        var errors = 0
        for page in stride(from: 1, to: pages, by: max(1, pages / Self.spots)) {
            var bytes = sound
            let start = page * 4096
            switch loss {
            case .zeros: bytes.replaceSubrange(start..<start + 4096, with: Data(count: 4096))
            case .header: bytes[start] = 0xFF
            case .end: bytes.removeSubrange(start...)
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            let answers = try await Self.answers(path, randomisations)
            errors += answers.isEmpty ? 1 : answers.count { $0 == nil }
            for (answer, right) in zip(answers, expected) where answer != nil {
                #expect(answer == right, "page \(page)")
            }
            #expect(await Self.isFoundDamaged(path), "page \(page)")
        }
        #expect(errors > Self.spots / 2)
        try sound.write(to: URL(fileURLWithPath: path))
        #expect(await !Self.isFoundDamaged(path))
    }

    /// Whether a file cannot be opened or checked, or a check finds something.
    private static func isFoundDamaged(_ path: String) async -> Bool {
        for file in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + file) }
        guard let store = try? ExposureStore(path) else { return true }
        let problems = try? await store.problems()
        await store.shutdown()
        return problems != []
    }

    /// The counts of each randomisation, and the exports of what is counted and of what is not; `nil` for errors. There
    /// are none if the store cannot be opened.
    private static func answers(
        _ path: String, _ randomisations: [(experiment: String, salt: String)]
    ) async throws -> [String?] {
        for file in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + file) }
        guard let store = try? ExposureStore(path) else { return [] }
        var reads: [() async throws -> String] = []
        for (experiment, salt) in randomisations {
            reads.append { try await String(describing: store.counts(experiment: experiment, salt: salt)) }
        }
        for isCounted in [true, false] {
            reads.append {
                var bytes: [UInt8] = []
                let export = try await store.export(ExposureSelection(isCounted: isCounted))
                for try await chunk in export { bytes += chunk }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        var answers: [String?] = []
        for read in reads {
            do {
                answers.append(try await read())
            } catch let error as ExposureStoreError {
                #expect(error.description.contains(path))
                answers.append(nil)
            }
        }
        await store.shutdown()
        return answers
    }

    /// The changes of a file, and the reads that find them.
    static let finds: [(sql: String, read: @Sendable (ExposureStore) async throws -> Void)] = [
        ("DELETE FROM store", { _ = try await $0.lastCursor() }),
        ("DELETE FROM store", { _ = try await $0.delete(.all) }),
        ("DELETE FROM cohort", { for try await _ in try await $0.export() {} }),
        (
            "DELETE FROM cohort",
            { store in
                #expect(try await store.record([Exposure(experiment: "f")]) == [.stored])
                for try await _ in try await store.export() {}
            }
        ),
        ("UPDATE exposure SET doubt = 'other'", { for try await _ in try await $0.export() {} }),
        ("UPDATE cohort SET units = units + 1", { _ = try await $0.counts(experiment: "e", salt: "e") }),
        ("UPDATE cohort SET units = units + 1", { _ = try await $0.history(experiment: "e", salt: "e") }),
        ("DELETE FROM exposure", { _ = try await $0.counts(experiment: "e", salt: "e") }),
    ]

    /// The message about the damage that is found; `nil` if none is.
    private static func damage(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
        } catch ExposureStoreError.damaged(let message) {
            return message
        } catch {}
        return nil
    }

    @Test("A store that was found damaged says so, and takes nothing more", arguments: finds.indices)
    func damageIsRemembered(number: Int) async throws {
        let (sql, read) = Self.finds[number]
        let temporary = try TemporaryStore()
        let store = temporary.store
        var exposure = Exposure(confirmation: .nothing)
        _ = try await store.record([exposure])
        try await temporary.execute(sql)
        #expect(store.health == .healthy)
        #expect(await Self.damage { try await read(store) }?.contains("restore it") == true, "\(sql)")
        for _ in 0..<2 {
            exposure.unit += "v"
            let next = [exposure]
            let message = await Self.damage { _ = try await store.record(next) }
            #expect(message?.contains(temporary.path) == true, "\(sql)")
            let refusal = await Self.damage { _ = try await store.delete(ExposureDeletion(experiments: ["none"])) }
            #expect(refusal == message, "\(sql)")
            guard case .failing(let message, let since) = await store.probe() else { throw ExposureStoreError.closed }
            #expect(message.contains("is damaged"))
            #expect(since > 0)
        }
        #expect(store.failedCount == 2)
        await store.shutdown()
    }
}
