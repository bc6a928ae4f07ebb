import AllotDefinitions
import Testing

/// A thousand experiments that override the same setting, and never overlap.
struct ScalingTests {
    private func check(_ files: Files, _ experiment: (Int) -> String) throws {
        var files = Files.base + files
        for index in 0..<1000 { files["e\(index).yaml"] = experiment(index) }
        let loaded = try DefinitionsLoader.fixed.load(files.sources)
        #expect(loaded.plan.experiments.count == 1000)
        #expect(loaded.warnings.isEmpty)
    }

    @Test("A thousand experiments with disjoint slots of one layer load without conflict")
    func inOneLayer() throws {
        try check(["layers.yaml": "main:"]) { index in
            experiment("layer: main\nslots: [\(index * 1000)..<\((index + 1) * 1000)]")
        }
    }

    @Test("A thousand experiments with disjoint audiences load without conflict")
    func inDisjointAudiences() throws {
        try check([:]) { index in
            let countries = (0..<5).map { "C\(index / 10 * 5 + $0)" }.joined(separator: ", ")
            let version = index % 10
            return experiment(
                """
                audience:
                  country: { $in: [\(countries)] }
                  app_version: { $vgte: \(version).0.0, $vlt: \(version + 1).0.0 }
                """)
        }
    }
}
