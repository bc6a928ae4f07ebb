import Testing

@testable import AllotProofs

/// Tests of definitions whose experiments have the hashes of other systems.
struct ForeignHashTests {
    private static let files = [
        "base.yaml": Shop.files["base.yaml"] ?? "",
        "holdouts.yaml": "held: { share: 2%, hash: firebase/1, salt: seed }",
        "moved.yaml": """
        status: running
        hash: eppo/1
        salt: checkout-allocation
        variants: [{ key: control, buckets: [0..<5000] }, { key: green, buckets: [5000..<7500, 9000..<10000] }]
        """,
        "wide.yaml": """
        status: running
        hash: launchdarkly/1
        salt: flag.salt
        variants:
          - { key: a, buckets: [0..<576460752303423488] }
          - { key: b, buckets: [576460752303423488..<1152921504606846976] }
        """,
    ]

    @Test(
        "A statement that holds for every unit is proved in the buckets of the hash",
        arguments: [
            "bucket: { moved: 7499 }\nholdout: { held: false }\nexpect: { moved: green }",
            "bucket: { moved: 7500..<9000 }\nexpect: { moved: { reason: [unallocated, holdout] } }",
            "bucket: { moved: 50%..<75% }\nholdout: { held: 2000000 }\nexpect: { moved: green }",
            "holdout: { held: true }\nexpect: { moved: none, wide: none }",
            "shares: { moved: { control: 49%, green: 34.3%, none: 16.7% } }", "shares: { wide: { a: 49%, b: 49% } }",
            "holdout: { held: false }\nexpect: { wide: [a, b] }",
            "bucket: { moved: 0..<2500 }\nholdout: { held: false }\nshares: { moved: { control: 100% } }",
            "bucket: { moved: 4000..<6000 }\nshares: { moved: { control: 49%, green: 49% } }",
        ])
    func proved(_ body: String) throws {
        #expect(try Shop.lines(body, in: Self.files) == [])
    }

    @Test("A counterexample has the number that its hash gives it")
    func refuted() throws {
        let lines = try Shop.lines("expect: { moved: [control, none] }", in: Self.files)
        #expect(lines.first?.contains("moved is green (split), expected control or none") == true, "\(lines)")
        #expect(lines.last?.contains("for example: allot explain unit-") == true, "\(lines)")
    }

    private static let parity = [
        "base.yaml": Shop.files["base.yaml"] ?? "",
        "even.yaml": ofEppo(2, "[{ key: a, buckets: [0..<1] }, { key: b, buckets: [1..<2] }]"),
        "odd.yaml": ofEppo(1_000_000, "[{ key: q, buckets: [1..<2] }]\nrequires: { even: [a] }"),
    ]

    private static func ofEppo(_ resolution: Int, _ variants: String) -> String {
        "status: running\nhash: eppo/1\nresolution: \(resolution)\nsalt: s\nvariants: \(variants)"
    }

    @Test(
        "Resolutions of one hash without a common one refute nothing and have no share",
        arguments: ["expect: { odd: none }", "shares: { odd: { q: 1% } }"])
    func unproved(_ body: String) throws {
        let lines = try Shop.lines(body, in: Self.parity)
        #expect(lines.contains { $0.contains("unproved") }, "\(lines)")
        #expect(!lines.contains { $0.contains("0.00005%") }, "\(lines)")
    }

    @Test("Buckets outside of the hash, and two where it gives one, are errors")
    func faults() throws {
        let text = """
            at: 2026-11-21T12:00:00Z
            cases:
              - { name: one, bucket: { moved: 10000 }, expect: { moved: none } }
              - { name: two, bucket: { moved: { first: 1 } }, expect: { moved: none } }
            """
        let problems = try Shop.problems(text, in: Self.files)
        #expect(problems.count == 2)
        #expect(problems.first?.contains("a bucket of eppo/1 is a whole number from 0 to 9999") == true, "\(problems)")
        #expect(problems.last?.contains("eppo/1 gives one number; write { moved: NUMBER }") == true, "\(problems)")
    }

    @Test("Mutants of a moved experiment shift its own buckets")
    func mutants() throws {
        let definitions = try Shop.load(Self.files).plan.definitions
        let words = MutantFactory(definitions).mutants.filter { $0.name == "moved" }.map(\.words)
        #expect(words.contains("buckets of control: the end 5000 a bucket higher"))
        #expect(!words.contains { $0.contains("end 10000 a bucket higher") || $0.contains("traffic") })
    }
}
