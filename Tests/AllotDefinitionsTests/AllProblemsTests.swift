import AllotDefinitions
import Testing

struct AllProblemsTests {
    @Test("One run reports all files, in the order of files and positions")
    func allFilesInOneRunInTheOrderOfFilesAndPositions() {
        let files: Files = [
            "base.yaml": """
            config_sections:
              Shop:
                settings:
                  Color: { value: red }
                  Size: { valeu: 5 }
            """, "layers.yaml": "main: { slat: x }", "holdouts.yaml": "h: { share: 2 }",
            "segments.yaml": "europe: { country: { $inn: [DE] } }", "a.yaml": experiment("traffic: 50"),
            "b.yaml": """
            status: running
            trafic: 5%
            audience: { $segment: europe, age: { $gt: true } }
            variants:
              - { key: a, weight: -1 }
              - { key: b, overrides: { Shop: { Colour: blue, Size: 7 } } }
            """, "c.yaml": "status: [", "d.yaml": experiment("owner: 5"),
        ]
        let problems = DefinitionsLoader.fixed.problems(in: files)
        let places = problems.map { "\($0.file):\($0.position?.description ?? "")" }
        #expect(
            places == [
                "a.yaml:1:10", "b.yaml:2:1", "b.yaml:3:43", "b.yaml:5:23", "b.yaml:6:36", "base.yaml:5:13",
                "base.yaml:5:15", "c.yaml:1:9", "d.yaml:1:8", "d.yaml:3:55", "holdouts.yaml:1:13", "layers.yaml:1:9",
                "segments.yaml:1:22",
            ])
        #expect(problems[9].message.hasPrefix("conflict: d (variant b) and a (variant b, a.yaml:3:55)"))
    }

    /// The kinds of problems with other experiments, and the experiments with them, by their number of 25.
    private static let bounded: [(noun: String, words: String, experiment: @Sendable (Int) -> String)] = [
        ("conflicts", "conflict: ", { _ in experiment("") }),
        ("slot overlaps", "the layer main", { _ in "layer: main\nslots: [0%..<50%]\nvariants: [{ key: a }]" }),
        (
            "forced units", "the layer main",
            { "layer: main\nslots: [\($0)%..<\($0 + 1)%]\nforced: { u1: a }\nvariants: [{ key: a }]" }
        ),
        (
            "conflicting experiments", "the layer main",
            { index in
                "layer: main\nslots: [\(index)%..<\(index + 1)%]\nforced: { u\(index): a }\nvariants: [{ key: a }]\n"
                    + (index < 24 ? "unit: device_id" : "")
            }
        ),
    ]

    @Test("Problems with other experiments are counted beyond twenty", arguments: bounded.indices)
    func manyProblems(kind: Int) {
        let (noun, words, text) = Self.bounded[kind]
        var files = Files.base + ["layers.yaml": "main:"]
        for index in 0..<25 { files["e\(index + 10).yaml"] = experiment(text(index)) }
        let last = DefinitionsLoader.fixed.problems(in: files).filter { $0.file == "e34.yaml" }
        #expect(last.count == 21, "\(last)")
        #expect(last.first?.message == "not listed: 4 further \(noun) of e34; fix the others first")
        #expect(last.dropFirst().allSatisfy { $0.message.contains(words) })
    }

    @Test("Names that are canonically equivalent are two names")
    func equivalentNames() {
        let kelvin = "\u{212A}"
        let files: Files = [
            "segments.json": #"{"K": {"$segment": "\#(kelvin)"}, "G": ["a"]}"#,
            "a.json": #"{"status": "concluded", "winner": "\#(kelvin)", "variants": [{"key": "K"}]}"#,
            "b.json": #"{"status": "draft", "variants": [{"key": "K"}], "forced": {"u": "\#(kelvin)"}}"#,
            "c.json": #"{"status": "draft", "variants": [{"key": "K"}], "audience": {"$segment": "\#(kelvin)"}}"#,
        ]
        let problems = DefinitionsLoader.fixed.problems(in: files)
        #expect(problems.map(\.file) == ["a.json", "b.json", "c.json", "segments.json"], "\(problems)")
        #expect(problems.allSatisfy { $0.message.contains(kelvin) && $0.severity == .error })
    }

    @Test("The order of sources does not change the problems")
    func theOrderOfTheSourcesDoesNotMatter() {
        let files =
            Files.base + [
                "a.yaml": experiment(""), "b.yaml": experiment("salt: a"), "c.yaml": experiment(""), "a.json": "{}",
            ]
        let sources = files.sources
        let expected = DefinitionsLoader.fixed.lines(of: files)
        for start in sources.indices {
            let rotated = Array(sources[start...] + sources[..<start])
            #expect { try DefinitionsLoader.fixed.load(rotated) } throws: { error in
                "\(error)" == expected.joined(separator: "\n")
            }
        }
    }

    @Test("Problems show the folder before the file name")
    func theFolderStandsBeforeTheNames() {
        let sources = ["e.yaml": "status: x", "other.yaml": experiment("salt: e\nvariants: [{ key: a }]")].sources
        for (folder, prefix) in [("Experiments", "Experiments/"), ("/tmp/x/", "/tmp/x/"), ("", "")] {
            #expect { try DefinitionsLoader.fixed.load(sources, folder: folder) } throws: { error in
                "\(error)".hasPrefix("\(prefix)e.yaml:1:1: error: ")
                    && "\(error)".contains("that of e (\(prefix)e.yaml:1:1)")
            }
        }
    }

    @Test("A problem is one line, whatever the file contains")
    func aProblemIsOneLine() {
        let files: Files = [
            "base.yaml": "config_sections: { Shop: { settings: { \"two\\nlines\": { value: 5, minimum: 6 } } } }",
            "a\u{202E}\nb.yaml": "status: draft\nvariants: [{ key: a }]",
            "e.yaml": "status: running\naudience: { \"a\": { \"$x\\ny\\u0085\": 1 } }\nvariants: [{ key: a }]",
        ]
        let lines = DefinitionsLoader.fixed.lines(of: files)
        #expect(lines.count == 3)
        let isPlain = lines.joined().unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        #expect(isPlain)
        #expect(lines.first?.hasPrefix("a\\u202E\\nb.yaml: error: ") == true)
    }
}
