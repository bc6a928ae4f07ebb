import AllotConfiguration
import Testing

@testable import AllotImport

/// Salts of payloads that Allot does not take: all systems say the same of them.
struct ImportedSaltTests {
    private static let long = String(repeating: "x", count: 1025)

    /// What is said of an experiment of GrowthBook with a seed.
    private func problem(seed: String) throws -> String? {
        var conversion = PayloadImport(of: .growthbook)
        conversion.skipsInexact = true
        let rule: JSONValue = ["key": "e", "seed": .string(seed), "variations": [0, 1]]
        let payload: JSONValue = ["features": ["f": ["defaultValue": 0, "rules": [rule]]]]
        return try conversion.definitions(from: payload).report.leftOut.first?.problem.message
    }

    @Test("A seed that no salt can be is refused for what it has")
    func seeds() throws {
        let form = "a salt has 1 to 1024 bytes without U+0000 in Allot, and this one"
        #expect(try problem(seed: "x\u{0}y") == "\(form) contains U+0000")
        #expect(try problem(seed: Self.long) == "\(form) has 1025 bytes")
        #expect(try problem(seed: "any: seed é") == nil)
    }

    @Test("A salt of a payload is refused at its place", arguments: ["", "\u{0}", long])
    func places(text: String) {
        let node = PayloadNode(.string(text), path: .root.appending(key: "salt"))
        let error = #expect(throws: ImportProblem.self) { try node.salt() }
        #expect(error?.path == node.path)
    }
}
