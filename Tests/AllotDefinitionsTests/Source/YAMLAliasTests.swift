import AllotDefinitions
import Testing

struct YAMLAliasTests {
    static let message = "anchors and aliases (&name, *name) are not supported; write the value out, or use a segment"

    @Test("An anchor is reported once, however many aliases it has")
    func anchorsAreReportedOnce() {
        let text = "a: &x [1]\nb: *x\nc: [*x, *x]\nd: &y\n&z e: {&w f: *y}\ng: &x 1\nh: \"\\q\""
        #expect(
            problems(text).dropLast() == [
                "1:4: \(Self.message)", "4:4: \(Self.message)", "5:1: \(Self.message)", "5:8: \(Self.message)",
                "6:4: \(Self.message)",
            ])
        #expect(
            problems(text).last == #"7:5: \q is not an escape of double-quoted text; write \\q, or use single quotes"#)
    }

    @Test("An anchor without alias leaves a tree")
    func anchorsWithoutAliasesLeaveATree() {
        #expect(outline(parse("a: &x [1]").root) == "1:1{1:1 a: 1:4[1:8 number 1]}")
        #expect(parse("a: &x [1]\nb: *x").root == nil)
    }

    @Test("An alias without anchor is probably text")
    func aliasWithoutAnchor() {
        #expect(
            problems("a: *bold\nb: &bold 1") == [
                #"1:4: "*bold" is an alias, which is not supported; put text that starts with * in quotes"#,
                "2:4: \(Self.message)",
            ])
        #expect(
            problems("- *x\n- @") == [
                #"1:3: "*x" is an alias, which is not supported; put text that starts with * in quotes"#,
                "2:3: text cannot start with @; put it in quotes",
            ])
        #expect(problems("a: *bold text").count == 1)
        #expect(problems("a: *.example.com") == [#"1:4: text that starts with * must be in quotes; write "*…""#])
        #expect(problems("a: & b") == [#"1:4: text that starts with & must be in quotes; write "&…""#])
    }

    @Test("Other problems next to aliases are found")
    func otherProblemsAreFoundToo() {
        #expect(
            problems("a: &x 1\nb: {c: *x, c: *x}\nd: !t *x").map { $0.prefix(11) }
                == ["1:4: anchor", "2:12: the k", "3:4: tags (", "3:7: this d"])
    }

    @Test("The signs * and & inside text are text")
    func signsInsideTextAreText() {
        let text = "a: x *y &z\nb: '*y'\nc: \"&z\"\nd: |\n  *y\ne: x\n  *y\nf: [a*b, a&b] # *y &z\ng: a\n  &z b"
        #expect(problems(text).isEmpty)
    }

    /// Nine to the power of sixty values, as values and as keys.
    @Test("Aliases that multiply cost nothing")
    func bombs() {
        var values = "a0: &a0 [x]\n"
        var keys = "? &b0 [x]\n: 1\n"
        for level in 1...60 {
            values += "a\(level): &a\(level) [" + String(repeating: "*a\(level - 1), ", count: 9) + "]\n"
            keys += "? &b\(level) {*b\(level - 1) : 1, *b\(level - 1) : 2}\n: 1\n"
        }
        #expect(problems(values).count == 61)
        #expect(problems(keys).count == 122)
        // After the syntax error of the first line aliases must not go unnoticed.
        #expect(problems("*k ]: 1\n" + values).first?.hasPrefix("1:1: ") == true)
        #expect(problems("- &a 1\n" + String(repeating: "- *a\n", count: 2000)) == ["1:3: \(Self.message)"])
    }
}
