import AllotConfiguration
import Testing

struct CSVFieldTests {
    @Test(
        "A field is in quotes if it contains a comma, a quote or a line end",
        arguments: [
            ("", ""), ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
            ("\r", "\"\r\""),
        ])
    func fieldsAreQuotedIfNecessary(text: String, field: String) {
        var bytes: [UInt8] = []
        bytes.appendCSVField(text)
        #expect(String(decoding: bytes, as: UTF8.self) == field)
    }
}
