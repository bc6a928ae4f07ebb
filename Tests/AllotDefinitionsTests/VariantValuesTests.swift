import AllotConfiguration
import AllotCore
import AllotDefinitions
import Testing

struct VariantValuesTests {
    private static let files: Files =
        Files.base + [
            "a.yaml": """
            status: running
            variants:
              - key: control
              - { key: red, overrides: { Shop: { Color: "#f00", Size: 20 } } }
              - { key: wide, overrides: { Shop: { Layout: { columns: 2, padding: { top: 9 } } } } }
              - { key: new, overrides: { Shop: { Layout: { grid: { rows: 3 }, padding: { left: 4 } } } } }
              - { key: plain, overrides: { Shop: { Layout: { padding: none } } } }
            """
        ]

    @Test("The values of a variant turn the configuration of any other one into its own")
    func valuesReplaceThoseOfOtherVariants() throws {
        let definitions = try DefinitionsLoader.fixed.load(Self.files.sources).definitions
        let experiment = try #require(definitions.experiments.first)
        let base = JSONValue.object(definitions.base)
        for served in experiment.variants {
            for chosen in experiment.variants {
                let merged = base.merging(.object(served.overrides))
                    .merging(.object(experiment.values(of: chosen, base: definitions.base)))
                #expect(merged.withoutNull == base.merging(.object(chosen.overrides)), "\(served.key), \(chosen.key)")
            }
        }
        let control = experiment.values(of: experiment.variants[0], base: definitions.base)
        #expect(
            control == [
                "Shop": [
                    "Color": "red", "Layout": ["columns": 1, "grid": .null, "padding": ["left": .null, "top": 8]],
                    "Size": 10,
                ]
            ])
    }

    @Test("A token has whole settings, without what only other variants have")
    func tokensHaveWholeSettings() throws {
        let definitions = try DefinitionsLoader.fixed.load(Self.files.sources).definitions
        #expect(
            VariantSettings(definitions, ["a": "wide"]).values == [
                "Shop": ["Color": "red", "Layout": ["columns": 2, "padding": ["top": 9]], "Size": 10]
            ])
    }
}

extension JSONValue {
    /// The value without the members of objects that are null.
    fileprivate var withoutNull: JSONValue {
        guard case .object(let object) = self else { return self }
        return .object(JSONObject(object.members.filter { $0.value != .null }.map { ($0.key, $0.value.withoutNull) }))
    }
}
