import AllotConfiguration
import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct BucketTests {
    @Test("Each unit has a line with its hash and buckets")
    func severalUnits() throws {
        try Program.run(["bucket", "checkout-button", "user-42", "007"]).expectOutput(
            """
            user-42\tsha256 72c96e3cfd6da20e0896498a2c3d2705cc4775260023f5125d76f49516d82313\tfirst 448386\tsecond \
            428254
            007\tsha256 48aa48df53a06fde11784821fc1289783b3c3833ec3f6f8aea73f111051b1381\tfirst 283848\tsecond 626706

            """)
    }

    @Test("--json prints the same for programs")
    func json() throws {
        let own = try JSONValue(parsing: Program.run(["bucket", "checkout-button", "007", "--json"]).output)
        let digest = "48aa48df53a06fde11784821fc1289783b3c3833ec3f6f8aea73f111051b1381"
        #expect(
            own == [
                ["unit": "007", "hash": "sha256/1", "sha256": .string(digest), "first": 283_848, "second": 626_706]
            ])
        let other = try JSONValue(parsing: Program.run(["bucket", "--hash", "eppo/1", "s", "u", "--json"]).output)
        #expect(other[0]?["hash"] == "eppo/1")
        #expect(other[0]?["resolution"] == 10_000)
    }

    private static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Experiments/vectors/bucketing.json")

    private struct Vector: Decodable {
        let salt: String
        let unit: String
        let sha256: String
        let first: Int
        let second: Int
    }

    private struct Vectors: Decodable {
        let cases: [Vector]
    }

    @Test("The buckets are those of the golden vectors")
    func goldenVectors() throws {
        let cases = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: Self.vectors)).cases
        #expect(cases.count > 100)
        for (salt, cases) in Dictionary(grouping: cases, by: \.salt) {
            let expected = cases.map { "\($0.unit)\tsha256 \($0.sha256)\tfirst \($0.first)\tsecond \($0.second)\n" }
            let result = try Program.run(["bucket", salt, "--"] + cases.map(\.unit))
            // By bytes: String == would take canonically equivalent units for one.
            #expect(result.output == Array(expected.joined().utf8), "salt \(salt)")
        }
    }

    @Test("Another system's hash gives one bucket, of any salt")
    func otherSystem() throws {
        try Program.run(["bucket", "--hash", "eppo/1", "checkout-allocation-split", "user-42", "007"]).expectOutput(
            "user-42\teppo/1 4010\tof 10000\n007\teppo/1 6072\tof 10000\n")
        try Program.run(["bucket", "--hash", "flagd/1", "--resolution", "7", "a: b", "u"]).expectOutput(
            "u\tflagd/1 0\tof 7\n")
        try Program.run(["bucket", "--hash", "flagd/0", "", "user-1"]).expectOutput("user-1\tflagd/0 97\tof 100\n")
        Program.answer(["bucket", "--hash", "eppo/1", "", "u"]).expectUsageError(
            "The value '' is invalid for '<salt>': a salt of eppo/1 has 1 to 1024 bytes without U+0000")
        Program.answer(["bucket", "--hash", "unleash/1", "--resolution", "7", "s", "u"]).expectUsageError(
            "The value '7' is invalid for '--resolution': unleash/1 always has 100 buckets")
    }

    @Test(
        "A text that is not a salt is a usage error",
        arguments: ["", "a:b", "-a", "ä", String(repeating: "s", count: 65)])
    func badSalt(salt: String) {
        Program.answer(["bucket", "--", salt, "u"]).expectUsageError(
            """
            The value '\(salt)' is invalid for '<salt>': a salt has 1 to 64 letters, digits, ".", "_" and "-", the \
            first a letter or digit
            """)
    }

    @Test("A unit ID that is empty or too long is a usage error", arguments: [0, 1025])
    func unitIDOfBadLength(length: Int) {
        Program.answer(["bucket", "s", "u", String(repeating: "x", count: length)]).expectUsageError(
            "A unit ID has 1 to 1024 bytes; this one has \(length).")
    }
}
