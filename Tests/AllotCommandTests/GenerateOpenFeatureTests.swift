import AllotConfiguration
import Foundation
import TestSupport
import Testing

/// Settings as OpenFeature's flag manifest.
@Suite(.blocks) struct GenerateOpenFeatureTests {
    static let schema = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/flag-manifest.schema.json")

    static func generate(_ arguments: String..., in workspace: Workspace? = nil) throws -> Outcome {
        try Program.run(["generate", "openfeature"] + arguments, in: workspace?.url)
    }

    /// A setting of each type, and of what flags cannot be.
    static func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write(
            "Experiments/base.json",
            #"""
            {"config_sections": {"All": {"settings": {
              "Flag": {"value": true, "description": "A \"switch\"\u202e"}, "Text": {"value": "a\nb"},
              "Whole": {"value": 1e3}, "Part": {"value": 8, "type": "number"},
              "Precise": {"value": 0.10000000000000000001}, "Endless": {"value": 1e999, "type": "number"},
              "Map": {"value": {"a": [1, null, 9007199254740993]}},
              "List": {"value": ["a"]}, "Nothing": {"value": null},
              "Huge": {"value": 9007199254740993}, "Wide": {"value": 3000000000},
              "max-items": {"value": 1}, "MaxItems": {"value": 2}
            }}}}
            """#)
        return workspace
    }

    @Test(
        "Manifests meet OpenFeature's schema, which refuses wrong ones",
        .enabled(if: SchemaValidator.isAvailable, "no python3 with the module jsonschema"))
    func schemaAccepts() throws {
        let all = try Self.generate(in: Self.workspace())
        let shop = try Self.generate("--definitions", GenerateTests.definitions)
        #expect([all.status, shop.status] == [0, 0])
        var instances: JSONObject = [
            "all": try JSONValue(parsing: Array(all.text.utf8)), "shop": try JSONValue(parsing: Array(shop.text.utf8)),
        ]
        for (name, flag) in [
            "type": #"{"flagType": "integer", "defaultValue": 1.5}"#,
            "list": #"{"flagType": "object", "defaultValue": []}"#,
            "null": #"{"flagType": "string", "defaultValue": null}"#,
            "name": #"{"flagType": "number", "defaultValue": 1}"#,
            "default": #"{"flagType": "boolean"}"#,
        ] {
            instances[name] = try JSONValue(parsing: Array(#"{"flags": {"A.B": \#(flag)}}"#.utf8))
        }
        #expect(try SchemaValidator.valid(instances, schemaFile: Self.schema) == ["all", "shop"])
    }

    @Test("A flag has the setting's type, base value and description; what cannot be a flag is left out with a note")
    func flags() throws {
        let result = try Self.generate(in: Self.workspace())
        let manifest = try JSONValue(parsing: Array(result.text.utf8))
        #expect(
            manifest == [
                "$schema":
                    "https://raw.githubusercontent.com/open-feature/cli/refs/heads/main/schema/v0/flag-manifest.json",
                "flags": [
                    "All.Flag": [
                        "flagType": "boolean", "defaultValue": true, "description": "A \"switch\"\u{202E}",
                    ],
                    "All.Text": ["flagType": "string", "defaultValue": "a\nb"],
                    "All.Whole": ["flagType": "integer", "defaultValue": 1000],
                    "All.Wide": ["flagType": "integer", "defaultValue": 3_000_000_000],
                    "All.Part": ["flagType": "float", "defaultValue": 8],
                    "All.Precise": [
                        "flagType": "float", "defaultValue": JSONValue(literal: "0.10000000000000000001"),
                    ],
                    "All.Map": ["flagType": "object", "defaultValue": ["a": [1, .null, 9_007_199_254_740_993]]],
                    "All.max-items": ["flagType": "integer", "defaultValue": 1],
                    "All.MaxItems": ["flagType": "integer", "defaultValue": 2],
                ],
            ])
        let note = "allot: note:"
        #expect(
            result.errors == """
                \(note) All.Endless is 1e999, which is out of range for a float; it is left out of the \
                manifest: make it a text
                \(note) All.Huge is 9007199254740993, which many readers of JSON round; it is left out of the \
                manifest: make it a text, or at most 9007199254740992
                \(note) All.List is a list, and a flag cannot be one; it is left out of the manifest: make it an \
                object with the list as a member
                \(note) All.Map has 9007199254740993, which many readers of JSON round; make it a text
                \(note) All.Nothing is null in the base, which has neither a type nor a default for a flag; it \
                is left out of the manifest: give it a base value of the type that its overrides have
                \(note) All.Precise is 0.10000000000000000001, which a float has only as 0.1
                \(note) All.Wide is 3000000000, which Java and C# cannot read as an integer; they need a number \
                of 32 bits
                \(note) All.MaxItems and All.max-items differ in case or punctuation only, and OpenFeature's \
                generators give them one name; rename one of them

                """)
    }

    @Test("A changed default makes --check fail, with the command that writes the file")
    func check() throws {
        let workspace = try Workspace.withButton()
        #expect(try Self.generate("-o", "flags.json", in: workspace).status == 0)
        #expect(try Self.generate("--check", "flags.json", in: workspace).status == 0)
        try workspace.write("Experiments/base.json", Workspace.base("red"))
        try Self.generate("--check", "flags.json", in: workspace).expectFailure(
            "flags.json does not match the definitions from line 4 on; generate it with: "
                + "allot generate openfeature --output flags.json", status: 2)
    }
}
