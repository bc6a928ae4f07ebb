import Testing

@testable import AllotDefinitions

struct YAMLDuplicateKeyTests {
    @Test("A repeated key is reported at its second place, with all other problems")
    func secondOccurrenceAndAllOtherProblems() {
        let text = """
            a: 1
            b: {x: 1, y: !t 2, "x": 3, x: 4}
            variants:
              - key: one
                weight: 1
                'key': two
                weight: 2
            forced: {user 7: a, user 7: b}
            a: &c 2
            <<: 5
            """
        #expect(
            problems(text) == [
                "2:14: tags (!name) are not supported; put the value in quotes if it is text, or remove the tag",
                #"2:20: the key "x" is given twice, also at line 2, column 5; keep one of the two (b.x)"#,
                #"2:28: the key "x" is given twice, also at line 2, column 5; keep one of the two (b.x)"#,
                #"6:5: the key "key" is given twice, also at line 4; keep one of the two (variants[0].key)"#,
                #"7:5: the key "weight" is given twice, also at line 5; keep one of the two (variants[0].weight)"#,
                #"8:21: the key "user 7" is given twice, also at line 8, column 10; keep one of the two "#
                    + #"(forced["user 7"])"#,
                #"9:1: the key "a" is given twice, also at line 1; keep one of the two (a)"#,
                "9:4: anchors and aliases (&name, *name) are not supported; write the value out, or use a segment",
                "10:1: merge keys (<<) are not supported; write the members out, or use a segment",
            ])
    }

    @Test("The tree has the first of two equal keys")
    func treeHasTheFirst() {
        #expect(
            outline(parse("a: 1\n\"b\": {c: [x: 1, x: 2], c: 3}\na: [4]\né: {a: 'q'}").root)
                == "1:1{1:1 a: 1:4 number 1, 2:1 b: 2:6{2:7 c: 2:10[2:11{2:11 x: 2:14 number 1}, "
                + "2:17{2:17 x: 2:20 number 2}]}, 4:1 é: 4:4{4:5 a: 4:8 text q}}")
    }

    @Test("Keys are equal however they are written")
    func sameTextWrittenInOtherWays() {
        #expect(
            problems("1: a\n\"1\": b\n'1': c\n\"\\u0031\": d\n? 1\n: e").map { $0.prefix(38) } == [
                #"2:1: the key "1" is given twice, also "#, #"3:1: the key "1" is given twice, also "#,
                #"4:1: the key "1" is given twice, also "#, #"5:3: the key "1" is given twice, also "#,
            ])
        #expect(problems("\"\": 1\n'': 2").map { $0.prefix(15) } == [#"2:1: the key """#])
        #expect(problems("\"\\n\": 1\n\"\\n\": 2").map { $0.prefix(16) } == [#"2:1: the key "\n"#])
        #expect(problems("'''': 1\n\"'\": 2").map { $0.prefix(16) } == [#"2:1: the key "'""#])
        #expect(problems("null: 1\n\"null\": 2\n~: 3").map { $0.prefix(18) } == [#"2:1: the key "null"#])
    }

    @Test("Canonically equivalent keys with different bytes are different keys")
    func canonicallyEquivalentKeysDiffer() {
        let text = "\u{E9}: 1\ne\u{301}: 2\n\u{212B}: {\u{C5}: 1, A\u{30A}: 2}\n\u{C5}: 3"
        #expect(problems(text).isEmpty)
        guard case .map(let entries) = parse(text).root?.content else { return #expect(Bool(false)) }
        #expect(
            entries.map { Array($0.key.unicodeScalars) } == [["\u{E9}"], ["e", "\u{301}"], ["\u{212B}"], ["\u{C5}"]])
        #expect(entries.map(\.keyPosition.line) == [1, 2, 3, 4])
    }

    @Test("Keys of private-use characters are read unchanged")
    func keysOfPrivateUseStay() {
        let text = "\u{F0000}\u{F0001}a: 1\na: 1\na: 2\n\u{F0000}: \"\u{F0000}\u{F0000}\u{F0000}\"\n"
        #expect(
            outline(parse(text).root) == "1:1{1:1 \u{F0000}\u{F0001}a: 1:6 number 1, 2:1 a: 2:4 number 1, "
                + "4:1 \u{F0000}: 4:4 text \u{F0000}\u{F0000}\u{F0000}}")
    }

    @Test("Values that look like keys are values")
    func valuesThatLookLikeKeysStay() {
        let text = "a: |\n  a: 1\n  a: 2\nb: \"a: 1\n  a: 2\"\nc: x # a: 1, a: 2\na: 3\nd: 'a: 1'"
        #expect(problems(text).map { $0.prefix(10) } == ["7:1: the k"])
        #expect(
            outline(parse(text).root)
                == "1:1{1:1 a: 1:4 text a: 1\na: 2\n, 4:1 b: 4:4 text a: 1 a: 2, 6:1 c: 6:4 text x, 8:1 d: 8:4 text "
                + "a: 1}")
    }

    @Test("Aliases as keys are not duplicates")
    func aliasesAsKeysAreNotDuplicates() {
        #expect(problems("? &x a\n: 1\n*x : 2\n*x : 3\n*x : 4").map { $0.prefix(9) } == ["1:3: anch"])
    }

    @Test("Repeated keys before a syntax error are reported")
    func syntaxErrorAfterDuplicates() {
        #expect(
            problems("a: 1\na: 2\nb: {c: 1, c: 2, d: @}") == [
                #"2:1: the key "a" is given twice, also at line 1; keep one of the two (a)"#,
                #"3:11: the key "c" is given twice, also at line 3, column 5; keep one of the two (b.c)"#,
                "3:20: text cannot start with @; put it in quotes",
            ])
    }

    @Test("Each missing key is reported")
    func missingKeysTwice() {
        #expect(
            problems("a: !t 1\n? \n: 1\n? \n: 2\nb: !t 2").map { $0.prefix(38) } == [
                "1:4: tags (!name) are not supported; p", "2:2: a key is missing; write it, or \"\"",
                "4:2: a key is missing; write it, or \"\"", "6:4: tags (!name) are not supported; p",
            ])
    }

    @Test("Many repeated keys are reported up to the limit")
    func manyDuplicates() {
        let text = (1...400).map { "key\($0): [a: 1]\nkey\($0): {x: 1, x: 2}\n" }.joined()
        let found = parse(text).problems
        #expect(found.count == 800)
        #expect(found.allSatisfy { $0.message.contains(" is given twice, also at line ") })
        let lines = (1...400).flatMap { (pair: Int) -> [Int?] in [pair * 2, pair * 2] }
        #expect(found.map(\.position?.line) == lines)
        #expect(problems(String(repeating: "a: 1\n", count: 5000)).count == 1001)
    }

    /// 1022 characters and the colon are just within libyaml's limit.
    @Test("Keys of the longest length are compared as a whole")
    func longDuplicates() {
        let long = String(repeating: "k", count: 1022)
        #expect(problems("\(long): 1\na: 1\na: 2").map { $0.prefix(14) } == [#"3:1: the key ""#])
        #expect(problems("\(long): 1\n\(long): 2").count == 1)
    }
}
