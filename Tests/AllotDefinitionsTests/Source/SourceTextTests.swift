import Testing

@testable import AllotDefinitions

struct SourceTextTests {
    @Test("A byte order mark of UTF-8 has no column")
    func byteOrderMarkOfUTF8HasNoColumn() {
        let (root, problems) = parse("\u{FEFF}a: 1")
        #expect(problems.isEmpty)
        #expect(outline(root) == "1:1{1:1 a: 1:4 number 1}")
    }

    @Test(
        "Files in UTF-16 and UTF-32 are refused",
        arguments: [
            ([0xFF, 0xFE, 0x61, 0x00], "UTF-16"), ([0xFE, 0xFF, 0x00, 0x61], "UTF-16"),
            ([0xFF, 0xFE, 0x00, 0x00], "UTF-32"), ([0x00, 0x00, 0xFE, 0xFF], "UTF-32"),
        ] as [([UInt8], String)])
    func otherEncodings(bytes: [UInt8], name: String) {
        #expect(problems(bytes) == ["1:1: the file is in \(name); save it as UTF-8"])
    }

    @Test(
        "The first byte that is not UTF-8 is reported",
        arguments: [
            ([0xE9], "1:4: byte 0xE9"), ([0x80], "1:4: byte 0x80"), ([0xC0, 0xAF], "1:4: byte 0xC0"),
            ([0xED, 0xA0, 0x80], "1:4: byte 0xED"), ([0xF5, 0x80, 0x80, 0x80], "1:4: byte 0xF5"),
            ([0xC3, 0xA9, 0xC3], "1:5: byte 0xC3"), ([0x0D, 0x0A, 0xC3, 0xA9, 0xFF], "2:2: byte 0xFF"),
            ([0x0D, 0x61, 0xFF], "2:2: byte 0xFF"), ([0x0A, 0x0A, 0xF0, 0x9F, 0x98, 0x80, 0xFF], "3:2: byte 0xFF"),
        ] as [([UInt8], String)])
    func invalidUTF8(bytes: [UInt8], start: String) {
        #expect(problems(Array("a: ".utf8) + bytes) == ["\(start) is not UTF-8; save the file as UTF-8"])
    }

    @Test(
        "Characters that YAML forbids are reported at their positions",
        arguments: [
            ("a: x\u{0}", "1:5: the character U+0000 (NUL) is not allowed in YAML; remove it"),
            (
                "a\u{0}:\u{0}",
                "1:2: the character U+0000 (NUL) is not allowed in YAML; the file looks like UTF-16, so save "
                    + "it as UTF-8"
            ),
            (
                "a:\r\n  é\u{7}",
                "2:4: the control character U+0007 is not allowed in YAML; remove it, or write \\u0007 in "
                    + "double-quoted text"
            ),
            (
                "\"\u{7F}\"",
                "1:2: the control character U+007F is not allowed in YAML; remove it, or write \\u007F in "
                    + "double-quoted text"
            ),
            (
                "\u{9F}",
                "1:1: the control character U+009F is not allowed in YAML; remove it, or write \\u009F in "
                    + "double-quoted text"
            ),
            ("a: \u{85}", "1:4: the line separator U+0085 is not supported; write \\u0085 in double-quoted text"),
            ("a: \u{2028}", "1:4: the line separator U+2028 is not supported; write \\u2028 in double-quoted text"),
            ("a: \u{2029}", "1:4: the line separator U+2029 is not supported; write \\u2029 in double-quoted text"),
            ("a: \u{FFFE}", "1:4: the character U+FFFE is not allowed in YAML; remove it"),
            ("a: \u{FFFF}", "1:4: the character U+FFFF is not allowed in YAML; remove it"),
            ("a: 1\n\u{FEFF}b: 2", "2:1: a byte order mark (U+FEFF) is inside the file; remove it"),
        ])
    func forbiddenCharacters(text: String, expected: String) {
        #expect(problems(text).first == expected)
        #expect(parse(text).root == nil)
    }

    @Test("Other invisible characters and escapes are read")
    func allowedCharacters() {
        let text = "\t\u{A0}\u{2027}\u{202A}\u{2030}\u{D7FF}\u{E000}\u{FFFD}\u{10000}\u{10FFFF}"
        #expect(outline(parse("a: '\(text)'").root) == "1:1{1:1 a: 1:4 text \(text)}")
        #expect(outline(parse(#"a: "\u2028\u0007\0""#).root) == "1:1{1:1 a: 1:4 text \u{2028}\u{7}\u{0}}")
        #expect(outline(parse(#"a: "\uFEFFx""#).root) == "1:1{1:1 a: 1:4 text \u{FEFF}x}")
    }

    @Test("At most ten forbidden characters of a file are reported")
    func reportsTenForbiddenCharacters() {
        #expect(problems(String(repeating: "\u{1}", count: 5000)).count == 10)
    }

    @Test("A file above the size limit is refused")
    func size() {
        let bytes = Array("a: 12345".utf8)
        #expect(SourceTree(bytes, file: "f", maximumBytes: 8).problems.isEmpty)
        let tree = SourceTree(bytes, file: "f", maximumBytes: 7)
        #expect(tree.root == nil)
        #expect(
            tree.problems.map(\.description)
                == ["f: error: the file has more than 7 bytes, and no more are read; split it or make it smaller"])
        let large = [UInt8](repeating: UInt8(ascii: "#"), count: 16 * 1024 * 1024 + 1)
        #expect(SourceTree(large, file: "f").problems.count == 1)
    }

    @Test("Offsets and positions can be converted into each other")
    func offsetsAndPositionsAgree() throws {
        var list = ProblemList(file: "f")
        let text = try #require(SourceText(Array("aé\r\n\r😀b\n\n".utf8), maximumBytes: 20, problems: &list))
        for offset in [0, 1, 5, 6, 10, 11, 12, 13] { #expect(text.offset(of: text.position(at: offset)) == offset) }
        #expect(text.position(at: 10) == SourcePosition(line: 3, column: 2))
        #expect(text.offset(of: SourcePosition(line: 1, column: 99)) == 3)
        #expect(text.offset(of: SourcePosition(line: 99, column: 1)) == text.bytes.count)
    }
}
