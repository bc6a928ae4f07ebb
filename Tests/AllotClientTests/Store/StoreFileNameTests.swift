import AllotConfiguration
import AllotFiles
import TestSupport
import Testing

@testable import AllotClient

struct StoreFileNameTests {
    static let ids = [
        "", "a", "A", "Jane", "jane", "JANE", "user-1_b", "a.b", "..", ".", "../x", "/etc/passwd", "\0", "a\0b", "%",
        "%41", "%61", "(null)", "null", "🙂", "é", "e\u{301}", "ß", "ss", "ſ", "ı", "con", "aux", " ", "\n", "~",
        "user-", "hash-", String(repeating: "x", count: 96), String(repeating: "x", count: 97),
        String(repeating: "x", count: 1024), String(repeating: "x", count: 1023) + "y",
        String(repeating: "Å", count: 512), String(repeating: "/", count: 1024),
    ]

    @Test("A record's file name shows its kind and its user, or the hash of a long ID")
    func namesAreReadable() {
        #expect(StoreFileName.name(StoreRecord(.active, user: nil)) == "active")
        #expect(StoreFileName.name(StoreRecord(.active, user: "user-1_b")) == "active.user-user-1_b")
        #expect(StoreFileName.name(StoreRecord(.fetched, user: "Jo@x")) == "fetched.user-%4ao%40x")
        #expect(StoreFileName.name(StoreRecord(.schedule, user: "")) == "schedule.user-")
        #expect(StoreFileName.name(StoreRecord(.active, user: "../é")) == "active.user-%2e%2e%2f%c3%a9")
        #expect(StoreFileName.name(.file("0af")) == "file.sha256-0af")
        let long = String(repeating: "x", count: 97)
        let hash = FNV1a.hash128(Array(long.utf8)).hexadecimal
        #expect(StoreFileName.name(StoreRecord(.active, user: long)) == "active.hash-\(hash)")
    }

    @Test("File names are distinct and safe on all file systems")
    func allAreApartAndSafe() {
        var names: Set<UTF8Key> = []
        var random = SeededGenerator(seed: 1)
        let randomIDs = (0..<2000).map { _ in
            String(
                decoding: (0..<Int.random(in: 1...6, using: &random)).map { _ in random.next() as UInt64 }
                    .map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        }
        let users = Set((Self.ids + randomIDs).map(UTF8Key.init))
        for kind in StoreRecord.Kind.allCases {
            for user in users.map(\.text) + [nil] {
                let name = StoreFileName.name(StoreRecord(kind, user: user))
                // Apart even where file systems fold case.
                #expect(names.insert(UTF8Key(name.lowercased())).inserted, "\(name)")
                #expect(name.utf8.count <= 120)
                #expect(!name.contains("/"))
                #expect(!name.hasPrefix("."))
                #expect(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
                #expect(!DurableFolder.isTemporary(name))
            }
        }
    }
}
