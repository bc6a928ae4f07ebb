import AllotCore
import TestSupport
import Testing

@testable import AllotDefinitions

/// What is accepted as free of conflicts is free of them: no unit meets two overrides of one setting, however it gets
/// its variants.
struct RequirementSoundnessTests {
    @Test("Requirements on variants and on none never let one unit into two experiments that share a setting")
    func noUnitIsInBoth() throws {
        var (accepted, met) = (0, 0)
        for seed in 0..<400 {
            var random = SeededGenerator(seed: UInt64(seed))
            let files = Self.files(&random)
            let loader = DefinitionsLoader(now: Instant(seconds: 0))
            let sources = files.map { DefinitionSource(name: $0.key + ".yaml", bytes: Array($0.value.utf8)) }
            guard let plan = try? loader.load(sources.sorted { $0.name < $1.name }).plan else { continue }
            accepted += 1
            for unit in 0..<20 {
                let assignments = plan.assignments(for: Subject(id: "u\(unit)"), at: Instant(seconds: 0))
                let coloured = zip(plan.experiments, assignments).filter { experiment, assignment in
                    experiment.variants.contains { $0.key == assignment.variant && !$0.settings.isEmpty }
                }
                met += coloured.count
                #expect(coloured.count <= 1, "\(files)")
            }
        }
        // Not all are refused, and units do get variants.
        #expect(accepted > 60)
        #expect(met > 500)
    }

    /// Two gates, and three experiments that set one colour and differ in what they require.
    private static func files(_ random: inout SeededGenerator) -> [String: String] {
        var files = ["base": "config_sections: { Page: { settings: { Color: { value: white } } } }"]
        for gate in ["gate", "door"] {
            files[gate] = """
                status: \(["running", "running", "draft", "paused"].randomElement(using: &random) ?? "running")
                traffic: \(["40%", "100%"].randomElement(using: &random) ?? "40%")
                \(forced(["open", "shut"], &random))
                variants: [{ key: open }, { key: shut }]
                """
        }
        for (index, key) in ["one", "three", "two"].enumerated() {
            var required: [String] = []
            for other in ["gate", "door"] + (index > 0 ? ["one"] : []) {
                let variants = other == "one" ? ["[a]", "[b]", "none", "none"] : ["[open]", "[shut]", "none", "none"]
                guard Int.random(in: 0..<10, using: &random) < 6, let admitted = variants.randomElement(using: &random)
                else { continue }
                required.append("\(other): \(admitted)")
            }
            files[key] = """
                status: running
                requires: { \(required.joined(separator: ", ")) }
                \(forced(["a", "b"], &random))
                variants: [{ key: a }, { key: b, overrides: { Page: { Color: \(key) } } }]
                """
        }
        return files
    }

    private static func forced(_ variants: [String], _ random: inout SeededGenerator) -> String {
        guard Bool.random(using: &random) else { return "forced: {}" }
        let unit = Int.random(in: 0..<20, using: &random)
        return "forced: { u\(unit): \(variants.randomElement(using: &random) ?? "") }"
    }
}
