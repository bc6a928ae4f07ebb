import AllotDefinitions
import TestSupport
import Testing

/// Many experiments that override the same setting, and long lists. The sizes are such that a comparison of each with
/// each takes longer than the time limit.
@Suite(.mayHang)
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

    @Test("Large groups and lists are compared without comparing each member with each", arguments: ["user-", ""])
    func largeGroups(prefix: String) throws {
        let members = (0..<50_000).map { "\(prefix)\($0)" }.joined(separator: ", ")
        let segments = "staff: [\(members)]\nall: [\(prefix)-1, \(members)]\nothers: [\(prefix)-1, \(prefix)-2]"
        func setting(_ test: String, _ overrides: String) -> String {
            "status: running\naudience: { code: { \(test) } }\nvariants: [{ key: a, overrides: { \(overrides) } }]"
        }
        let files =
            Files.base + [
                "segments.yaml": segments,
                "a.yaml": setting("$inGroup: staff", "Shop: { Color: blue, Size: 12 }, Home: { Color: blue }"),
                "b.yaml": setting("$notInGroup: all", "Shop: { Color: pink }"),
                "c.yaml": setting("$notInGroup: staff", "Shop: { Size: 13 }"),
                "d.yaml": setting("$inGroup: others", "Home: { Color: pink }"),
            ]
        #expect(try DefinitionsLoader.fixed.load(files.sources).warnings.isEmpty)
    }

    @Test("Long lists of beginnings and networks are compared without comparing each item with each")
    func longLists() throws {
        func list(_ item: (Int) -> String) -> String { (0..<9_000).map(item).joined(separator: ", ") }
        func network(_ first: Int) -> (Int) -> String { { "\(first).\($0 / 250).\($0 % 250).0/24" } }
        for (one, other) in [
            ("$startsWith: [\(list { "a\($0)-" })]", "$startsWith: [\(list { "b\($0)-" })]"),
            ("$inNetwork: [\(list(network(10)))]", "$inNetwork: [\(list(network(11)))]"),
        ] {
            let files =
                Files.base + [
                    "a.yaml": experiment("audience: { x: { \(one) } }"),
                    "b.yaml": experiment("audience: { x: { \(other) } }"),
                ]
            #expect(try DefinitionsLoader.fixed.load(files.sources).warnings.isEmpty)
        }
    }

    @Test("Many tests, shared by many alternatives, are compared without comparing each with each")
    func manyTestsInAlternatives() throws {
        let choices = (0..<6).map { "{ $or: [{ o\($0): { $gt: 1 } }, { p\($0): { $gt: 2 } }] }" }
        func audience(_ country: String) -> String {
            let tests = (0..<1000).map { "{ x: { $ne: \(country)\($0) } }" }
            return "audience: { country: \(country), $and: [\((choices + tests).joined(separator: ", "))] }"
        }
        let files = Files.base + ["a.yaml": experiment(audience("DE")), "b.yaml": experiment(audience("FR"))]
        #expect(try DefinitionsLoader.fixed.load(files.sources).warnings.isEmpty)
    }

    @Test("A missing name that a thousand experiments and tests use is compared with the known names once")
    func oneMissingName() {
        // Two long names take long to compare.
        let name = String(repeating: "long-", count: 11)
        var files = Files.base + ["segments.yaml": (0..<1000).map { "\(name)\($0): { a: 1 }\n" }.joined()]
        for index in 0..<1000 {
            files["\(name)\(index).yaml"] =
                "status: draft\nsalt: s\(index)\nrequires: { \(name)none: [a] }\nvariants: [{ key: a }]"
        }
        let unknown = Array(repeating: "{ $segment: \(name)none }", count: 1000).joined(separator: ", ")
        files["\(name)0.yaml"] = experiment("salt: s0\naudience: { $or: [\(unknown)] }")
        let problems = DefinitionsLoader.fixed.problems(in: files)
        #expect(problems.count == 1999)
        #expect(problems.allSatisfy { $0.message.hasPrefix("unknown ") })
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
