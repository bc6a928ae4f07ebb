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
}
