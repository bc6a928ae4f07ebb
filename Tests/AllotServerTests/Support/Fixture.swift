import AllotCore
import AllotDefinitions

/// The definitions that the tests serve.
enum Fixture {
    /// The instant of all tests in memory.
    static let instant = Instant(seconds: 1_795_262_400)

    /// A text that makes configurations long enough to be compressed.
    static let longText = String(repeating: "long ", count: 400)

    static let base = """
        {"meta": {"creation_time": "2026-11-21T01:08Z"}, "config_sections": {
          "Page": {"settings": {"Color": {"value": "blue"}, "Title": {"value": "Hello"},
            "Text": {"value": "\(longText)"}}},
          "Limits": {"settings": {"Count": {"value": 3}, "Ratio": {"value": 0.5}, "Beta": {"value": false},
            "Nothing": {"value": null}, "List": {"value": [1, "two"]}, "Box": {"value": {"a": 1, "b": {"c": 2}}}}}}}
        """

    /// By the name of the file. "button" splits, "beta" has a winner in Germany, "seats" looks at typed attributes,
    /// "box" merges into an object.
    static let files = [
        "base.json": base,
        "button.yaml": """
        status: running
        forced: { tester: green }
        variants:
          - key: control
          - { key: green, overrides: { Page: { Color: green } } }
        """,
        "beta.yaml": """
        status: concluded
        winner: enabled
        audience: { country: DE }
        variants:
          - { key: enabled, overrides: { Limits: { Beta: true } } }
          - key: disabled
        """,
        "seats.yaml": """
        status: running
        audience: { seats: { $type: number } }
        variants:
          - { key: more, overrides: { Limits: { Count: 9 } } }
        """,
        "box.yaml": """
        status: running
        audience: { country: FR }
        variants:
          - { key: wide, overrides: { Limits: { Box: { b: { d: 3 } } } } }
        """,
    ]

    /// A change of "button" that is valid.
    static let changedButton = """
        status: running
        forced: { tester: green }
        variants:
          - key: control
          - { key: green, overrides: { Page: { Color: "dark green" } } }
        """

    /// A file of "button" with two errors.
    static let brokenButton = """
        status: runing
        variants:
          - key: control
          - { key: green, overrides: { Page: { Colour: green } } }
        """

    /// The plan of the files.
    static func plan(_ changes: [String: String] = [:], loadedAt: Instant = instant) throws -> Plan {
        try plan(of: files.merging(changes) { $1 }, loadedAt: loadedAt)
    }

    /// The plan of other files.
    static func plan(of files: [String: String], loadedAt: Instant = instant) throws -> Plan {
        let sources = files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) }
        return try DefinitionsLoader(now: loadedAt).load(sources).plan
    }
}
