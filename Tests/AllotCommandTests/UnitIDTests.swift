import TestSupport
import Testing

/// Unit IDs are bytes: nothing is trimmed, folded or normalised, and a text that is not a valid unit ID gets no
/// variant.
@Suite(.blocks) struct UnitIDTests {
    /// Fields of the column `user_id`, and after them the variant of `button`.
    ///
    /// The second buckets come from `allot bucket`, which the golden vectors hold to the definition of the hash.
    static let fields = [
        ("", ""), ("\"\"", ""), ("007", "green"), ("7 ", "green"), ("e\u{301}", "green"), ("u4\u{301}", "green"),
        ("\u{E9}", "green"), ("\u{1F986}", "control"), ("\"a,b\"", "control"), ("\"say \"\"hi\"\"\"", "control"),
        ("\"two\nlines\"", "green"), (String(repeating: "x", count: 1024), "control"),
        (String(repeating: "x", count: 1025), ""), ("a\0b", "green"), (String(repeating: "x", count: 1_000_000), ""),
    ]

    @Test("A unit ID in CSV is taken exactly as it is")
    func inCSV() throws {
        let workspace = try Workspace.withButton()
        // The second column keeps an empty first one from being an empty line.
        let result = try workspace.assign("user_id,n\n" + Self.fields.map { "\($0.0),1\n" }.joined())
        let expected = "user_id,n,button\n" + Self.fields.map { "\($0.0),1,\($0.1)\n" }.joined()
        let isEqual = try workspace.read("out.csv").utf8.elementsEqual(expected.utf8)
        #expect(isEqual)
        #expect(result.errorLines.contains("4 rows have no valid user_id (empty, or longer than 1024 bytes)"))
        #expect(result.status == 0)
    }

    /// IDs of the files as arguments, as far as an argument can have them.
    @Test(
        "A unit ID as an argument is taken exactly as it is",
        arguments: fields.filter { !$0.0.hasPrefix("\"") && $0.0.utf8.count < 2000 && !$0.0.contains("\0") })
    func asArgument(unit: String, variant: String) throws {
        try Workspace.withButton().run("explain", unit, "--json").expectText(
            "\"variant\": \(variant.isEmpty ? "null" : "\"\(variant)\"")")
    }

    /// A length is counted in bytes.
    @Test(
        "A unit ID that is empty or too long is noted, and gets no variant",
        arguments: [
            (String(repeating: "\u{E9}", count: 512), nil),
            (
                String(repeating: "\u{E9}", count: 513),
                "the unit ID has 1026 bytes; a unit with more than 1024 is not assigned"
            ),
            ("", "the unit ID is empty, so only experiments without a unit assign a variant; is a variable unset?"),
        ] as [(String, String?)])
    func unusualLength(unit: String, note: String?) throws {
        let result = try Workspace.withButton().run("config", unit)
        #expect(result.errors == (note.map { "allot: note: \($0)\n" } ?? ""))
        #expect(result.text.contains(#""assignments":{}"#) == (note != nil))
        #expect(result.status == 0)
    }

    @Test("Invalid UTF-8 in CSV is an error")
    func invalidUTF8InCSV() throws {
        let workspace = try Workspace.withButton()
        try workspace.assign(Array("user_id\nok\na".utf8) + [0xFF] + Array("b\n".utf8)).expectFailure(
            "in.csv:3:2: bytes that are not UTF-8; convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8")
        #expect(try workspace.files == ["in.csv"])
    }

    /// Swift would replace the bytes, and another unit would be assigned.
    @Test(
        "Invalid UTF-8 in an argument is an error",
        arguments: [#"config "$ID""#, #"explain "$ID""#, #"bucket button "$ID""#, #"config u "name=$ID""#])
    func invalidUTF8AsArgument(command: String) throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.shell(#"ID=$(printf 'a\377b'); "$ALLOT" "# + command)
        #expect(result.errorLines.first?.hasPrefix("Error: Argument ") == true)
        #expect(
            result.errorLines.first?.hasSuffix(
                "a\u{FFFD}b\", is not UTF-8; arguments are UTF-8 text, so convert it, for example with iconv.") == true)
        #expect(result.text == "")
        #expect(result.status == 64)
    }

    @Test("A unit ID from JSON may contain NUL")
    func nulFromJSON() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.run("config", "--attributes", #"{"user_id": "a\u0000b"}"#)
        // The bucket of the bytes a, 0, b: nothing ends at the NUL.
        #expect(result.text.contains(#""bucket":504520"#))
    }
}
