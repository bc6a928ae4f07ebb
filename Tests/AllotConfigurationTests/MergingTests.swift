import AllotConfiguration
import Testing

struct MergingTests {
    @Test(
        "Objects merge member by member and other values replace",
        arguments: [
            (["a": 1], ["b": 2], ["a": 1, "b": 2]),
            (["a": ["x": 1, "y": 2]], ["a": ["y": 3]], ["a": ["x": 1, "y": 3]]),
            (["a": [1, 2, 3]], ["a": [9]], ["a": [9]]),
            (["a": ["x": 1]], ["a": .null], ["a": .null]),
            (["a": ["x": 1]], ["a": 5], ["a": 5]),
            (["a": 5], ["a": ["x": 1]], ["a": ["x": 1]]),
            (["a": ["x": 1]], ["a": [:]], ["a": ["x": 1]]),
            (.null, ["a": 1], ["a": 1]),
        ] as [(JSONValue, JSONValue, JSONValue)])
    func merge(base: JSONValue, override: JSONValue, expected: JSONValue) {
        #expect(base.merging(override) == expected)
    }

    @Test(
        "Numbers are equivalent exactly, beyond the precision of a double too",
        arguments: [
            ("1.50", "1.5", true), ("1e2", "100", true), ("-0", "0", true), ("1e-400", "0", false),
            ("1e400", "1e401", false), ("10e399", "1e400", true), ("9007199254740993", "9007199254740992", false),
            ("9007199254740993.0", "9007199254740993", true), ("0.1", "0.10000000000000000001", false),
        ])
    func numbersAreEquivalentExactly(left: String, right: String, isEquivalent: Bool) throws {
        let first = JSONValue.number(try #require(JSONNumber(left)))
        let second = JSONValue.number(try #require(JSONNumber(right)))
        #expect(first.isEquivalent(to: second) == isEquivalent)
        #expect(second.isEquivalent(to: first) == isEquivalent)
    }
}
