import AllotConfiguration
import Testing

struct JSONLiteralTests {
    @Test("A literal is read as JSON")
    func textIsReadAsJSON() {
        #expect(JSONValue(literal: #"{"a": [1, -2.50, null]}"#).canonicalText == #"{"a":[1,-2.50,null]}"#)
        #expect(JSONValue(literal: "123456789012345678901234567890") != .null)
    }

    @Test(
        "A literal that is not valid JSON is null",
        arguments: ["", "{", "1 2", "{\"a\": 1, \"a\": 2}", String(repeating: "[", count: 100_000)])
    func otherTextIsNull(text: String) {
        #expect(JSONValue(literal: text) == .null)
    }

    @Test("Members are written as their types are in JSON, and nil as null")
    func members() {
        let (missing, counts): (Double?, [Int?]) = (nil, [1, nil])
        let value = JSONValue(members: ["a": "text", "b": 1, "c": true, "d": missing, "e": counts, "f": 0.5])
        #expect(value == ["a": "text", "b": 1, "c": true, "d": .null, "e": [1, .null], "f": 0.5])
        #expect([2, 3].objects { ["n": $0] } == [["n": 2], ["n": 3]])
    }
}
