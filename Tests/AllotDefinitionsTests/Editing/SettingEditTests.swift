import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotDefinitions

struct SettingEditTests {
    private func edit(_ base: String, name: String = "base.yaml", to value: JSONValue) throws -> SettingEdit {
        let folder = try TemporaryFolder()
        try folder.write(base, to: name)
        return try withExtendedLifetime(folder) {
            try EditableDefinitions(folder: folder.path, loader: .fixed).editing("Shop", "A", to: value)
        }
    }

    private func base(_ setting: String) -> String {
        "config_sections: # all\n  Shop:\n    settings:\n      A: \(setting)\n      B: { value: 1 }\n"
    }

    @Test(
        "A value is replaced in place, as it is written there",
        arguments: [
            ("{ value: red, enum: [red, blue] } # keep", "blue", "{ value: blue, enum: [red, blue] } # keep"),
            ("{ value: \"red\" }", "blue", "{ value: \"blue\" }"), ("{ value: red }", "no: 1", "{ value: \"no: 1\" }"),
            ("{ value: red }", "true", "{ value: \"true\" }"),
            ("\n        value: red # c", "b c", "\n        value: b c # c"),
            ("{ value: [a, {b: 1}] }", "[\"a\"]", nil),
        ] as [(String, String, String?)])
    func replaces(old: String, text: String, new: String?) throws {
        let value: JSONValue = new == nil ? ["x", ["k": 1.5]] : .string(text)
        let edit = try edit(base(old), to: value)
        #expect(edit.newText == base(new ?? "{ value: [\"x\", { \"k\": 1.5 }] }"))
        #expect(edit.loaded?.definitions.settings.first?.value == value)
        #expect(edit.problems.isEmpty)
        #expect([edit.changedLines.new.count, edit.changedLines.old.count] == [1, 1])
    }

    @Test("A value that the constraints refuse has its problem at its place")
    func refused() throws {
        let edit = try edit(base("{ value: 3, maximum: 5 }"), to: 9)
        #expect(edit.loaded == nil)
        #expect(
            edit.problems.map { "\($0.position?.description ?? "") \($0.message)" } == [
                "4:19 the base value of Shop.A is 9, above the maximum 5"
            ])
    }

    @Test("JSON is edited too; what has no known end, and an unknown setting, are refused with what to do")
    func otherForms() throws {
        let json = #"{"config_sections": {"Shop": {"settings": {"A": {"value": [1, 2]}}}}}"#
        #expect(
            try edit(json, name: "base.json", to: ["b"]).newText == json.replacing("[1, 2]", with: #"["b"]"#))
        #expect(throws: ExperimentEditError.self) { try edit(base("\n        value:\n          - 1"), to: [2]) }
        #expect(throws: ExperimentEditError.self) {
            try edit("config_sections: { Shop: { settings: { B: { value: 1 } } } }", to: 1)
        }
    }
}
