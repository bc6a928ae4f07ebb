import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotServer
import HummingbirdTesting
import Testing

/// Which experiments an OpenFeature answer names: those that compare the setting and that the unit is in, whatever its
/// variant does.
struct FlagAssignmentTests {
    /// "button" has a control that overrides nothing, and a holdout. "shade" runs among the units of that control and
    /// compares the same setting. "lid" and "floor" compare two members of one object, on different units; "sale" has a
    /// winner that changes a member of it, "title" one that leaves the setting alone. "wall" is paused, and "note"
    /// randomises nothing.
    private static let files = [
        "base.json": """
        {"config_sections": {"Page": {"settings": {"Color": {"value": "blue"}, "Title": {"value": "Hello"},
          "Text": {"value": "text"}, "Note": {"value": "hi"},
          "Wall": {"value": "white"}, "Box": {"value": {"lid": 1, "floor": 1, "price": 1}}}}}}
        """,
        "button.yaml": """
        status: running
        salt: button-2
        traffic: 50%
        forced: { tester: green, quiet: control }
        variants:
          - key: control
          - { key: green, overrides: { Page: { Color: green } } }
        """,
        "shade.yaml": """
        status: running
        requires: { button: [control] }
        audience: { country: FR }
        variants:
          - key: none
          - { key: dark, overrides: { Page: { Color: dark } } }
        """,
        "lid.yaml": """
        status: running
        unit: device
        variants:
          - key: shut
          - { key: open, overrides: { Page: { Box: { lid: 2 } } } }
        """,
        "floor.yaml": """
        status: running
        audience: { country: FR }
        forced: { tester: low }
        variants:
          - key: high
          - { key: low, overrides: { Page: { Box: { floor: 2 } } } }
        """,
        "sale.yaml": """
        status: concluded
        winner: cheap
        audience: { country: DE }
        variants:
          - { key: cheap, overrides: { Page: { Box: { price: 2 } } } }
          - key: dear
        """,
        "title.yaml": """
        status: concluded
        winner: plain
        audience: { country: DE }
        variants:
          - key: plain
          - { key: loud, overrides: { Page: { Title: HELLO } } }
        """,
        "wall.yaml": """
        status: paused
        variants: [{ key: red, overrides: { Page: { Wall: red } } }]
        """,
        "note.yaml": """
        status: running
        unit: none
        audience: { country: SE }
        variants: [{ key: hej, overrides: { Page: { Note: hej } } }]
        """,
        "holdouts.yaml": "quiet-share: { share: 20%, experiments: [button] }",
    ]

    private static func plan() throws -> Plan {
        let sources = files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) }
        return try DefinitionsLoader(now: Fixture.instant).load(sources).plan
    }

    /// A unit and a setting, and what the answer says.
    struct Row: Sendable, CustomTestStringConvertible {
        /// The unit is the first whose decisions are these: by experiment the variant's key or the reason why not.
        let decisions: [String: String]
        /// Those of its audiences; any "device" stands for an ID.
        var attributes: JSONObject = [:]
        let setting: String
        let value: JSONValue
        let variant: String
        let reason: String
        /// `EXPERIMENT VARIANT REASON`, in the order of the metadata.
        let exposures: [String]

        var testDescription: String { "\(setting) \(decisions.sorted { $0.key < $1.key })" }
    }

    private static func box(_ lid: Int, _ floor: Int, _ price: Int) -> JSONValue {
        [
            "lid": .number(JSONNumber(lid)), "floor": .number(JSONNumber(floor)), "price": .number(JSONNumber(price)),
        ]
    }

    static let rows = [
        // A setting that one experiment compares, by what a unit can be there.
        Row(
            decisions: ["button": "control"], setting: "Page.Color", value: "blue",
            variant: "control", reason: "SPLIT", exposures: ["button control split"]),
        Row(
            decisions: ["button": "green"], setting: "Page.Color", value: "green",
            variant: "green", reason: "SPLIT", exposures: ["button green split"]),
        Row(
            decisions: ["button": "forced green"], setting: "Page.Color", value: "green",
            variant: "green", reason: "TARGETING_MATCH", exposures: ["button green forced"]),
        Row(
            decisions: ["button": "forced control"], setting: "Page.Color", value: "blue",
            variant: "control", reason: "TARGETING_MATCH", exposures: ["button control forced"]),
        Row(
            decisions: ["button": "holdout"], setting: "Page.Color", value: "blue",
            variant: "base", reason: "DEFAULT", exposures: []),
        Row(
            decisions: ["button": "traffic"], setting: "Page.Color", value: "blue",
            variant: "base", reason: "DEFAULT", exposures: []),
        // A setting that the unit's experiments do not compare.
        Row(
            decisions: ["button": "green"], setting: "Page.Text", value: "text",
            variant: "base", reason: "STATIC", exposures: []),
        Row(
            decisions: ["wall": "paused"], setting: "Page.Wall", value: "white",
            variant: "base", reason: "DEFAULT", exposures: []),
        Row(
            decisions: ["note": "everyone hej"], attributes: ["country": "SE"], setting: "Page.Note", value: "hej",
            variant: "hej", reason: "TARGETING_MATCH", exposures: ["note hej everyone"]),
        Row(
            decisions: ["note": "audience"], setting: "Page.Note", value: "hi", variant: "base", reason: "DEFAULT",
            exposures: []),
        // Two experiments: the one that changes the value comes first, then the order of keys.
        Row(
            decisions: ["button": "control", "shade": "dark"], attributes: ["country": "FR"],
            setting: "Page.Color", value: "dark",
            variant: "dark", reason: "SPLIT", exposures: ["shade dark split", "button control split"]),
        Row(
            decisions: ["button": "control", "shade": "none"], attributes: ["country": "FR"],
            setting: "Page.Color", value: "blue",
            variant: "control", reason: "SPLIT", exposures: ["button control split", "shade none split"]),
        Row(
            decisions: ["button": "green", "shade": "requirement"], attributes: ["country": "FR"],
            setting: "Page.Color", value: "green",
            variant: "green", reason: "SPLIT", exposures: ["button green split"]),
        // Members of one value.
        Row(
            decisions: ["lid": "open", "floor": "low"], attributes: ["country": "FR", "device": true],
            setting: "Page.Box", value: box(2, 2, 1),
            variant: "low", reason: "SPLIT", exposures: ["floor low split", "lid open split"]),
        Row(
            decisions: ["lid": "open", "floor": "high"], attributes: ["country": "FR", "device": true],
            setting: "Page.Box", value: box(2, 1, 1),
            variant: "open", reason: "SPLIT", exposures: ["lid open split", "floor high split"]),
        Row(
            decisions: ["lid": "no-unit", "floor": "audience"], setting: "Page.Box", value: box(1, 1, 1),
            variant: "base", reason: "DEFAULT", exposures: []),
        // A split comes before a winner before a forced variant, although the split is a control.
        Row(
            decisions: ["lid": "shut", "sale": "winner cheap", "floor": "forced low"],
            attributes: ["country": "DE", "device": true], setting: "Page.Box", value: box(1, 2, 2),
            variant: "shut", reason: "SPLIT",
            exposures: ["lid shut split", "sale cheap winner", "floor low forced"]),
        Row(
            decisions: ["sale": "winner cheap", "floor": "audience"], attributes: ["country": "DE"],
            setting: "Page.Box", value: box(1, 1, 2),
            variant: "cheap", reason: "TARGETING_MATCH", exposures: ["sale cheap winner"]),
        Row(
            decisions: ["title": "winner plain"], attributes: ["country": "DE"],
            setting: "Page.Title", value: "Hello",
            variant: "plain", reason: "TARGETING_MATCH", exposures: ["title plain winner"]),
    ]

    @Test("An answer names each experiment that compares the setting and that the unit is in", arguments: rows)
    func answersNameExperiments(row: Row) async throws {
        let routes = try TestedRoutes(Self.plan())
        let (id, attributes) = try #require(unit(row, routes.plan))
        let assignments = routes.plan.assignments(
            for: Subject(id: id, attributes: attributes), at: Fixture.instant)
        var context = attributes
        context["targetingKey"] = .string(id)
        let body = JSONValue.object(["context": .object(context)]).canonicalText
        try await routes.test { client in
            let json = try await client.post("/ofrep/v1/evaluate/flags/\(row.setting)", body).json()
            #expect(json["value"] == row.value)
            #expect(json["variant"] == .string(row.variant))
            #expect(json["reason"] == .string(row.reason))
            var expected: JSONObject = ["configurationRevision": .string(routes.plan.revision)]
            for (position, text) in row.exposures.enumerated() {
                let assignment = try #require(assignments.first { text.hasPrefix($0.experiment + " ") })
                #expect(text == "\(assignment.experiment) \(assignment.variant ?? "") \(assignment.reason.text)")
                add(assignment, position, to: &expected)
            }
            #expect(json["metadata"] == .object(expected))
        }
    }

    @Test("A flag that does not depend on the user's ID needs no targetingKey")
    func withoutTargetingKey() async throws {
        let sources = Self.files.filter { ["base.json", "note.yaml", "lid.yaml", "shade.yaml"].contains($0.key) }
            .map { name, text in
                let text = text.replacing("requires: { button: [control] }\n", with: "")
                return DefinitionSource(name: name, bytes: Array(text.utf8))
            }
        let routes = try TestedRoutes(DefinitionsLoader(now: Fixture.instant).load(sources).plan)
        try await routes.test { client in
            let body = #"{"context": {"country": "SE"}}"#
            let note = try await client.post("/ofrep/v1/evaluate/flags/Page.Note", body).json()
            #expect(note["value"] == "hej")
            let color = try await client.post("/ofrep/v1/evaluate/flags/Page.Color", body).json()
            #expect(color["errorCode"] == "TARGETING_KEY_MISSING")
            #expect(
                try await client.post("/ofrep/v1/evaluate/flags", body).json()["errorCode"] == "TARGETING_KEY_MISSING")
        }
    }

    /// The first unit with a row's decisions.
    private func unit(_ row: Row, _ plan: Plan) -> (id: String, attributes: JSONObject)? {
        for number in 0..<1000 {
            var attributes = row.attributes
            if attributes["device"] != nil { attributes["device"] = .string("device-\(number)") }
            for id in ["user-\(number)", "tester", "quiet"] {
                let assignments = plan.assignments(for: Subject(id: id, attributes: attributes), at: Fixture.instant)
                let isMatch = row.decisions.allSatisfy { experiment, decision in
                    assignments.contains { $0.experiment == experiment && text($0) == decision }
                }
                if isMatch { return (id, attributes) }
            }
        }
        return nil
    }

    /// A decision as rows write it: a split by its variant alone.
    private func text(_ assignment: Assignment) -> String {
        guard let variant = assignment.variant else { return assignment.reason.text }
        return assignment.reason == .split ? variant : "\(assignment.reason.text) \(variant)"
    }

    /// Adds the members of the metadata that describe an assignment.
    private func add(_ assignment: Assignment, _ position: Int, to metadata: inout JSONObject) {
        let ending = ["", ".2", ".3"][position]
        metadata["experiment" + ending] = .string(assignment.experiment)
        metadata["salt" + ending] =
            switch assignment.experiment {
            case "button": "button-2"
            case "note": nil
            case let key: .string(key)
            }
        metadata["revision" + ending] = .string(assignment.revision)
        metadata["allotReason" + ending] = .string(assignment.reason.text)
        metadata["bucket" + ending] = assignment.bucket.map { .number(JSONNumber($0)) }
        if assignment.experiment == "lid" { metadata["unit" + ending] = "device" }
        if assignment.experiment == "note" { metadata["unit" + ending] = "none" }
        if position > 0 { metadata["variant" + ending] = assignment.variant.map(JSONValue.string) }
    }
}
