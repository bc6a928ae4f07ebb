import AllotDefinitions
import Testing

struct YAMLSourceTests {
    @Test("Each key and value has its position")
    func treeWithPositions() {
        let text = """
            status: running   # comment
            slots: [0%..<50%, "é": 1]
            variants:
            - key: green
              overrides: {Checkout: {"😀": "a\\tb", x: }}
            - -
            """
        #expect(
            outline(parse(text).root)
                == "1:1{1:1 status: 1:9 text running, 2:1 slots: 2:8[2:9 text 0%..<50%, 2:19{2:19 é: 2:24 number 1}], "
                + "3:1 variants: 4:1[4:3{4:3 key: 4:8 text green, 5:3 overrides: 5:14{5:15 Checkout: "
                + "5:25{5:26 😀: 5:31 text a\tb, 5:39 x: 5:42 null}}}, 6:3[6:4 null]]}")
        #expect(problems(text).isEmpty)
    }

    @Test("LF, CRLF and CR end lines", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) {
        let text = ["a: 1", "b:", "  - 'x", "    y'", "  - |", "    z", "c: 3"].joined(separator: end)
        #expect(
            outline(parse(text).root)
                == "1:1{1:1 a: 1:4 number 1, 2:1 b: 3:3[3:5 text x y, 5:5 text z\n], 7:1 c: 7:4 number 3}")
    }

    @Test("The root may be any value")
    func rootNeedNotBeAMap() {
        #expect(outline(parse("[1, ~]").root) == "1:1[1:2 number 1, 1:5 null]")
        #expect(outline(parse("--- text\n").root) == "1:5 text text")
        #expect(outline(parse("~").root) == "1:1 null")
        #expect(outline(parse("%YAML 1.2\n---\na: 1\n...\n").root) == "3:1{3:1 a: 3:4 number 1}")
    }

    @Test(
        "A file without content is reported as empty",
        arguments: ["", " \n\n", "# comment\n", "---\n", "--- # comment\n...\n", "\u{FEFF}", "%YAML 1.1\n---\n"])
    func empty(text: String) {
        #expect(parse(text).root == nil)
        #expect(problems(text) == [" the file is empty; fill it, or remove it"])
        #expect(parse(text).problems.first?.position == nil)
    }

    @Test("Keys are always text")
    func keysAreText() {
        #expect(
            outline(parse("null: 1\n~: 2\n1: 3\n1.0: 4\ntrue: 5\n'': 6\n? x y\n: 7\n\"a\\nb\": 8").root)
                == "1:1{1:1 null: 1:7 number 1, 2:1 ~: 2:4 number 2, 3:1 1: 3:4 number 3, 4:1 1.0: 4:6 number 4, "
                + "5:1 true: 5:7 number 5, 6:1 : 6:5 number 6, 7:3 x y: 8:3 number 7, 9:1 a\nb: 9:9 number 8}")
    }

    @Test("Keys may be long")
    func longestKeys() {
        let unit = String(repeating: "u", count: 1024)
        #expect(problems("\(unit): green").isEmpty)
        #expect(problems("? \"\(unit)\"\n: green").isEmpty)
        #expect(problems("? \(String(repeating: "u", count: 100_000))\n: green").isEmpty)
    }

    @Test(
        "Lists and maps as keys are refused",
        arguments: [
            ("? [a]\n: 1", ["1:3"]), ("? {a: b}\n: 1", ["1:3"]), ("? - a\n: 1", ["1:3"]), ("? a: b\n: 1", ["1:3"]),
            ("?\n  a: b\n: 1", ["2:3"]), ("?\n- a\n: 1", ["2:1"]), ("? ? a\n: 1", ["1:3"]), ("[a]: 1", ["1:1"]),
            ("x: {{ y }}", ["1:5"]), ("x: {[a], {b}: 1}", ["1:5", "1:10"]), ("[[a]: 1, {b: 1}: 2]", ["1:2", "1:10"]),
        ])
    func collectionsAsKeys(text: String, positions: [String]) {
        let message = "a list or map cannot be a key; put text that starts with [ or { in quotes"
        #expect(problems(text) == positions.map { "\($0): \(message)" })
        #expect(parse(text).root == nil)
    }

    @Test("Block text and missing keys are refused")
    func unusableKeys() {
        #expect(
            problems("a:\n  ? |\n    text\n  : 1")
                == ["2:5: text after | or > cannot be a key; write the key on one line"])
        #expect(problems("a: {? : 1}") == ["1:7: a key is missing; write it, or \"\" for an empty one (a)"])
        #expect(parse("a: {? : 1}").root == nil)
        #expect(problems("e" + String(repeating: "\u{301}", count: 100_000) + ": 1").count == 1)
        #expect(problems("? e" + String(repeating: "\u{301}", count: 100_000) + "\n: 1").isEmpty)
    }

    @Test("Merge keys are refused")
    func mergeKeys() {
        #expect(
            problems("a:\n  b: {<<: {c: 1}}")
                == ["2:7: merge keys (<<) are not supported; write the members out, or use a segment (a.b)"])
        #expect(parse("<<: {c: 1}").root == nil)
        #expect(outline(parse("\"<<\": 1\na: <<").root) == "1:1{1:1 <<: 1:7 number 1, 2:1 a: 2:4 text <<}")
    }

    @Test("Tags are refused")
    func tags() {
        let message = "tags (!name) are not supported; put the value in quotes if it is text, or remove the tag"
        let text = "a: !!str 5\nb: ! 6\nc: !foo {d: 1}\n!x e: !<tag:x,2> []\nf: [!y 1]"
        #expect(problems(text) == ["1:4", "2:4", "3:4", "4:1", "4:7", "5:5"].map { "\($0): \(message)" })
        #expect(outline(parse("a: !!str 5").root) == "1:1{1:1 a: 1:4 text 5}")
        #expect(problems("a: !b!c d").map { $0.prefix(4) } == ["1:4:"])
        #expect(problems("a: \"!x\"\nb: x !y\nc: '!z'").isEmpty)
    }

    @Test("A second document is refused")
    func documents() {
        let message = "a second document starts here, and a file holds one; move it to a file of its own, or remove ---"
        #expect(problems("a: 1\n---\nb: &x\n---\n") == ["2:1: \(message)"])
        #expect(problems("---\na: 1\n...\n---\nb: 2") == ["4:1: \(message)"])
        #expect(problems("---\n---\n") == ["2:1: \(message)"])
        #expect(outline(parse("a: 1\n---\nb: 2").root) == "1:1{1:1 a: 1:4 number 1}")
        #expect(problems("---\na: '---'\nb: |\n  ---\nc: --- d\n...\n").isEmpty)
    }

    @Test("Directives are refused", arguments: ["%TAG ! x\n---\na: 1", "%FOO\n---\na: 1", "% a"])
    func directives(text: String) {
        #expect(
            problems(text) == [
                "1:1: a line that starts with % is a YAML directive, which is not supported; remove it, or put the "
                    + "text in quotes"
            ])
    }
}
