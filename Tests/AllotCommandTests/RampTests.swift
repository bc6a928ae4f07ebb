import AllotConfiguration
import TestSupport
import Testing

@Suite(.blocks) struct RampTests {
    private static let ramp = [
        "ramp", "button", "1%", "50%", "100%", "--from", "2026-12-01T09:00:00Z", "--every", "2d",
    ]

    private static func workspace(_ text: String) throws -> Workspace {
        let workspace = try Workspace.withButton()
        try workspace.write("Experiments/button.yaml", text)
        return workspace
    }

    @Test("Nothing is written without --write, and the file then says what was shown")
    func writing() throws {
        let workspace = try Self.workspace(
            "status: draft # for now\ntraffic: 20% # too much\nvariants: [{ key: a }, { key: b }]\n")
        let before = try workspace.read("Experiments/button.yaml")
        let shown = try workspace.run(Self.ramp)
        shown.expectText("traffic 20% → 1% from 2026-12-01T09:00Z, 50% from 2026-12-03T09:00Z, ")
        #expect(shown.text.hasSuffix("not written yet; --write does it\n"))
        #expect(try workspace.read("Experiments/button.yaml") == before)
        try workspace.run(Self.ramp + ["--write"]).expectText(end: "\nwritten\n", status: nil)
        #expect(
            try workspace.read("Experiments/button.yaml") == """
                status: draft # for now
                traffic:
                  - { from: 2026-12-01T09:00:00Z, share: 1% }
                  - { from: 2026-12-03T09:00:00Z, share: 50% }
                  - { from: 2026-12-05T09:00:00Z, share: 100% } # too much
                variants: [{ key: a }, { key: b }]

                """)
        #expect(try workspace.run("check").status == 0)
    }

    @Test("A running experiment keeps its share until the ramp begins, and the preview says who enters when")
    func running() throws {
        let workspace = try Self.workspace("status: running\ntraffic: 0.5%\nvariants: [{ key: a }]\n")
        let result = try workspace.run(Self.ramp)
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.text.contains(
                """
                Steps to come, of the units in the audience:
                    2026-12-01T09:00Z  button  0.5% → 1%   0.5% stay, 0.5% enter
                    2026-12-03T09:00Z  button  1% → 50%    1% stay, 49% enter
                    2026-12-05T09:00Z  button  50% → 100%  50% stay, 50% enter
                No unit changes its variant, and none leaves.
                """), "\(result.text)")
        #expect(result.text.contains("    +   - { from: 1970-01-01T00:00:00Z, share: 0.5% }\n"))
    }

    @Test("JSON has the steps, the new file and whether it was written", arguments: [false, true])
    func json(writes: Bool) throws {
        let workspace = try Self.workspace("status: running\ntraffic: 0.5%\nvariants: [{ key: a }]\n")
        let result = try workspace.run(Self.ramp + ["--json"] + (writes ? ["--write"] : []))
        let report = try JSONValue(parsing: result.output)
        #expect(report["changed"] == true)
        #expect(report["written"] == .boolean(writes))
        #expect(report["file"] == "Experiments/button.yaml")
        let text = try workspace.read("Experiments/button.yaml")
        #expect((report["text"] == .string(text)) == writes)
        #expect(
            try report["steps"]?[0]
                == JSONValue(
                    parsing: Array(
                        """
                        {"from": "2026-12-01T09:00:00Z", "experiment": "button", "traffic_before": "0.5%",
                         "traffic": "1%", "transitions": [
                           {"from": "a", "to": "a", "share": 0.005}, {"from": null, "to": "a", "share": 0.005}]}
                        """.utf8)))
        #expect(report["steps"]?[2]?["traffic"] == "100%")
        #expect(report["steps"]?[3] == nil)
        #expect(report["reassignment"]?["moves_enrolled"] == false)
    }

    @Test(
        "Ramps that are not valid are errors",
        arguments: [
            (["button", "10%", "--every", "2d"], 64, "Missing expected argument '--from <instant>'"),
            (["button", "10", "--from", "2026-12-01T09:00:00Z", "--every", "2d"], 64, "write 10% if that is meant"),
            (["button", "10%", "--from", "2026-12-01", "--every", "2d"], 64, "is a day without a time"),
            (["button", "10%", "--from", "2026-12-01T09:00:00Z", "--every", "2 days"], 64, "such as 12h or 2d"),
            (["button", "--from", "2026-12-01T09:00:00Z", "--every", "2d"], 64, "Missing expected argument '<share>"),
            (["buton", "10%", "--from", "2026-12-01T09:00:00Z", "--every", "2d"], 1, #"did you mean "button"?"#),
            (["button", "10%", "--from", "2026-12-01T09:00:00Z", "--every", "2d"], 1, "would make units leave"),
        ])
    func badInput(arguments: [String], status: Int32, message: String) throws {
        let workspace = try Workspace.withButton()
        let ramp = ["ramp", "--write"] + arguments
        let result = try status == 64 ? Program.answer(ramp) : workspace.run(ramp)
        #expect(result.status == status)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.text == "")
    }
}
