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

    @Test("Numbers are equivalent by value")
    func numbersAreEquivalentByValue() {
        let left: JSONValue = .array([JSONNumber("1.0"), JSONNumber("1e2")].compactMap { $0 }.map(JSONValue.number))
        #expect(left.isEquivalent(to: [1, 100]))
        #expect(left != [1, 100])
    }
}
