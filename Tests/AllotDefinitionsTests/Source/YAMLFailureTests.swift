import AllotDefinitions
import Testing

struct YAMLFailureTests {
    /// Texts, with "⏎" for a line feed and "⇥" for a tab, and their problems. A row goes on in lines with "..".
    private static let table = #"""
        a:⏎⇥b: 1 => 2:1: a tab cannot indent; use spaces
        a: x⏎⇥b: 1 => 2:1: a tab cannot indent; use spaces
        a: |⏎⇥b => 2:1: a tab cannot indent; use spaces
        -⇥a: 1 => 1:2: a tab cannot indent; use spaces
        a: "x⏎b: 1⏎ => 1:4: the quote that opens here is never closed; add the closing quote
        a: 'x⏎---⏎ => 1:4: the quote that opens here is never closed; add the closing quote
        a: ["x] => 1:5: the quote that opens here is never closed; add the closing quote
        a: [1, {b: 2 => 1:8: the { that opens here is never closed; add }
        a: [1,⏎ => 1:4: the [ that opens here is never closed; add ]
        a: ] => 1:4: a value was expected here; write it, or remove "]"
        a: [1,,2] => 1:7: a value was expected here; write it, or remove ","
        a: @b => 1:4: text cannot start with @; put it in quotes
        a: `b` => 1:4: text cannot start with `; put it in quotes
        a: %b => 1:4: text cannot start with %; put it in quotes
        a: [|] => 1:5: text after | or > is not possible between brackets; use quotes
        a: - b => 1:4: a list entry (- ) cannot start here; put it on a line of its own
        a: ? b => 1:4: a key (? ) cannot start here; put it on a line of its own
        a: !<x => 1:4: text that starts with ! must be in quotes; write "!…"
        a: !x}y => 1:4: text that starts with ! must be in quotes; write "!…"
        a: * => 1:4: text that starts with * must be in quotes; write "*…"
        a: **b** => 1:4: text that starts with * must be in quotes; write "*…"
        a: & => 1:4: text that starts with & must be in quotes; write "&…"
        a: *b c => 1:4: "*b" is an alias, which is not supported; put text that starts with * in quotes
        a: é"⏎b: "\d+" => 2:5: \d is not an escape of double-quoted text; write \\d, or use single quotes
        a: |0⏎  b => 1:5: the indentation after | or > is 1 to 9; change or remove the number
        %YAML 3.0⏎---⏎a: 1 => 1:1: this %YAML line is not understood; remove it
        %YAML x⏎---⏎a: 1 => 1:7: this %YAML line is not understood; remove it
        a: "\x4" => 1:7: \x, \u and \U need 2, 4 and 8 hexadecimal digits; write them, or use single quotes
        a: "\ud83d\ude00" => 1:7: this escape is not a character; write the character itself (\uD83D\uDE00 is
        .. \U0001F600)
        a: >x => 1:5: the text after | or > starts on the next line; put text that starts with | or > in quotes
        a: b: c => 1:5: a colon is not allowed here; indent the key like the others of its map, or put text with ":
        .. " in quotes
        a: 1⏎ b: 2 => 2:3: a colon is not allowed here, because the line continues the text that starts at line 1;
        .. put a colon and a space after the key there, or indent this line like its key
        a:1⏎b: 2 => 2:2: a colon is not allowed here, because the line continues the text that starts at line 1; put
        .. a colon and a space after the key there, or indent this line like its key
        a: 1⏎b:2 # c => 2:1: "b:2 # c" is not key: value; put a colon and a space after the key, or indent the line
        .. if it continues the text above
        a: {b:} => 1:6: a colon between brackets needs a space after it; write key: value, or put the text in quotes
        a: {b: 1 c: 2} => 1:11: this does not belong to the { that opens at line 1; add a comma or } in front of
        .. this, or put the text in quotes
        a: [1, 2⏎b: 3⏎ => 2:2: this does not belong to the [ that opens at line 1; add a comma or ] in front of
        .. this, or put the text in quotes
        a: "x⏎b: "y" => 2:5: the quoted text that opens at line 1, column 4 has ended in front of this; put all of
        .. the text in quotes, or check where its quotes are
        a: 'it's' => 1:8: the quoted text that opens at line 1, column 4 has ended in front of this; put all of the
        .. text in quotes, or check where its quotes are
        - a⏎b: 1 => 2:1: this does not belong to the list that opens at line 1; start it with - , or check the
        .. indentation and the quotes
        a:⏎  - b⏎ c: 1 => 3:2: this does not belong to the map that opens at line 1; start it with key: , or check
        .. the indentation and the quotes
        [1]⏎b => 2:1: this does not belong to what is above it; check the indentation, brackets and quotes there
        a: 1⏎...⏎b: 2 => 3:1: this does not belong to what is above it; check the indentation, brackets and quotes
        .. there
        """#

    private static let failures: [(text: String, expected: String)] = {
        let long = String(repeating: "k", count: 1025) + ": 1"
        let message =
            "there is no colon within the 1024 characters that a key may have; write key: value, or ? in front of a "
            + "longer key and its colon on the next line"
        var failures = [(text: long, expected: "1:1026: \(message)")]
        failures.append(("a: 1\n\(long)", "2:1: \(message)"))
        for row in table.replacing("\n.. ", with: " ").split(separator: "\n") {
            let cells = row.replacing("⏎", with: "\n").replacing("⇥", with: "\t").split(separator: " => ")
            failures.append((String(cells[0]), String(cells[1])))
        }
        return failures
    }()

    @Test("A syntax error is explained at its cause", arguments: failures)
    func syntax(text: String, expected: String) {
        #expect(problems(text) == [expected])
        #expect(parse(text).root == nil)
    }

    /// What comes before the error is known, what comes after it is not.
    @Test("Problems before a syntax error are reported as well")
    func problemsBeforeTheErrorAreKnown() {
        #expect(
            problems("a: &x 1\nb: !t 2\nc: \"it\" *x\nd: *y\n").map { $0.prefix(12) }
                == ["1:4: anchors", "2:4: tags (!", "3:9: the quo"])
    }

    @Test("Columns count Unicode scalars")
    func positionsCountScalars() {
        #expect(problems("\"é😀e\u{301}\": @").map { $0.prefix(6) } == ["1:9: t"])
    }

    @Test("Long lines are cut in messages")
    func longLinesAreCut() {
        let found = problems("a: 1\n" + String(repeating: "é", count: 1000))
        #expect(
            found.first?.hasPrefix("2:1: \"" + String(repeating: "é", count: 64) + "…\" is not key: value;") == true)
        #expect(
            problems("a: 1\n" + String(repeating: "x ", count: 1 << 19)).map { $0.prefix(23) } == [
                "2:1: there is no colon "
            ])
    }
}
