import AllotConfiguration
import AllotCore
import AllotDefinitions
import Testing

/// What people see of settings when they edit them.
struct SettingPresentationTests {
    private static func base(_ settings: String) -> Files {
        ["base.yaml": "config_sections:\n  Shop:\n    settings:\n" + settings]
    }

    @Test("A setting has the control that it names, or the one that fits")
    func controls() throws {
        let plan = try DefinitionsLoader.fixed.plan(
            of: Self.base(
                """
                      A: { value: true }
                      B: { value: red, enum: [red, blue, green], choices: [{ value: blue, label: The sky }] }
                      C: { value: 1.0, choices: [{ value: 1, label: One }] }
                      D: { value: 5, minimum: 1, maximum: 9 }
                      E: { value: 5, minimum: 1, maximum: 9, control: slider }
                      F: { value: red, enum: [red, blue], control: field }
                      G: { value: null }

                """))
        let settings = plan.definitions.settings
        #expect(settings.map(\.control) == [.switch, .list, .list, .field, .slider, .field, .field])
        #expect(settings.map { $0.offers.map(\.label) } == [[], ["The sky", "red", "green"], ["One"], [], [], [], []])
        #expect(settings[2].label(of: settings[2].value) == "One")
    }
}
