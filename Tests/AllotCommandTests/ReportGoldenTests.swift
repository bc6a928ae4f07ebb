import TestSupport
import Testing

/// A change of definitions whose report is a golden file.
private struct Change: CustomTestStringConvertible, Sendable {
    /// The name of the file.
    let testDescription: String
    var old = ["button.yaml": Workspace.button]
    var new: [String: String] = [:]
    var color = "blue"
    var users: String?
}

private let fifths = """
    status: running
    traffic: 50%
    variants:
      - key: control
      - { key: green, weight: 4, overrides: { Page: { Color: green } } }

    """

private func button(_ head: String) -> String {
    Workspace.button.replacing("status: running", with: head)
}

private let forced = "\nforced: { f: green }\n"

private func layered(_ status: String, _ slots: String) -> String {
    "status: \(status)\nlayer: checkout\nslots: [\(slots)]\nvariants: [{ key: a }, { key: b }]\n"
}

private let changes: [Change] = [
    Change(testDescription: "diff-nothing", new: ["button.yaml": button("description: x\nstatus: running")]),
    Change(testDescription: "diff-shares", new: ["button.yaml": "owner: web-team\n" + fifths]),
    Change(testDescription: "diff-salt", new: ["button.yaml": button("status: running\nsalt: button.2")]),
    Change(
        testDescription: "diff-winner", old: ["button.yaml": button("status: concluded\nwinner: green")],
        new: ["button.yaml": button("status: concluded\nwinner: control")]),
    Change(
        testDescription: "diff-users", old: ["button.yaml": Workspace.button + forced],
        new: ["button.yaml": button("status: running\naudience: { country: DE }") + forced],
        users: "user_id,country\na,DE\nb,DE\nc,FR\na,FR\n\"b\",DE\n,FR\nf,DE\n"),
    Change(
        testDescription: "diff-users-without-column",
        new: ["button.yaml": button("status: running\naudience: { country: DE }")], users: "user_id\na\nb\n"),
    Change(
        testDescription: "diff-audiences", old: ["button.yaml": button("status: running\naudience: { country: DE }")],
        new: ["button.yaml": button("status: running\naudience: { country: FR }")]),
    Change(testDescription: "diff-removed", color: "red"),
    Change(
        testDescription: "diff-layers",
        old: [
            "layers.yaml": "checkout: {}\n", "holdouts.yaml": "half-2-2026: { share: 2% }\n",
            "button.yaml": layered("running", "0%..<40%"), "text.yaml": layered("draft", "40%..<60%"),
        ],
        new: [
            "layers.yaml": "checkout: { salt: checkout.2 }\n", "holdouts.yaml": "half-2-2026: { share: 3% }\n",
            "button.yaml": layered("concluded", "0%..<40%"), "text.yaml": layered("running", "20%..<60%"),
        ]),
    Change(
        testDescription: "diff-required",
        old: [
            "button.yaml": Workspace.button,
            "text.yaml": "status: running\nrequires: { button: [green] }\nvariants: [{ key: a }, { key: b }]\n",
        ],
        new: [
            "button.yaml": button("status: running\nsalt: button.2"),
            "text.yaml": "status: running\nrequires: { button: [green] }\nvariants: [{ key: a }, { key: b }]\n",
        ]),
    Change(
        testDescription: "diff-forced",
        new: [
            "button.yaml": button(
                "status: running\ntraffic: [{ from: 2026-01-01T00:00:00Z, share: 100% }, "
                    + "{ from: 2027-01-01T00:00:00Z, share: 20% }]\nforced: { user-42: control, user-43: green }")
        ]),
]

/// The texts of reports, whole, so that their layout does not change unseen.
@Suite(.blocks) struct ReportGoldenTests {
    private let golden = GoldenFiles()

    /// Expects a report and its exit status to be those of a file.
    private func expect(_ result: Outcome, _ name: String, at location: SourceLocation = #_sourceLocation) throws {
        #expect([0, 2, 3].contains(result.status), "\(result.errors)", sourceLocation: location)
        try golden.expect("\(result.text)exit status \(result.status)\n", in: "\(name).txt", at: location)
    }

    // MARK: Changes

    @Test("Reports on changes have the texts of their files", arguments: changes)
    private func diff(change: Change) throws {
        let workspace = try Workspace([
            "old/base.json": Workspace.base(), "new/base.json": Workspace.base(change.color),
        ])
        for (name, text) in change.old { try workspace.write("old/\(name)", text) }
        for (name, text) in change.new { try workspace.write("new/\(name)", text) }
        var arguments = ["diff", "old", "new"]
        if let users = change.users {
            try workspace.write("users.csv", users)
            arguments += ["--users", "users.csv"]
        }
        try expect(workspace.run(arguments), change.testDescription)
    }

    @Test("Reports on the history of an experiment have the texts of their files")
    func history() throws {
        try expect(ShopHistory.run("history", "button"), "history")
        let repository = try TestRepository()
        try repository.write(Workspace.base(), to: "Experiments/base.json")
        for (day, text) in ["", "\naudience: { country: DE }", nil, "\naudience: { country: FR }"].enumerated() {
            if let text {
                try repository.write(ShopHistory.experiment + text, to: "Experiments/button.yaml")
            } else {
                try repository.git(["rm", "-q", "Experiments/button.yaml"])
            }
            try repository.commit("Day \(day)", at: "2026-01-0\(day + 1)T12:00:00Z")
        }
        try expect(Program.run(["history", "button"], in: repository.url), "history-of-audiences")
    }

    @Test("Previews of edits have the texts of their files")
    func edits() throws {
        let workspace = try Workspace.withButton(
            button("status: running\ntraffic: 20%"),
            and: ["Experiments/text.yaml": "status: running\nrequires: { button: [green] }\nvariants: [{ key: a }]\n"])
        try expect(workspace.run("reweight", "button", "--shares", "control=20%,green=80%"), "reweight")
        let ramp = ["ramp", "button", "50%", "100%", "--from", "2026-12-01T09:00:00Z", "--every", "2d"]
        try expect(workspace.run(ramp), "ramp")
        try expect(workspace.run(ramp + ["--write"]), "ramp-written")
        try expect(workspace.run("reweight", "button", "--traffic", "30%"), "reweight-traffic")
        try workspace.run("reweight", "button", "--traffic", "30%", "--format", "html").expectText(
            "<h2>Experiments/button.yaml</h2>", "+ traffic: 30%</pre>", "<p>not written yet; --write does it</p>")
        try expect(workspace.run("show", "text", "--who"), "show-who")
    }

    @Test("Reports on the slots of a layer have the texts of their files")
    func slots() throws {
        let workspace = try Workspace(["Experiments/layers.yaml": "checkout: {}\n"])
        for (key, text) in [
            ("running", "status: running\nslots: [0%..<30%, 60%..<65%]"),
            ("over", "status: concluded\nslots: [50%..<60%]"),
            ("soon", "status: running\nslots: [90%..<100%]\nstarts: 2027-01-01T00:00:00Z"),
        ] {
            try workspace.write("Experiments/\(key).yaml", text + "\nlayer: checkout\nvariants: [{ key: a }]\n")
        }
        try expect(workspace.run("slots", "checkout"), "slots")
        try expect(workspace.run("slots", "checkout", "--place", "10%"), "slots-place")
    }

    @Test("Reports on the units that can be in an experiment have the texts of their files")
    func who() throws {
        let workspace = try Workspace.withButton(
            button(
                "status: running\naudience: { country: DE, $or: [{ is_pro: true }, { platform: ios }] }\n"
                    + "starts: 2026-12-01T00:00:00Z\nends: 2027-02-01T00:00:00Z\nforced: { f: green }\ntraffic: "
                    + "[{ from: 2026-12-01T00:00:00Z, share: 10% }, { from: 2027-01-01T00:00:00Z, share: 50% }]"),
            and: ["Experiments/over.yaml": "status: concluded\nvariants: [{ key: a }, { key: b }]\n"])
        try expect(workspace.run("show", "button", "over", "--who"), "show-who-schedule")
    }

    // MARK: Descriptions

    /// A ramp in a layer with a holdout, an experiment that requires one of its variants, and one that is over.
    private func shop() throws -> Workspace {
        try Workspace([
            "Experiments/base.yaml": """
            config_sections:
              Shop: { settings: { Color: { value: { blue: 1, green: 2 } }, Steps: { value: 3 }, Text: { value: a } } }
            """,
            "Experiments/layers.yaml": "checkout: {}\n",
            "Experiments/holdouts.yaml": "h2: { share: 2%, layers: [checkout] }\n",
            "Experiments/ramp.yaml": """
            status: running
            owner: Payments
            description: "Fewer steps?\\nSecond line"
            layer: checkout
            slots: [0%..<50%]
            starts: 2026-11-11T12:00:00Z
            ends: 2026-12-01T00:00:00Z
            traffic:
              - { from: 2026-11-11T12:00:00Z, share: 10% }
              - { from: 2026-11-23T12:00:00Z, share: 100% }
            audience: { country: { $in: [DE, AT] }, $or: [{ plan: pro }, { seats: { $gt: 5 } }] }
            variants:
              - { key: control, description: as it is }
              - { key: one, weight: 3, overrides: { Shop: { Steps: 1, Color: { green: 7 } } } }
            forced: { tester: one }
            """,
            "Experiments/later.yaml": """
            status: running
            starts: 2027-01-01T00:00:00Z
            owner: search
            requires: { ramp: [one] }
            variants: [{ key: a, overrides: { Shop: { Text: b } } }]
            """,
            "Experiments/over.yaml": "status: concluded\nwinner: a\nvariants: [{ key: a }]\n",
        ])
    }

    @Test("Lists, descriptions and comparisons with a device have the texts of their files")
    func descriptions() throws {
        let workspace = try shop()
        try expect(workspace.run("list"), "list")
        try expect(workspace.run("list", "--find", "rmap"), "list-none")
        try expect(workspace.run("show", "ramp", "later", "over"), "show")
        let readout = #"""
            {"readout": 1, "app": "shop", "user": "u", "revision": "0123456789abcdef",
            "settings": {"Shop.Steps": 1, "Shop.Text": "b", "Shop.Old": true}, "modifications": {"Shop.Text": "b"},
            "variants": {"ramp": "one", "gone": "x"}}
            """#
        try expect(workspace.run("device", readout), "device")
        try expect(workspace.run("device", #"{"readout":1}"#), "device-empty")
        try workspace.run("list", "--format", "markdown").expectText("| `ramp` | running | 10% | 2026-11-23T12:00Z")
        try workspace.run("show", "ramp", "--format", "html").expectText(
            "<h2>ramp</h2>", "<dt>owner</dt><dd>Payments</dd>", "<pre>all of\n  any of\n    plan is &quot;pro&quot;")
        try workspace.run("device", readout, "--format", "markdown").expectText(
            "### ⚠️ 4 settings; 2 different", "| `Shop.Steps` | `1` | `3` | `3` | different |")
    }

    // MARK: Ratios

    @Test("Reports on ratios have the texts of their files")
    func ratios() throws {
        let data = try Exposures(6000)
        try data.export(data.units)
        try expect(data.srm("exposures.csv"), "srm-calm")
        let kept = data.units.enumerated().filter { index, unit in
            unit.variant != "green" || unit.country != "FR" || index % 10 == 2
        }
        try data.export(kept.map(\.element))
        try expect(data.srm("exposures.csv"), "srm-missing-units")
        var units = data.units
        for index in stride(from: 0, to: units.count, by: 10) { units[index].variant = "green" }
        try data.export(units)
        try expect(data.srm("exposures.csv"), "srm-other-variants")
        for index in units.indices { units[index].variant = data.units[index].variant == "green" ? "control" : "green" }
        try data.export(units)
        try expect(data.srm("exposures.csv"), "srm-swapped")
        let again = data.units.prefix(300).map { unit in
            var unit = unit
            unit.variant = unit.variant == "green" ? "control" : "green"
            return unit
        }
        try data.export(data.units + again)
        try expect(data.srm("exposures.csv"), "srm-several-variants")
        try data.export(data.units.sorted { ($0.variant, $0.id) < ($1.variant, $1.id) })
        try expect(data.srm("exposures.csv", "--experiment", "button"), "srm-in-order-of-variants")
        let extra = (0..<40).map { number in
            let attributes = [#"{""reason"":""forced""}"#, #"{""override"":true}"#, #"{""reason"":""traffic""}"#, ""]
            return "extra-\(number),green,button,\(Exposures.time(7000 + number)),\"\(attributes[number % 4])\"\n"
        }
        let others = (0..<40).map { "user-\($0),a,other,\(Exposures.time(8000)),\n" }
        try data.export(data.units, others: extra.joined() + others.joined())
        try expect(data.srm("exposures.csv"), "srm-left-out")
    }

    /// Half and half, then 20 to 80, with some units in both.
    @Test("Reports on the ratios of several revisions have the texts of their files")
    func revisions() throws {
        let data = try Exposures(1000)
        try data.workspace.write(
            "Experiments/button.yaml",
            "status: running\nvariants: [{ key: control, weight: 1 }, { key: green, weight: 4 }]\n")
        let users = (0..<1000).map { "new-\($0)\n" }.joined() + data.units.prefix(300).map { "\($0.id)\n" }.joined()
        let assigned = try data.workspace.assign("user_id\n" + users, "--experiment", "button", "--layout", "long")
        try #require(assigned.status == 0, "\(assigned.errors)")
        let former = data.units.map { "\($0.id),button,\($0.variant),split,00000000000000aa" }
        let present = try data.workspace.rows().map { "\($0[0]),button,\($0[2]),\($0[3]),\($0[5])" }
        let rows = (former + present).enumerated().map { "\($1),\(Exposures.time($0))\n" }
        try data.workspace.write("export.csv", "unit,experiment,variant,reason,revision,at\n" + rows.joined())
        try expect(data.srm("export.csv"), "srm-untested-revision")
        try expect(
            data.srm("export.csv", "--shares-of", "00000000000000aa=control=1,green=1"), "srm-revisions")
        try expect(
            data.srm("export.csv", "--shares-of", "00000000000000aa=control=1,green=4"), "srm-wrong-revision")
    }

    @Test("Reports on counts, and on many experiments, have the texts of their files")
    func counts() throws {
        let workspace = try Workspace([
            "counts.csv": "variant,count\na,44700\nb,45489\n",
            "unknown.csv": "unit,variant\n" + (0..<50).map { "k\($0),a\nl\($0),b\n" }.joined()
                + (0..<100).map { "u\($0),v\($0)\n" }.joined(),
            "revisions.csv": "variant,count,revision\na,500,aa\nb,500,aa\na,200,bb\nb,800,bb\n",
        ])
        try expect(workspace.run("srm", "counts.csv", "--shares", "1:1"), "srm-counts")
        try expect(workspace.run("srm", "unknown.csv", "--shares", "a=1,b=1"), "srm-unknown-variants")
        try expect(
            workspace.run("srm", "revisions.csv", "--shares", "a=1,b=1", "--shares-of", "bb=a=1,b=4"),
            "srm-counts-of-revisions")
        try workspace.write("Experiments/base.json", #"{"config_sections": {}}"#)
        var rows = "count,experiment,variant\n1,unknown,a\n"
        for index in 1...4 {
            try workspace.write("Experiments/e\(index).yaml", "status: running\nvariants: [{ key: a }, { key: b }]\n")
            rows += "500,e\(index),a\n\(index % 2 == 0 ? 700 : 510),e\(index),b\n"
        }
        try workspace.write("many.csv", rows)
        try expect(workspace.run("srm", "many.csv"), "srm-many-experiments")
    }
}
