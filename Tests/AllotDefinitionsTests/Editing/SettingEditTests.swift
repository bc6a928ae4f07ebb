import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotDefinitions

struct SettingEditTests {
    private func edit(_ base: String, name: String = "base.yaml", _ change: BaseChange) throws -> ExaminedEdit {
        let folder = try TemporaryFolder([name: base, "e.yaml": experiment])
        return try withExtendedLifetime(folder) {
            try EditableDefinitions(folder: folder.path, loader: .fixed).editing("Shop", "A", change)
        }
    }

    private func text(_ base: String, name: String = "base.yaml", _ change: BaseChange) throws -> String {
        String(decoding: try edit(base, name: name, change).edit.newBytes, as: UTF8.self)
    }

    private func base(_ setting: String) -> String {
        "config_sections: # all\n  Shop:\n    settings:\n      A: \(setting)\n      B: { value: 1 }\n"
    }

    @Test(
        "A value is replaced in place, as it is written there",
        arguments: [
            ("{ value: red, enum: [red, blue] } # keep", "blue", "{ value: blue, enum: [red, blue] } # keep"),
            ("{ value: \"red\" }", "blue", "{ value: \"blue\" }"), ("{ value: red }", "no: 1", "{ value: \"no: 1\" }"),
            ("{ value: red }", "true", "{ value: \"true\" }"), ("{ value: red }", "no", "{ value: \"no\" }"),
            ("\n        value: red # c", "b c", "\n        value: b c # c"),
            (
                "\n        value: |\n          # a\n          b\n        type: string", "x",
                "\n        value: x\n        type: string"
            ),
            ("{ value: a }", "\u{202E}\u{2028}\n\u{7F}<", #"{ value: "\u202E\u2028\n\u007F<" }"#),
            ("{ value: a }", "\u{E0041}", #"{ value: "\U000E0041" }"#), ("{ value: }", "x", "{ value: x }"),
            ("\n        value: # c", "x", "\n        value: x # c"),
            ("{ value: [a, {b: 1}] }", "[\"a\"]", nil), ("\n        value:\n          - 1\n          - 2", "", nil),
        ] as [(String, String, String?)])
    func replaces(old: String, text: String, new: String?) throws {
        let value: JSONValue = new == nil ? ["x", ["k": 1.5]] : .string(text)
        let edit = try edit(base(old), .value(value))
        let written = String(decoding: edit.edit.newBytes, as: UTF8.self)
        let list = "[\"x\", { \"k\": 1.5 }]"
        let expected = base(new ?? (old.hasPrefix("{") ? "{ value: \(list) }" : "\n        value:\n          \(list)"))
        #expect(written == expected)
        #expect(edit.loaded?.definitions.settings.first?.value == value)
        #expect(edit.problems.isEmpty)
    }

    @Test("A value that the constraints refuse has its problem at its place")
    func refused() throws {
        let edit = try edit(base("{ value: 3, maximum: 5 }"), .value(9))
        #expect(edit.loaded == nil)
        #expect(
            edit.problems.map { "\($0.position?.description ?? "") \($0.message)" } == [
                "4:19 the base value of Shop.A is 9, above the maximum 5"
            ])
    }

    @Test("JSON is edited too; what has comments in it, and an unknown setting, are refused with what to do")
    func otherForms() throws {
        let json = #"{"config_sections":{"Shop":{"settings":{"B": {"value": "\ud83d\uDE00"}, "A": {"value": [1]}}}}}"#
        #expect(
            try text(json, name: "base.json", .value(["\u{E0041}"]))
                == json.replacing("[1]", with: #"["\uDB40\uDC41"]"#))
        let list = base("\n        value:\n        - 1\n        - 2")
        #expect(try text(list, .value([1])) == base("\n        value: [1]"))
        let error = #expect(throws: ExperimentEditError.self) {
            try edit(base("\n        value:\n          - 1 # one\n          - 2"), .value([2]))
        }
        #expect(error?.description.contains("base.yaml:5:9: Shop.A cannot be edited safely") == true)
        #expect(error?.description.contains("the comment \"# one\" could not stay") == true)
        for settings in [
            "A: { value: 1 }, # b\n B: { value: 2 }", "B: { value: 2 }, # b\n A: { value: 1 }",
            "B: { value: 2 },\n A: { value: 1 }, # a\n ",
        ] {
            #expect(throws: ExperimentEditError.self) {
                try edit("config_sections: { Shop: { settings: { \(settings) } } }", .removal)
            }
        }
        for (before, after) in [
            ("B: { value: 2 } # b\n ", "B: { value: 2 }, # b\n A: { value: 1 }\n "),
            ("B: { value: 2 }, # b\n ", "B: { value: 2 }, # b\n A: { value: 1 }\n "),
        ] {
            let added = try text("config_sections: { Shop: { settings: {\n \(before)} } }", .addition([("value", 1)]))
            #expect(added == "config_sections: { Shop: { settings: {\n \(after)} } }")
        }
        let other = "config_sections: { Shop: { settings: { B: { value: 1 } } } }"
        for change in [BaseChange.value(1), .removal] {
            #expect(throws: ExperimentEditError.self) { try edit(other, change) }
        }
        #expect(throws: ExperimentEditError.self) { try edit(base("{ value: 1 }"), .addition([("value", 2)])) }
    }

    @Test(
        "A setting is added after the last one of its section, or with the section, and removed again",
        arguments: sections)
    func addsAndRemoves(name: String, before: String, after: String) throws {
        let added = try edit(before, name: name, .addition([("value", 1), ("description", "a \"b\"\n\u{202E}")]))
        #expect(String(decoding: added.edit.newBytes, as: UTF8.self) == after)
        let setting = try #require(added.loaded?.definitions.setting("Shop.A"))
        #expect(setting.value == 1)
        #expect(setting.description == "a \"b\"\n\u{202E}")
        let removed = try text(after, name: name, .removal)
        #expect(!removed.contains("A"))
        if before.contains("B") { #expect(removed == before) }
    }

    @Test("What is removed takes its own lines and comma, and leaves the comments around it", arguments: removals)
    func removes(before: String, after: String) throws {
        #expect(
            try text("config_sections:\n  Shop:\n    settings:" + before, .removal)
                == "config_sections:\n  Shop:\n    settings:" + after)
    }

    @Test(
        "A setting with any name is added and found again",
        arguments: ["a'\"\\:{ }#", "\u{202E}\nx", "no", "- 1", "&a *b !c", "é"])
    func names(name: String) throws {
        for (file, base) in [
            ("base.yaml", "config_sections:\n  B:\n    settings:\n      A: { value: 1 } # c\n"),
            ("base.json", #"{"config_sections": {"B": {"settings": {"A": {"value": 1}}}}}"#),
        ] {
            let folder = try TemporaryFolder([file: base, "e.yaml": experiment])
            let editable = try EditableDefinitions(folder: folder.path, loader: .fixed)
            let edit = try editable.editing(name, name, .addition([("value", .string(name))]))
            try edit.edit.write()
            let again = try EditableDefinitions(folder: folder.path, loader: .fixed)
            #expect(again.loaded.definitions.settings.contains { $0.name == name && $0.value == .string(name) })
            #expect(!edit.edit.message.unicodeScalars.contains(where: PrintableText.isHidden))
            try again.editing(name, name, .removal).edit.write()
            #expect(try EditableDefinitions(folder: folder.path, loader: .fixed).loaded.definitions.settings.count == 1)
        }
    }
}

/// Without it a base that has no setting would define nothing.
private let experiment = "status: draft\nvariants: [{ key: a }]"

private let declaration = #"{ value: 1, description: "a \"b\"\n\u202E" }"#
private let jsonDeclaration = #"{ "value": 1, "description": "a \"b\"\n\u202E" }"#

/// The name of the file, the base without the setting, and with it.
private let sections: [(String, String, String)] = [
    (
        "base.yaml", "config_sections:\n  Shop:\n    settings:\n      B: { value: 1 } # b\n# end\n",
        "config_sections:\n  Shop:\n    settings:\n      B: { value: 1 } # b\n      A: \(declaration)\n# end\n"
    ),
    (
        "base.yaml", "config_sections:\r\n  Shop:\r\n    settings:\r\n      B:\r\n        value: 1",
        "config_sections:\r\n  Shop:\r\n    settings:\r\n      B:\r\n        value: 1\r\n      A: \(declaration)"
    ),
    (
        "base.yaml", "config_sections: { Shop: { settings: { B: { value: 1 } } } }",
        "config_sections: { Shop: { settings: { B: { value: 1 }, A: \(declaration) } } }"
    ),
    (
        "base.yaml", "config_sections:\n  Other:\n    settings: {}\nmeta: {}\n",
        "config_sections:\n  Other:\n    settings: {}\n  Shop:\n    settings:\n      A: \(declaration)\nmeta: {}\n"
    ),
    (
        "base.yaml", "config_sections: {} # none\n",
        "config_sections: { Shop: { settings: { A: \(declaration) } } } # none\n"
    ),
    (
        "base.yaml", "config_sections: { # none\n  }\n",
        "config_sections: { Shop: { settings: { A: \(declaration) } }  # none\n  }\n"
    ),
    (
        "base.json", #"{"config_sections": {"Shop": {"settings": {"B": {"value": 1}}}}}"#,
        #"{"config_sections": {"Shop": {"settings": {"B": {"value": 1}, "A": \#(jsonDeclaration)}}}}"#
    ),
    (
        "base.json", #"{"config_sections": {"Shop": {"settings": {}}}}"#,
        #"{"config_sections": {"Shop": {"settings": { "A": \#(jsonDeclaration) }}}}"#
    ),
]

private let removals: [(String, String)] = [
    ("\n      A: { value: 1 } # a\n      # b\n      B: { value: 2 }\n", "\n      # b\n      B: { value: 2 }\n"),
    (
        "\n      B: { value: 2 } # b\n      A:\n        # a\n        value: |\n          x\n\n# end\n",
        "\n      B: { value: 2 } # b\n\n# end\n"
    ),
    (" { A: { value: 1 }, B: { value: 2 } }\n", " { B: { value: 2 } }\n"),
    ("\n      A:\n        value: 1\n# end\n", "\n      {}\n# end\n"),
    (" { # a\n        A: { value: 1 }\n      }\n", " { # a\n        \n      }\n"),
]
