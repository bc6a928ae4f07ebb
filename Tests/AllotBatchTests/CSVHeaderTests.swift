import Testing

@testable import AllotBatch

struct CSVHeaderTests {
    @Test("The header names the columns")
    func namesColumns() throws {
        let header = try CSVHeader(Array("user_id,\"a \"\"b\"\"\n\",,user_id\r\n".utf8).span)
        #expect(header.names == ["user_id", "a \"b\"\n", "", "user_id"])
        #expect(header.bytes == Array("user_id,\"a \"\"b\"\"\n\",,user_id".utf8))
        #expect(header.lineCount == 2)
        #expect(header.indices(of: "user_id") == [0, 3])
        #expect(header.indices(of: "none").isEmpty)
    }

    @Test("Canonically equivalent names with different bytes are different columns")
    func tellsCanonicallyEquivalentNamesApart() throws {
        let header = try CSVHeader(Array("caf\u{E9},cafe\u{301}".utf8).span)
        #expect(header.indices(of: "cafe\u{301}") == [1])
    }

    @Test("A malformed header is rejected", arguments: ["", "\n", "\r\n", "a\"b", "\"a", "a\rb"])
    func refusesMalformedHeaders(text: String) {
        #expect(throws: RowProblem.self) { try CSVHeader(Array(text.utf8).span) }
    }
}
