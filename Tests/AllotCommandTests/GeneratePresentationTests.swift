import TestSupport
import Testing

/// What menus in apps show of settings that were generated.
@Suite(.blocks) struct GeneratePresentationTests {
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
              "Size": {"value": 1, "minimum": 1, "maximum": 3, "control": "slider"}
            }}}}
            """#)
        let text = try GenerateTests.generate(in: workspace).text
        for line in [
            #"@Setting("Color", suggestions: ["Warm": "red"], title: "The colour")"#,
            #"@Setting("Rate", choices: ["1.5": 1.5, "Double": 2.0, "2.5": 2.5], control: .list)"#,
            #"@Setting("Size", in: 1...3, control: .slider)"#,
        ] {
            #expect(text.contains("    \(line)\n"), "\(text)")
        }
    }
}
