import AllotConfiguration
import AllotCore
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

    /// In the order of the cells: the decisions of the unit, which is the first that has them, by experiment the
    /// variant's key or the reason why not; its attributes, of which any "device" stands for an ID; the setting; the
    /// answer's value, variant and reason; and `EXPERIMENT VARIANT REASON` in the order of the metadata.
    ///
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

    static let rows = table.split(separator: "\n").map(String.init)

    @Test("An answer names each experiment that compares the setting and that the unit is in", arguments: rows)
    func answersNameExperiments(row: String) async throws {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").joined(separator: " ") }
        func items(_ cell: Int) -> [String] { cells[cell].split(separator: ", ").map(String.init) }
        let routes = try TestedRoutes(Fixture.plan(of: Self.files))
        let (id, attributes) = try #require(unit(items(0), items(1), routes.plan))
        let assignments = routes.plan.assignments(
            for: Subject(id: id, attributes: attributes), at: Fixture.instant)
        var expected: JSONObject = ["configurationRevision": .string(routes.plan.revision)]
        for (position, text) in items(6).enumerated() {
            let assignment = try #require(assignments.first { text.hasPrefix($0.experiment + " ") })
            #expect(text == "\(assignment.experiment) \(assignment.variant ?? "") \(assignment.reason.text)")
            add(assignment, position, to: &expected)
        }
        let (value, metadata) = (try JSONValue(parsing: Array(cells[3].utf8)), expected)
        var context = attributes
        context["targetingKey"] = .string(id)
        let body = JSONValue.object(["context": .object(context)]).canonicalText
        try await routes.test { client async throws in
            let json = try await client.post("/ofrep/v1/evaluate/flags/Page.\(cells[2])", body).json()
            #expect(json["value"] == value)
            #expect(json["variant"] == .string(cells[4]))
            #expect(json["reason"] == .string(cells[5]))
            #expect(json["metadata"] == .object(metadata))
        }
    }

    @Test("A flag that does not depend on the user's ID needs no targetingKey")
    func withoutTargetingKey() async throws {
        var files = Self.files.filter { ["base.json", "note.yaml", "lid.yaml", "shade.yaml"].contains($0.key) }
        files["shade.yaml"]?.replace("requires: { button: [control] }\n", with: "")
        let routes = try TestedRoutes(Fixture.plan(of: files))
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

    /// The first unit with decisions.
    private func unit(
        _ decisions: [String], _ items: [String], _ plan: Plan
    ) -> (id: String, attributes: JSONObject)? {
        for number in 0..<1000 {
            var attributes: JSONObject = [:]
            for item in items {
                let isDevice = item == "device"
                attributes[isDevice ? item : "country"] = .string(isDevice ? "device-\(number)" : item)
            }
            for id in ["user-\(number)", "tester", "quiet"] {
                let found = plan.assignments(for: Subject(id: id, attributes: attributes), at: Fixture.instant)
                    .map { "\($0.experiment): \(text($0))" }
                if decisions.allSatisfy({ found.contains($0) }) { return (id, attributes) }
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
