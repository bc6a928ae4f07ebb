import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

struct ConditionOracleTests {
    private static let texts = [
        "", "a", "A", "ab", "aB", "abc", "i", "I", "İ", "i̇", "İa", "é", "É", "straße", "STRASSE", "5", "5.0", "-1",
        "true", "TRUE", "1", "v1", "1.2", "1.2.3", "1.2.3.0", "1.2.3.4", "1.2.3.4.5.6", "1.2.3.4.5.6.7", "1.2.3-rc.1",
        "1.2.3.4-rc.1", "1.10", "1.02", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00.5Z",
        "2027-01-01T00:00:00Z", "1767225600", "1767225600.5", "1767225600000", "1767225600500", "10.0.0.1", "10.1.0.0",
        "11.0.0.1", "::ffff:10.0.0.1", "::ffff:a00:1", "::1", "2001:db8::5", "2001:db8:1::", "::", "10.0.0.256",
    ]
    private static let values: [ConditionOracle.Value] =
        [.missing] + texts.map(ConditionOracle.Value.untyped)
        + (texts.map(JSONValue.string) + [
            .null, true, false, 0, 1, 5, -1, 1.2, 2, 1_767_225_600, 1_767_225_600_500, [], ["a", "abc"], ["10.0.0.1"],
            [1, 5], [5], [["x": 5]], [["x": "abc"], 5], ["x": 5],
        ]).map(ConditionOracle.Value.typed)

    /// Evaluation of conditions in every operator gives the oracle's answers.
    @Test("Random conditions have the answers of the oracle", arguments: 1...4)
    func randomConditions(seed: Int) throws {
        var audiences = RandomOperators(seed: seed)
        for _ in 0..<20 {
            let condition = audiences.condition(depth: 2)
            let harness = try ConditionHarness(condition, segments: RandomOperators.segments)
            for value in Self.values {
                #expect(
                    harness.holds(value) == ConditionOracle(["a": value]).holds(condition),
                    "\(condition.canonicalText) of \(value)")
            }
        }
    }

    @Test("Versions compare as the oracle compares them", arguments: 0..<30)
    func randomVersions(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let (left, right) = (Self.versionLike(&random), Self.versionLike(&random))
            let isVersion = ConditionOracle(["a": .untyped(right)]).holds(["a": ["$veq": .string(right)]])
            for name in ["$vlt", "$veq", "$vgt"] {
                let condition: JSONValue = ["a": .object([name: .string(right)])]
                let harness = try? ConditionHarness(condition)
                #expect((harness != nil) == isVersion, "\(right)")
                let expected = ConditionOracle(["a": .untyped(left)]).holds(condition)
                #expect((harness?.holds(.untyped(left)) ?? false) == expected, "\(left) \(name) \(right)")
            }
        }
    }

    private static func versionLike(_ random: inout SeededGenerator) -> String {
        let numbers = (0..<random.number(1...4)).map { _ in
            random.pick(["0", "1", "2", "10", "99", "01", "18446744073709551616", ""])
        }
        var text = random.pick(["", "", "v", "V"]) + numbers.prefix(3).joined(separator: ".")
        if random.chance(0.5) {
            let parts = (0..<random.number(1...3)).map { _ in
                random.pick(["a", "B", "1", "11", "2", "-", "x-1", "01", "0"])
            }
            text += "-" + parts.joined(separator: ".")
        }
        if random.chance(0.25) { text += "+" + random.pick(["5", "a.b", "", "007", "ä"]) }
        return text
    }
}
