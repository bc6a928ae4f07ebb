import AllotCore
import AllotDefinitions
import Testing

struct LimitTests {
    private func base(settings: Int, value: String) -> Files {
        let lines = (0..<settings).map { "      S\($0): { value: \(value) }" }.joined(separator: "\n")
        return ["base.yaml": "config_sections:\n  Shop:\n    settings:\n\(lines)"]
    }

    @Test("A base may declare one hundred settings")
    func aHundredSettings() {
        #expect(DefinitionsLoader.fixed.lines(of: base(settings: 100, value: "1")) == [])
        #expect(
            DefinitionsLoader.fixed.lines(of: base(settings: 101, value: "1")) == [
                "base.yaml:2:3: error: the base has 101 settings; at most 100 are allowed (raise it with "
                    + "limits.settings of the base) (config_sections)"
            ])
    }

    @Test(
        "A folder's own limits count in place of the standard ones, and those of a reader before them",
        arguments: [
            ("", 100, 100), ("limits: { settings: 101 }", 100, nil), ("limits: { settings: 7 }", 100, 7),
            ("limits: { settings: 7 }", 200, nil), ("limits: { settings: 200 }", 50, 50),
            ("limits: { settings: 101, value_bytes: 9 }", 100, 9),
        ] as [(String, Int, Int?)])
    func ownLimits(line: String, given: Int, limit: Int?) {
        var loader = DefinitionsLoader.fixed
        loader.limits.settings = given
        let files = base(settings: 101, value: "1").mapValues { "\($0)\n\(line)\n" }
        let lines = loader.lines(of: files)
        #expect(lines.count == (limit == nil ? 0 : 1), "\(lines)")
        if let limit { #expect(lines.first?.contains("at most \(limit) are allowed") == true, "\(lines)") }
    }

    @Test("The size of the base's values is limited")
    func bytesOfValues() {
        // A text of 1,308 characters is 1,310 bytes as JSON; 131,072 are allowed.
        let text = String(repeating: "x", count: 1308)
        #expect(DefinitionsLoader.fixed.lines(of: base(settings: 100, value: text)) == [])
        let file = base(settings: 100, value: text)["base.yaml", default: ""]
        let more = String(repeating: "y", count: 73)
        let longer = ["base.yaml": file.replacing("S0: { value: x", with: "S0: { value: \(more)x")]
        #expect(
            DefinitionsLoader.fixed.lines(of: longer) == [
                "base.yaml:2:3: error: the values of the base come to 131073 bytes; at most 131072 are allowed "
                    + "(raise it with limits.value_bytes of the base) (config_sections)"
            ])
    }

    @Test("The size of what can be served is limited too")
    func bytesWithOverrides() {
        var loader = DefinitionsLoader.fixed
        loader.limits.valueBytes = 60
        func lines(_ base: String, _ overrides: String..., inLayer: Bool = false) -> [String] {
            var files = [
                "base.yaml": "config_sections: { Shop: { settings: { A: { value: \(base) }, B: { value: 1 } } } }"
            ]
            if inLayer { files["layers.yaml"] = "main:" }
            for (number, override) in overrides.enumerated() {
                files["e\(number).yaml"] =
                    "{ status: running, audience: { n: \(number) }, "
                    + (inLayer ? "layer: main, slots: [\(number * 10)%..<\(number * 10 + 10)%], " : "")
                    + "variants: [{ key: a, overrides: { Shop: \(override) } }, { key: b }] }"
            }
            return loader.lines(of: files)
        }
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        // A text takes two bytes more as JSON, and B one.
        #expect(lines("x", "{ A: \(text(57)) }") == [])
        #expect(
            lines("x", "{ A: \(text(50)) }", "{ A: \(text(58)) }").first
                == "e1.yaml:1:72: error: with this variant the values of a configuration come to 61 bytes; at most 60 "
                + "are allowed (raise it with limits.value_bytes of the base) (variants[0].overrides)")
        // {"m":"","n":""}: members count by themselves.
        #expect(lines(#"{ m: "", n: "" }"#, "{ A: { m: \(text(44)) } }") == [])
        #expect(lines(#"{ m: "", n: "" }"#, "{ A: { m: \(text(45)) } }").count == 1)
        // {"k":"x"}, and in an object without members without the comma.
        #expect(lines("{}", "{ A: { k: \(text(51)) } }") == [])
        #expect(lines("{}", "{ A: { k: \(text(52)) } }").count == 1)
        #expect(lines("{ m: 1 }", "{ A: { k: \(text(45)) } }") == [])
        #expect(lines("{ m: 1 }", "{ A: { k: \(text(46)) } }").count == 1)
        #expect(lines(text(58)).count == 1)
        // What several experiments add may not come together.
        let both = lines("{}", "{ A: { k: \(text(30)) } }", "{ A: { l: \(text(30)) } }")
        #expect(both.count == 1)
        #expect(both.first?.contains("warning: with variants of several experiments") == true, "\(both)")
        #expect(both.first?.contains("can come to 75 bytes") == true)
        #expect(lines("{}", "{ A: { k: \(text(30)) } }", "{ A: { l: \(text(30)) } }", inLayer: true) == [])
        let paused = loader.lines(of: [
            "base.yaml": "config_sections: { Shop: { settings: { A: { value: x } } } }",
            "e.yaml": "{ status: paused, variants: [{ key: a, overrides: { Shop: { A: \(text(90)) } } }] }",
        ])
        #expect(paused == [])
    }

    @Test("A forced unit ID may have 1024 bytes")
    func aUnitIDOf1024Bytes() {
        func forced(_ length: Int) -> Files {
            let unitID = String(repeating: "ü", count: length / 2)
            let text = #"{"status": "draft", "variants": [{"key": "a"}], "forced": {"\#(unitID)": "a"}}"#
            return Files.base + ["e.json": text]
        }
        #expect(DefinitionsLoader.fixed.lines(of: forced(1024)) == [])
        #expect(
            DefinitionsLoader.fixed.problems(in: forced(1026)).map(\.message)
                == ["a unit ID has 1 to 1024 bytes, this one 1026"])
    }

    @Test("Chains of segment references are limited to one hundred")
    func segmentsThatReferToEachOtherInALongRow() {
        func chain(_ length: Int) -> Files {
            let links = (1..<length).map { "s\($0): { $segment: s\($0 - 1) }\n" }.joined()
            return Files.base + [
                "segments.yaml": "s0: { country: DE }\n" + links,
                "e.yaml": experiment("audience: { $segment: s\(length - 1) }"),
            ]
        }
        #expect(DefinitionsLoader.fixed.lines(of: chain(100)) == [])
        #expect(
            DefinitionsLoader.fixed.lines(of: chain(5000)) == [
                "segments.yaml:101:1: error: this segment ends a chain of more than 100 references; "
                    + "write some of the segments out (s100)"
            ])
    }

    @Test("Segments that nest too deeply together are refused")
    func segmentsThatNest() {
        func nested(_ inner: String, _ depth: Int) -> String {
            String(repeating: "{ $not: ", count: depth) + inner + String(repeating: " }", count: depth)
        }
        func problems(_ count: Int) -> [String] {
            let links = (1..<count).map { "s\($0): \(nested("{ $segment: s\($0 - 1) }", 90))\n" }.joined()
            let files =
                Files.base + [
                    "segments.yaml": "s0: { country: DE }\n" + links,
                    "e.yaml": experiment("audience: { $segment: s\(count - 1) }"),
                ]
            return DefinitionsLoader.fixed.lines(of: files)
        }
        #expect(problems(4) == [])
        let found = problems(100)
        #expect(found.first?.hasPrefix("segments.yaml:5:5: error: the condition comes to ") == true, "\(found)")
        #expect(found.allSatisfy { $0.contains(" levels with its segments; keep it below 300") }, "\(found)")
    }

    @Test("Segments that multiply are refused by size")
    func segmentsThatMultiply() {
        let links = (1..<20).map { "s\($0): { $and: [{ $segment: s\($0 - 1) }, { $segment: s\($0 - 1) }] }\n" }.joined()
        let problems = DefinitionsLoader.fixed.problems(in: ["segments.yaml": "s0: { country: DE }\n" + links])
        #expect(problems.count == 1)
        #expect(problems.first?.message.contains("keep it below 10000") == true)
    }
}
