import Foundation
import TestSupport
import Testing

/// Settings and experiments as Swift source. That it compiles is seen where the tests of the client use it.
@Suite(.blocks) struct GenerateTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let definitions = root.appendingPathComponent("Experiments").path
    static let kept = root.appendingPathComponent("Experiments/app/ShopSettings.swift").path

    static func generate(_ arguments: String..., in workspace: Workspace? = nil) throws -> Outcome {
        try Program.run(["generate", "swift"] + arguments, in: workspace?.url)
    }

    @Test("The sample shop generates the bytes of the sample app's file")
    func sameBytesAsTheFileThatIsKept() throws {
        let result = try Self.generate("--definitions", Self.definitions)
        #expect((result.status, result.errors) == (0, ""))
        #expect(
            result.text == (try String(contentsOfFile: Self.kept, encoding: .utf8)),
            "run: allot generate swift --output \(Self.kept)")
        #expect(try Self.generate("--definitions", Self.definitions, "--check", Self.kept).status == 0)
    }

    @Test("An added setting makes --check fail; a different revision alone, and line ends of Windows, do not")
    func check() throws {
        let workspace = try Workspace.withButton()
        #expect(try Self.generate("--output", "Settings.swift", in: workspace).status == 0)
        let text = try workspace.read("Settings.swift")
        #expect(text.contains("    @Setting(\"Color\")\n    var color = \"blue\"\n"))
        try workspace.write("Experiments/button.yaml", Workspace.button + "\ntraffic: 50%\n")
        #expect(try Self.generate(in: workspace).text != text)
        for lineEnd in ["\r\n", "\n"] {
            try workspace.write("Settings.swift", text.replacing("\n", with: lineEnd))
            #expect(try Self.generate("--check", "Settings.swift", in: workspace).status == 0)
        }
        try workspace.write(
            "Experiments/base.json",
            #"{"config_sections": {"Page": {"settings": {"Color": {"value": "blue"}, "Size": {"value": 1}}}}}"#)
        let result = try Self.generate("--check", "Settings.swift", in: workspace)
        #expect((result.status, result.text) == (2, ""))
        #expect(result.errors.hasPrefix("allot: Settings.swift does not match the definitions from line 14 on"))
        #expect(try workspace.read("Settings.swift") == text)
        try Self.generate(
            "--check", "Settings.swift", "--access", "public", "--definitions", "./Experiments", in: workspace
        ).expectErrors(
            end: "allot generate swift --definitions ./Experiments --access public --output Settings.swift\n",
            status: nil)
    }

    @Test("A file to check that does not exist is generated; one that cannot be read is reported with the reason")
    func unreadableFile() throws {
        let workspace = try Workspace.withButton()
        try Self.generate("--check", "it's.swift", in: workspace).expectFailure(
            "there is no file it's.swift; generate it with: allot generate swift --output 'it'\\''s.swift'",
            status: 2)
        try Self.generate("--check", "Experiments", in: workspace).expectErrors(
            start: "allot: cannot read Experiments: the path leads to a folder")
    }

    @Test("The access level is that of --access", arguments: ["public", "package", "internal"])
    func access(_ access: String) throws {
        let workspace = try Workspace.withButton()
        let text = try Self.generate("--access", access, in: workspace).text
        let modifier = access == "internal" ? "" : "\(access) "
        #expect(text.contains("\n\(modifier)struct PageSettings: SettingsSection {"))
        #expect(text.contains("\n    \(modifier)var color = \"blue\""))
        #expect(text.contains("\n        \(modifier)static let green = LocalOverrides.Variant(\"green\", values: "))
        #expect(text.contains("\n\(access == "public" ? "public " : "")import AllotClient\n"))
    }

    /// Definitions whose texts would do harm if they were written as they are.
    static func hostile() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write(
            "Experiments/base.json",
            #"""
            {"config_sections": {
              "a\"b\\(c)": {"settings": {
                "end\" + exit(1) + \"": {"value": "\") }\n}\nfatalError(\"\\(1)\u202e\u0000", "description": "x\n*/ \#
            fatalError()\u000bend"},
                "default": {"value": true}, "init": {"value": 1}, "self": {"value": null}, "1st": {"value": [1, "a", \#
            {}]},
                "größe": {"value": 1.50, "minimum": -5}, "MAX_ITEMS": {"value": 4, "type": "integer", "maximum": -1e0},
                "URLPath": {"value": "é\u0301", "pattern": "^(a|é)|b$|."}, "---": {"value": [], "type": "array"},
                "Large": {"value": 123456789012345678901234567890}, "Wide": {"value": ["a long text that repeats",
                "a long text that repeats", "a long text that repeats", "a long text that repeats", "and the last"]}
              }},
              "A b c": {"settings": {"max-items": {"value": 1}, "MaxItems": {"value": 2}, "maxItems": {"value": 3}}},
              "a_B_c": {"settings": {"Only": {"value": "RE2", "pattern": "(?P<x>RE2)"}}},
              "Allot": {"settings": {"Choice": {"value": 1, "type": "number", "enum": [1, 1.0, "no", 2.5]}}},
              "Numbers": {"settings": {
                "Close": {"value": 0.1, "enum": [0.1, 0.10000000000000000001]},
                "Least": {"value": 5e-324, "minimum": -5e-324}, "Leasts": {"value": [5e-324, -2.5e-320]},
                "Whole": {"value": 1, "type": "integer", "enum": [1, 99999999999999999999]},
                "hashValue": {"value": 1}, "description": {"value": "x"}, "section": {"value": "y"},
                "await": {"value": true}, "set": {"value": 1}, "Any": {"value": "any"}, "unsafe": {"value": 2}
              }},
              "Cases": {"settings": {
                "Word": {"value": "default", "enum": ["default", "init", "self", "", "---", "a b", "aB", "none",
                  "allCases", "\") }", "1", "SELF"]},
                "Setting": {"value": "x\u202e", "enum": ["x\u202e"]}, "String": {"value": "Any", "enum": ["Any"]},
                "Level": {"value": -1, "type": "integer", "enum": [-1, 1, 10], "minimum": -5,
                  "choices": [{"value": 1, "label": "one */ \"x\""}]},
                "Same": {"value": "é", "enum": ["é", "e\u0301"]}
              }},
              "Formats": {"settings": {
                "Day": {"value": "2026-11-21", "format": "date"},
                "Start": {"value": "2026-11-21T12:00:00Z", "format": "date-time",
                  "choices": [{"value": "2026-12-01T00:00:00+01:00", "label": "December"}]},
                "Place": {"value": {"__type": "GeoPoint", "latitude": -90, "longitude": 1.5e2}, "format": "geo-point"},
                "Logo": {"value": {"__type": "File", "name": "a\"\n\u202e.png", "url": "https://example.com/a.png",
                  "size": 0, "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                  "format": "file"},
                "Key": {"value": {"__type": "Bytes", "base64": "AP8B"}, "format": "bytes"}
              }}
            }}
            """#.replacingOccurrences(of: #""maximum": -1e0"#, with: #""maximum": 1e1"#))
        try workspace.write(
            "Experiments/key.yaml",
            #"""
            status: draft
            variants:
              - key: key
              - { key: variants, overrides: { Allot: { Choice: 2.5 } } }
              - { key: "in", overrides: { 'a"b\(c)': { "default": false } } }
              - { key: a.b, overrides: { A b c: { MaxItems: 5 } } }
              - { key: a-b, overrides: { A b c: { MaxItems: 6 } } }
            """#)
        let words = [
            "actor", "any", "async", "await", "borrow", "consume", "copy", "default", "discard", "dynamic", "each",
            "final", "get", "isolated", "lazy", "mutating", "nonisolated", "of", "open", "package", "repeat", "self",
            "sending", "set", "some", "super", "then", "throw", "throws", "try", "unowned", "unsafe", "weak", "yield",
        ]
        try workspace.write(
            "Experiments/words.yaml",
            "status: draft\nvariants:\n" + words.map { "  - { key: \"\($0)\" }\n" }.joined())
        for word in ["any", "string", "type", "int", "optional", "string-literal-type"] {
            try workspace.write("Experiments/\(word).yaml", "status: draft\nvariants: [{ key: a }, { key: b }]")
        }
        try workspace.write("Experiments/local-overrides.yaml", "status: draft\nvariants: [{ key: a }, { key: b }]")
        return workspace
    }

    @Test("Texts of definitions cannot end a literal or a comment of the source")
    func nothingBreaksOutOfTheSource() throws {
        let workspace = try Self.hostile()
        let result = try Self.generate("--output", "Settings.swift", in: workspace)
        #expect(result.status == 0, "\(result.errors)")
        let text = try workspace.read("Settings.swift")
        for expected in [
            #"static let section = "a\"b\\(c)""#, #"= "\") }\n}\nfatalError(\"\\(1)\u{202E}\u{0}""#,
            "    /// x\n    /// */ fatalError()\\u000Bend\n", "var `default` = true", "var settingInit = 1",
            "var settingSelf: JSONValue = .null", "var setting1st: JSONValue = [1, \"a\", [:]]",
            "@Setting(\"größe\", in: (-5.0)...)\n    var groE = 1.5", "in: ...10)\n    var maxItems = 4",
            "var urlPath = ", "var setting: JSONValue = []",
            "var large: JSONValue = JSONValue(literal: \"123456789012345678901234567890\")",
            "choices: [0.1])\n    var close = 0.1\n", "in: (-0x1p-1074)...)\n    var least = 0x1p-1074\n",
            "choices: [Whole.value1])\n    var whole = Whole.value1\n", "static let `await` = ", "var `unsafe` = 2",
            "    var wide = [\n        \"a long text that repeats\",\n", "var maxItems2 = ", "var maxItems3 = ",
            "struct ABCSettings2: SettingsSection", "struct AllotSettings2: SettingsSection", "choices: [1.0, 2.5])",
            "static let key2 = ", "enum LocalOverrides2 {", "static let `in` = ", "static let aB2 = ",
            "static let variants2 = ", "@Setting(\"Only\")",
            """
                enum Word: String, SettingValue, CaseIterable {
                    case `default`
                    case valueInit = "init"
                    case _self = "self"
                    case empty = ""
                    case _2D__2D__2D_ = "---"
                    case a_20_b = "a b"
                    case _aB = "aB"
                    case `none`
                    case _allCases = "allCases"
                    case _22__29__20__7D_ = "\\") }"
                    case value1 = "1"
                    case _SELF = "SELF"
                }

            """, "    var word = Word.`default`\n", "enum Setting2: String, SettingValue, CaseIterable {",
            #"case x = "x\u{202E}""#, "enum String2: String, SettingValue, CaseIterable {",
            """
                enum Level: Int, SettingValue, CaseIterable {
                    case minus1 = -1
                    /// one */ "x"
                    case value1 = 1
                    case value10 = 10
                }

            """, #"choices: ["-1": Level.minus1, "one */ \"x\"": Level.value1, "10": Level.value10])"#,
            "    var same = \"é\"\n", "\n\nimport struct Foundation.Data\nimport struct Foundation.Date\n",
            "    var day: Date = Date(constant: \"2026-11-21\")\n",
            #"@Setting("Start", suggestions: ["December": Date(constant: "2026-12-01T00:00:00+01:00")])"#,
            #"= GeoPoint(constant: ["__type": "GeoPoint", "latitude": -90, "longitude": 150])"#,
            "    var logo: ConfigurationFile = ConfigurationFile(constant: [\n        \"__type\": \"File\",\n",
            #"        "name": "a\"\n\u{202E}.png","#, "\n    ])\n",
            #"    var key: Data = Data(constant: ["__type": "Bytes", "base64": "AP8B"])"#,
        ] {
            #expect(text.contains(expected), "\(expected)")
        }
        result.expectErrors(
            #"allot: note: "maxItems" is maxItems3 in Swift, since the other name is taken"#,
            "a_B_c.Only has a pattern that the app's regular expressions read differently", status: nil)
        for note in [
            "Numbers.Close can be 0.10000000000000000001 only as 0.1 in Swift",
            "Numbers.Whole cannot be 99999999999999999999 in Swift", #"Allot.Choice cannot be "no" in Swift"#,
            #"Cases.Word has "a b" as the case a_20_b in Swift, since aB is taken or ambiguous"#,
            #"Cases.Word has "allCases" as the case _allCases in Swift, since allCases is taken or ambiguous"#,
            "Cases.Same has no enumeration in Swift, where two of its texts are equal: ",
        ] {
            #expect(result.errors.contains("allot: note: \(note)"), "\(result.errors)")
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    }

    @Test(
        "The name of a case does not depend on the order of the values",
        arguments: [
            #"["a b", "a-b", "a_20_b", "", "empty", "red"]"#, #"["red", "empty", "", "a_20_b", "a-b", "a b"]"#,
        ])
    func namesOfCases(values: String) throws {
        let workspace = try Workspace([
            "Experiments/base.json":
                #"{"config_sections": {"A": {"settings": {"X": {"value": "red", "enum": \#(values)}}}}}"#
        ])
        let lines = try Self.generate(in: workspace).text.split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("        case ") }.map { $0.dropFirst(13) }.sorted() == [
                #"_empty = "empty""#, #"a20B = "a_20_b""#, #"a_20_b = "a b""#, #"a_2D_b = "a-b""#, #"empty_ = """#,
                "red",
            ])
    }

    static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The modules that the build made next to the tests, if they exist.
    static let modules = (try? BuiltProgram("allot")).map {
        // Without symbolic links: a cache of modules knows them by their paths.
        $0.url.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("Modules").path
    }.flatMap { FileManager.default.fileExists(atPath: $0 + "/AllotClient.swiftmodule") ? $0 : nil }

    /// Compiles generated source against the client, warnings being errors, with the modules that the build has cached.
    private func compile(_ workspace: Workspace, _ arguments: [String]) throws {
        let result = try compiled(workspace, arguments)
        try #require(result.status == 0, "\(result.errors)")
    }

    private func compiled(_ workspace: Workspace, _ arguments: [String]) throws -> Outcome {
        let modules = try #require(Self.modules)
        let cache = URL(fileURLWithPath: modules).deletingLastPathComponent().appendingPathComponent("ModuleCache").path
        return try Outcome(
            of: URL(fileURLWithPath: try #require(Self.compiler)),
            [
                "-swift-version", "6", "-warnings-as-errors", "-I", modules, "-module-cache-path", cache,
                "-module-name", "App", "Settings.swift",
            ] + arguments, in: workspace.url)
    }

    @Test(
        "A misspelt case does not compile",
        .enabled(if: compiler != nil && modules != nil, "there is no swiftc in the PATH, or no built client"))
    func misspeltCases() throws {
        let workspace = try Workspace([
            "Experiments/base.json":
                #"{"config_sections": {"A": {"settings": {"Style": {"value": "list", "enum": ["list", "grid"]}}}}}"#
        ])
        #expect(try Self.generate("--output", "Settings.swift", in: workspace).status == 0)
        for (name, isThere) in [("grid", true), ("gird", false)] {
            try workspace.write("main.swift", "print(ASettings().style == .\(name))\n")
            let result = try compiled(workspace, ["main.swift", "-typecheck"])
            #expect((result.status == 0) == isThere, "\(result.errors)")
            #expect(result.errors.contains("'gird'") == !isThere)
        }
    }

    /// The check of the catalog finds no fault: every default meets its constraints.
    @Test(
        "The public source of hostile definitions compiles, and its catalog has no fault",
        .enabled(if: compiler != nil && modules != nil, "there is no swiftc in the PATH, or no built client"))
    func catalogOfHostileDefinitionsIsFaultless() throws {
        let workspace = try Self.hostile()
        #expect(try Self.generate("--output", "Settings.swift", "--access", "public", in: workspace).status == 0)
        try workspace.write(
            "main.swift",
            "do { print(try AllotSettings.catalog().declarations.count) } catch { print(error) }\n")
        let build = URL(fileURLWithPath: try #require(Self.modules)).deletingLastPathComponent()
        let objects = try ["AllotClient", "AllotConfiguration", "AllotFiles"].flatMap { module in
            // The build keeps the objects of sources that are gone.
            let sources = try FileManager.default.subpathsOfDirectory(
                atPath: Self.root.appendingPathComponent("Sources/\(module)").path)
            return sources.filter { $0.hasSuffix(".swift") }.map { source in
                let name = URL(fileURLWithPath: source).lastPathComponent
                return build.appendingPathComponent("\(module).build/\(name).o").path
            }
        }
        try compile(workspace, ["main.swift", "-o", "app"] + objects)
        let app = workspace.url.appendingPathComponent("app")
        let count = try workspace.read("Settings.swift").split(separator: "@Setting").count - 1
        #expect(try Outcome(of: app, [], in: workspace.url).text == "\(count)\n")
    }

    /// As JSON in text they take the compiler no longer than other text does.
    @Test(
        "Large values compile",
        .enabled(if: compiler != nil && modules != nil, "there is no swiftc in the PATH, or no built client"))
    func largeValuesCompile() throws {
        let workspace = try Workspace()
        let members = (0..<50).map {
            ##""k\##($0)": [\##($0).5, -1, 12345678901234567890.5, {"\"a\\": "\u202e \"\"\"#"}]"##
        }.joined(separator: ", ")
        try workspace.write(
            "Experiments/base.json",
            #"{"config_sections": {"A": {"settings": {"X": {"value": {\#(members)}}, "Y": {"value": 1}}}}}"#)
        try workspace.write(
            "Experiments/e.yaml",
            "status: draft\nvariants: [{ key: a }, { key: b, overrides: {\"A\": {\"X\": {\(members)}}} }]")
        let limits = ["--max-value-bytes", "10000000"]
        let result = try Program.run(["generate", "swift", "--output", "Settings.swift"] + limits, in: workspace.url)
        try #require(result.status == 0, "\(result.errors)")
        let text = try workspace.read("Settings.swift")
        #expect(text.contains("    var x: JSONValue = JSONValue(\n        literal: \"\"\"\n            {\n"))
        #expect(text.contains(##"{"\\"a\\\\": "\u{202E} \\"\\"\\"#"}"##))
        try compile(workspace, ["-typecheck"])
    }

    /// What ICU matches in another way than RE2 is found by the values of variants too.
    @Test("A pattern is left out if the app would reject an override by it")
    func patternsAreTriedWithOverrides() throws {
        let workspace = try Workspace([
            "Experiments/base.json":
                #"{"config_sections": {"A": {"settings": {"X": {"value": "ab", "pattern": "^([a-z]+|[a&&b]+)$"}}}}}"#
        ])
        for (value, isKept) in [("abc", true), ("a&b", false)] {
            try workspace.write(
                "Experiments/e.yaml",
                "status: draft\nvariants: [{ key: a }, { key: b, overrides: { A: { X: \"\(value)\" } } }]")
            let result = try Self.generate(in: workspace)
            #expect(result.status == 0)
            #expect(result.errors.contains("A.X has a pattern that the app's regular") == !isKept)
            #expect(result.text.contains("    @Setting(\"X\", matching: ") == isKept)
        }
    }

    @Test("Definitions with errors generate nothing")
    func faultyDefinitionsGenerateNothing() throws {
        let workspace = try Workspace(["Experiments/base.yaml": "config_sections: 1"])
        try Self.generate("--output", "Settings.swift", in: workspace).expectErrors("base.yaml")
        #expect(try workspace.files == [])
    }

    @Test("Labels, offered values, titles and controls are those of the definitions")
    func presentation() throws {
        let workspace = try Workspace.withButton()
        try workspace.write(
            "Experiments/base.json",
            #"""
            {"config_sections": {"Page": {"settings": {
              "Color": {"value": "blue", "title": "The colour", "choices": [{"value": "red", "label": "Warm"}]},
              "Rate": {"value": 1.5, "type": "number", "enum": [1.5, 2, 2.5], "control": "list",
                "choices": [{"value": 2, "label": "Double"}]},
              "Size": {"value": 1, "minimum": 1, "maximum": 3, "unit": "rooms", "control": "slider",
                "icons": "capacity"}
            }}}}
            """#)
        let text = try Self.generate(in: workspace).text
        for line in [
            #"@Setting("Color", suggestions: ["Warm": "red"], title: "The colour")"#,
            #"@Setting("Rate", choices: ["1.5": 1.5, "Double": 2.0, "2.5": 2.5], control: .list)"#,
            #"@Setting("Size", in: 1...3, unit: "rooms", control: .slider, icons: .capacity)"#,
        ] {
            #expect(text.contains("    \(line)\n"), "\(text)")
        }
    }
}
