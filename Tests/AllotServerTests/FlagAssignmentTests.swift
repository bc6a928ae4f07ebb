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

    /// A unit, a setting and the answer.
    struct Row: Sendable, CustomTestStringConvertible {
        /// The decisions of the unit, which is the first that has them: by experiment the variant's key or the reason
        /// why not.
        let decisions: [String: String]
        /// The attributes of the unit; any "device" stands for an ID.
        let attributes: JSONObject
        let setting: String
        let value: JSONValue
        let variant: String
        let reason: String
        /// `EXPERIMENT VARIANT REASON`, in the order of the metadata.
        let exposures: [String]
        let testDescription: String

        /// Reads a line of the table.
        init(_ line: Substring) {
            testDescription = String(line)
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.split(separator: " ").joined(separator: " ") }
            func items(_ cell: String) -> [String] { cell.split(separator: ", ").map(String.init) }
            decisions = Dictionary(
                uniqueKeysWithValues: items(cells[0]).map { text in
                    let parts = text.split(separator: ": ").map(String.init)
                    return (parts[0], parts[1])
                })
            attributes = JSONObject(
                items(cells[1]).map { text -> (key: String, value: JSONValue) in
                    text == "device" ? (key: text, value: .boolean(true)) : (key: "country", value: .string(text))
                })
            setting = "Page." + cells[2]
            value = (try? JSONValue(parsing: Array(cells[3].utf8))) ?? .null
            variant = cells[4]
            reason = cells[5]
            exposures = items(cells[6])
        }
    }

    /// A setting that one experiment compares, by the place of the unit there; settings that the unit's experiments do
    /// not compare; two experiments, of which the one that changes the value comes first, then the order of keys;
    /// members of one value; and a split before a winner before a forced variant, although the split is a control.
    private static let table = """
        button: control | | Color | "blue" | control | SPLIT | button control split
        button: green | | Color | "green" | green | SPLIT | button green split
        button: forced green | | Color | "green" | green | TARGETING_MATCH | button green forced
        button: forced control | | Color | "blue" | control | TARGETING_MATCH | button control forced
        button: holdout | | Color | "blue" | base | DEFAULT |
        button: traffic | | Color | "blue" | base | DEFAULT |
        button: green | | Text | "text" | base | STATIC |
        wall: paused | | Wall | "white" | base | DEFAULT |
        note: everyone hej | SE | Note | "hej" | hej | TARGETING_MATCH | note hej everyone
        note: audience | | Note | "hi" | base | DEFAULT |
        button: control, shade: dark | FR | Color | "dark" | dark | SPLIT | shade dark split, button control split
        button: control, shade: none | FR | Color | "blue" | control | SPLIT | button control split, shade none split
        button: green, shade: requirement | FR | Color | "green" | green | SPLIT | button green split
        lid: open, floor: low | FR, device | Box | \(box(2, 2, 1)) | low | SPLIT | floor low split, lid open split
        lid: open, floor: high | FR, device | Box | \(box(2, 1, 1)) | open | SPLIT | lid open split, floor high split
        lid: no-unit, floor: audience | | Box | \(box(1, 1, 1)) | base | DEFAULT |
        lid: shut, sale: winner cheap, floor: forced low | DE, device | Box | \(box(1, 2, 2)) | shut | SPLIT | \
        lid shut split, sale cheap winner, floor low forced
        sale: winner cheap, floor: audience | DE | Box | \(box(1, 1, 2)) | cheap | TARGETING_MATCH | sale cheap winner
        title: winner plain | DE | Title | "Hello" | plain | TARGETING_MATCH | title plain winner
        """

    private static func box(_ lid: Int, _ floor: Int, _ price: Int) -> String {
        #"{"lid":\#(lid),"floor":\#(floor),"price":\#(price)}"#
    }

    static let rows = table.split(separator: "\n").map { Row($0) }

    @Test("An answer names each experiment that compares the setting and that the unit is in", arguments: rows)
    func answersNameExperiments(row: Row) async throws {
        let routes = try TestedRoutes(Self.plan())
        let (id, attributes) = try #require(unit(row, routes.plan))
        let assignments = routes.plan.assignments(
            for: Subject(id: id, attributes: attributes), at: Fixture.instant)
        var context = attributes
        context["targetingKey"] = .string(id)
        let body = JSONValue.object(["context": .object(context)]).canonicalText
        try await routes.test { client async throws in
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
        try await routes.test { client async throws in
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
