import AllotConfiguration
import TestSupport
import Testing

/// Units that have met other settings under the same salt, and periods of different shares: `allot diff`.
@Suite(.blocks) struct DiffCarryOverTests {
    /// A change of an experiment, and what the comparison says about it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var old = "status: running"
        var new = "status: running"
        /// Colours of `green` before and after.
        var colors = ("green", "lime")
        /// Weights of `green` before and after; that of `control` is 1.
        var weights = (1, 1)
        /// Colours of the base before and after.
        var bases = ("blue", "blue")
        var carriers: [String] = []
        var mixes = false
    }

    static let cases = [
        Case(testDescription: "other overrides", carriers: ["green"]),
        Case(
            testDescription: "another base", colors: ("green", "green"), bases: ("blue", "red"), carriers: ["control"]),
        Case(testDescription: "both", bases: ("blue", "red"), carriers: ["control", "green"]),
        Case(testDescription: "more traffic too", old: "status: running\ntraffic: 10%", carriers: ["green"]),
        Case(testDescription: "a pause between", old: "status: paused", carriers: ["green"]),
        Case(testDescription: "edited in a pause", new: "status: paused", carriers: ["green"]),
        Case(
            testDescription: "an end that is put off", old: "status: running\nends: 2026-11-01T00:00:00Z",
            carriers: ["green"]),
        Case(testDescription: "a winner taken back", old: "status: concluded\nwinner: green", carriers: ["green"]),
        Case(testDescription: "other shares", colors: ("green", "green"), weights: (1, 4), mixes: true),
        Case(testDescription: "overrides and shares", weights: (1, 4), carriers: ["green"], mixes: true),
        Case(
            testDescription: "shares after a pause", old: "status: paused", colors: ("green", "green"), weights: (1, 4),
            mixes: true),
        Case(testDescription: "a variant that had no unit", weights: (0, 1), mixes: true),
        Case(testDescription: "a variant that gets no unit", weights: (1, 0), mixes: true),
        Case(testDescription: "nothing", colors: ("green", "green")),
        Case(testDescription: "only traffic", new: "status: running\ntraffic: 10%", colors: ("green", "green")),
        Case(testDescription: "a new salt", new: "status: running\nsalt: button.2", weights: (1, 4)),
        Case(testDescription: "another unit", new: "status: running\nunit: device", weights: (1, 4)),
        Case(testDescription: "a draft", old: "status: draft", weights: (1, 4)),
        Case(testDescription: "a start to come", old: "status: running\nstarts: 2026-12-01T00:00:00Z", weights: (1, 4)),
        Case(testDescription: "no traffic before", old: "status: running\ntraffic: 0%", weights: (1, 4)),
        Case(testDescription: "the end", new: "status: concluded\nwinner: green"),
    ]

    @Test("Carry-over and mixed periods are named", arguments: cases)
    func namesCarryOver(row: Case) throws {
        let workspace = try Workspace([
            "old/base.json": Workspace.base(row.bases.0), "new/base.json": Workspace.base(row.bases.1),
            "old/button.yaml": Self.definition(row.old, row.colors.0, row.weights.0),
            "new/button.yaml": Self.definition(row.new, row.colors.1, row.weights.1),
        ])
        let json = try workspace.json("diff", "old", "new")["experiments"]?[0]
        #expect((json?["carry_over"] ?? []) == .strings(row.carriers))
        let advice = "do not pool data from before and after: analyse by revision, or restart with a new salt"
        for arguments in [["diff", "old", "new"], ["diff", "old", "new", "--format", "markdown"]] {
            let text = try workspace.run(arguments).text
            #expect(text.contains(advice) == row.mixes, "\(text)")
            #expect(text.contains("analyse only the new units of each revision") == !row.carriers.isEmpty, "\(text)")
            #expect(text.contains("CARRY-OVER in button.") == !row.carriers.isEmpty, "\(text)")
        }
    }

    private static func definition(_ head: String, _ color: String, _ weight: Int = 1) -> String {
        "\(head)\nvariants: [{ key: control }, { key: green, weight: \(weight), "
            + "overrides: { Page: { Color: \(color) } } }]"
    }

    @Test("A slot that other units hold carries nothing over")
    func leavesOtherUnitsOut() throws {
        let workspace = try Workspace()
        for (folder, slots, color) in [("old", "0%..<40%", "green"), ("new", "40%..<80%", "lime")] {
            try workspace.write("\(folder)/base.json", Workspace.base())
            try workspace.write("\(folder)/layers.yaml", "page: {}")
            try workspace.write(
                "\(folder)/button.yaml", Self.definition("status: running\nlayer: page\nslots: [\(slots)]", color))
        }
        #expect(try !workspace.run("diff", "old", "new").text.contains("CARRY-OVER"))
    }
}
