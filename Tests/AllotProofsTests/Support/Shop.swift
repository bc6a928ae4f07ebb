import AllotCore
import AllotDefinitions
import Foundation
import TestSupport

@testable import AllotProofs

/// A small shop, and what becomes of test files in it.
enum Shop {
    /// The sample folder of the repository.
    static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Experiments").standardizedFileURL.path

    static let files = [
        "base.yaml": """
        config_sections:
          Page:
            settings:
              Color: { value: blue }
              Layout: { value: { columns: 1, wide: false } }
        """, "layers.yaml": "checkout:", "holdouts.yaml": "all: { share: 10% }",
        "button.yaml": """
        status: running
        layer: checkout
        slots: [0%..<50%]
        audience: { country: { $in: [DE, FR] } }
        variants:
          - key: control
          - { key: green, overrides: { Page: { Color: green } } }
        forced: { tester: green }
        """,
        "steps.yaml": """
        status: running
        layer: checkout
        slots: [50%..<100%]
        traffic: [{ from: 2026-12-01T00:00:00Z, share: 10% }, { from: 2026-12-05T00:00:00Z, share: 100% }]
        variants: [{ key: control }, { key: "two", weight: 3 }]
        """,
        "inner.yaml": """
        status: running
        requires: { button: [green] }
        variants: [{ key: a }, { key: b, overrides: { Page: { Layout: { columns: 2 } } } }]
        """,
        "outer.yaml": """
        status: running
        requires: { button: none }
        variants: [{ key: a }, { key: b, overrides: { Page: { Layout: { wide: true } } } }]
        """,
        "over.yaml": """
        status: concluded
        winner: b
        audience:
          $or:
            - { city: { $startsWith: San } }
            - { city: { $regex: "^Los [AEIOU]" } }
        variants: [{ key: a }, { key: b }]
        """,
    ]

    static func load(_ files: [String: String] = files) throws -> LoadedDefinitions {
        try DefinitionsLoader(now: Instant(seconds: 1_795_262_400)).load(
            files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) })
    }

    static func tests(_ text: String, in files: [String: String] = files) throws -> DefinitionTests {
        try DefinitionTests(load(files), sources: [DefinitionSource(name: "t.yaml", bytes: Array(text.utf8))])
    }

    /// What the report says of the body of a case.
    static func lines(_ body: String, in files: [String: String] = files) throws -> [String] {
        try tests("at: 2026-11-21T12:00:00Z\n" + file(body), in: files).run().lines.dropLast().map(\.self)
    }

    /// A test file of one case, without an instant.
    static func file(_ body: String) -> String {
        "cases:\n  - name: n\n" + body.split(separator: "\n").map { "    \($0)\n" }.joined()
    }

    /// The problems of a test file.
    static func problems(_ text: String, in files: [String: String] = files) throws -> [String] {
        let loaded = try load(files)
        let source = DefinitionSource(name: "t.yaml", bytes: Array(text.utf8))
        do {
            _ = try DefinitionTests(loaded, sources: [source])
            return []
        } catch {
            guard case .tests(let problems) = error else { throw error }
            return problems.map(\.description)
        }
    }
}
