import AllotConfiguration
import TestSupport
import Testing

struct JSONParsingTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test("Numbers keep their digits and members are ordered by bytes")
    func valuesKeepTheirDigitsAndOrderOfMembersIsByBytes() throws {
        let value = try parse(
            #" {"b": [1.50, -0, 1e400, 123456789012345678901234567890], "a": {"Z": null, "É": true}} "#)
        #expect(
            value.canonicalText == #"{"a":{"Z":null,"É":true},"b":[1.50,-0,1e400,123456789012345678901234567890]}"#)
    }

    @Test("Escapes are read and written in their shortest form")
    func escapesAreReadAndWrittenTheShortestWay() throws {
        let value = try parse(#""\u0041\/\\\"\b\f\n\r\t\u001f\ud83d\ude00\u00e9""#)
        #expect(value == .string("A/\\\"\u{8}\u{c}\n\r\t\u{1f}😀é"))
        #expect(value.canonicalText == #""A/\\\"\b\f\n\r\t\u001f😀é""#)
    }

    @Test("Canonically equivalent keys stay two")
    func canonicallyEquivalentKeysStayTwo() throws {
        let value = try parse("{\"\u{e9}\": 1, \"e\u{301}\": 2}")
        guard case .object(let object) = value else { return #expect(Bool(false)) }
        #expect(object.members.count == 2)
        #expect(object["\u{e9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
    }

    @Test(
        "A fault names its line and column",
        arguments: [
            ("", "1:1: there is no JSON value here; the text is empty"),
            ("[1,]", "1:3: a comma before \"]\"; remove it"),
            ("{\"a\":1,}", "1:7: a comma before \"}\"; remove it"),
            ("[1 2]", "1:4: expected a comma or \"]\" here"),
            ("{\"a\" 1}", "1:6: expected a colon after the key"),
            ("{a: 1}", "1:2: expected a key in double quotes"),
            ("{\n  \"a\": 1,\n  \"é\": 2, \"a\": 3}", "3:11: the key \"a\" is given twice; keep one"),
            ("'a'", "1:1: this is not a JSON value; text is written in double quotes"),
            ("01", "1:1: this is not a JSON number; write it like -12.5e3, without leading zeros or a plus"),
            ("[+1]", "1:2: this is not a JSON value; text is written in double quotes"),
            ("NaN", "1:1: this is not a JSON value; text is written in double quotes"),
            ("1 1", "1:3: unexpected text after the JSON value; remove it"),
            ("[", "1:2: the text ends where a value should be; is a bracket or brace unclosed?"),
            ("[1", "1:1: this is never closed; add \"]\""),
            ("{\"a\":", "1:6: the text ends where a value should be; is a bracket or brace unclosed?"),
            ("\"abc", "1:1: the text is never closed; add a double quote"),
            ("\"a\nb\"", "1:3: a control character in text; write it as an escape such as \\n"),
            (#""\x""#, #"1:2: unknown escape; the escapes are \" \\ \/ \b \f \n \r \t \uXXXX"#),
            (#""\u12g4""#, #"1:2: \u takes four hexadecimal digits"#),
            (
                #""\ud800""#,
                "1:2: a lone surrogate; a character beyond U+FFFF is written as a pair such as \\ud83d\\ude00"
            ),
            (
                #""\udc00\ud800""#,
                "1:2: a lone surrogate; a character beyond U+FFFF is written as a pair such as \\ud83d\\ude00"
            ),
        ])
    func faultsNameTheirPlace(text: String, expected: String) {
        #expect { try parse(text) } throws: { error in
            (error as? JSONParsingError)?.description == expected
        }
    }

    @Test("Invalid UTF-8 is reported at its byte")
    func invalidUTF8NamesTheByte() {
        #expect { try JSONValue(parsing: Array("[\"ä".utf8) + [0xFF] + Array("\"]".utf8)) } throws: { error in
            (error as? JSONParsingError)?.description == "1:4: the text is not valid UTF-8; save it as UTF-8"
        }
    }

    @Test("Depth is bounded")
    func depthIsBounded() throws {
        let limit = 100
        _ = try parse(String(repeating: "[", count: limit) + String(repeating: "]", count: limit))
        #expect(throws: JSONParsingError.self) { try parse(String(repeating: "[", count: 100_000)) }
        #expect(throws: JSONParsingError.self) { try parse(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("A byte order mark is skipped")
    func aByteOrderMarkIsPassed() throws {
        #expect(try parse("\u{FEFF}[1]") == [1])
    }

    @Test("Written JSON reads back the same", arguments: 0..<200)
    func whatIsWrittenReadsTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let value = Self.value(depth: 0, &random)
        let read = try JSONValue(parsing: value.canonicalBytes)
        #expect(read == value)
        #expect(read.canonicalBytes == value.canonicalBytes)
        #expect(try parse(value.prettyText) == value)
    }

    private static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &random) {
        case 0: .null
        case 1: .boolean(.random(using: &random))
        case 2: .number(JSONNumber(Int.random(in: -1000...1000, using: &random)))
        case 3: JSONNumber(Double.random(in: -1e10...1e10, using: &random)).map(JSONValue.number) ?? .null
        case 4: .string(text(&random))
        case 5: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth + 1, &random) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        (key: text(&random), value: value(depth: depth + 1, &random))
                    }))
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let alphabet = ["a", "b", "\"", "\\", "/", "\n", "\u{0}", "\u{1f}", "é", "e\u{301}", "😀", "\u{2028}", " "]
        return (0..<Int.random(in: 0...5, using: &random)).map { _ in alphabet[Int.random(in: 0..<13, using: &random)] }
            .joined()
    }
}
