import AllotConfiguration
import TestSupport
import Testing

/// Names and values of files and definitions reach a terminal escaped and bounded, whatever command shows them.
@Suite(.blocks) struct HostileTextTests {
    /// The escape character turns a terminal red, the next turns the direction of writing, the last is not seen.
    private static let hostile = #"x\u001b[31m\u202e\ufeff"#
    private static let raw = "x\u{1B}[31m\u{202E}\u{FEFF}"
    private static let long = String(repeating: "y", count: 300_000)

    private static func definitions(_ name: String) -> [(file: String, text: String)] {
        [
            (
                "Experiments/base.json",
                #"{"config_sections": {"P\#(name)": {"settings": {"C\#(name)": {"value": "v\#(name)"}}}}}"#
            ),
            (
                "Experiments/e.json",
                #"{"status": "running", "description": "\#(name)", "owner": "\#(name)", "unit": "id\#(name)", "#
                    + #""audience": {"a\#(name)": {"$in": ["\#(name)"]}, "#
                    + #""t\#(name)": {"$before": "2030-01-01T00:00Z"}}, "variants": [{"key": "b"}, "#
                    + #"{"key": "a", "description": "\#(name)", "#
                    + #""overrides": {"P\#(name)": {"C\#(name)": "\#(name)"}}}]}"#
            ),
        ]
    }

    /// Faults of definitions: unknown keys, operators, groups, types, and values of the wrong form.
    private static func faults(_ name: String) -> [String] {
        [
            #"{"status": "running", "\#(name)": 1, "variants": [{"key": "a", "\#(name)": 1}]}"#,
            #"{"status": "\#(name)", "starts": "\#(name)", "salt": "\#(name)", "variants": [{"key": "\#(name)"}]}"#,
            #"{"status": "running", "traffic": "\#(name)", "variants": [{"key": "a", "weight": "\#(name)"}]}"#,
            #"{"status": "running", "audience": {"a": {"$\#(name)": 1, "$vgt": "\#(name)", "$after": "\#(name)", "#
                + #""$type": "\#(name)", "$inGroup": "\#(name)", "$regex": "(\#(name)"}, "$segment": "\#(name)"}, "#
                + #""variants": [{"key": "a", "overrides": {"\#(name)": {"\#(name)": 1}}}]}"#,
            #"{"status": "running", "hash": "\#(name)", "layer": "\#(name)", "requires": {"\#(name)": ["\#(name)"]}, "#
                + #""variants": [{"key": "a"}], "forced": {"u": "\#(name)"}, "winner": "\#(name)"}"#,
        ]
    }

    private func check(_ outcome: Outcome, _ command: [String]) {
        for text in [outcome.text, outcome.errors] {
            let hidden = text.unicodeScalars.first { $0 != "\n" && PrintableText.isHidden($0) }
            #expect(hidden == nil, "\(command): U+\(String(hidden?.value ?? 0, radix: 16)) in \(text.prefix(2000))")
            #expect(text.utf8.count < 200_000, "\(command): \(text.utf8.count) bytes, \(text.prefix(300))")
            // An annotation is one line with a message, its details and a place.
            let longest = text.split(separator: "\n").map(\.unicodeScalars.count).max() ?? 0
            #expect(longest < 3 * PrintableText.lineLimit, "\(command): \(longest) characters in a line")
        }
    }

    @Test("Reports on definitions with hostile names")
    func reports() throws {
        let workspace = try Workspace()
        for (file, text) in Self.definitions(Self.hostile) { try workspace.write(file, text) }
        try workspace.write(
            "in.csv",
            "id\(Self.raw),a\(Self.raw),t\(Self.raw),variant\nNULL,\(Self.raw),2026-01-01,\(Self.raw)\n1.0,x,y,a\n")
        for command in [
            ["check"], ["list"], ["show", "e"], ["explain", "u1", "a\(Self.raw)=\(Self.raw)"],
            ["bucket", "e", Self.raw],
            ["assign", "in.csv", "-o", "out.csv"], ["assign", "in.csv", "--unit-column", Self.raw],
            ["assign", "in.csv", "--at-column", "a\(Self.raw)", "-o", "timed.csv"], ["slots"],
            ["srm", "in.csv", "--unit-column", "id\(Self.raw)", "--experiment", "e"],
            ["srm", "in.csv", "--column", "variant=\(Self.raw)"],
            ["distribution", "in.csv", "--unit-column", "id\(Self.raw)"],
            ["distribution", "in.csv", "--unit-column", Self.raw],
            ["diff", "Experiments", "Experiments", "--users", "in.csv"],
            ["explain", Self.raw, "--experiment", Self.raw],
        ] {
            check(try workspace.run(command), command)
        }
    }

    @Test("Problems of definitions and files with hostile and with long names", arguments: [hostile, long])
    func problems(name: String) throws {
        for fault in Self.faults(name) {
            let workspace = try Workspace.withButton()
            try workspace.write("Experiments/e.json", fault)
            for command in [["check"], ["check", "--format", "github"], ["assign", "in.csv"]] {
                check(try workspace.run(command), command + [fault.prefix(40).description])
            }
        }
        let workspace = try Workspace.withButton()
        let text = name == Self.long ? name : Self.raw
        try workspace.write("in.csv", "\(text),\(text)\n1,2\n")
        for command in [
            ["assign", "in.csv"], ["assign", "in.csv", "--unit-column", "no"], ["srm", "in.csv"],
            ["distribution", "in.csv"],
            ["diff", "Experiments", "Experiments", "--users", "in.csv"],
        ] {
            check(try workspace.run(command), command)
        }
        try workspace.write(
            "in.csv", "user_id,experiment,variant,at\nu1,\(text),\(text),\(text)\nu2,button,\(text),\(text)\n")
        for command in [["srm", "in.csv"], ["assign", "in.csv", "--at-column", "at"]] {
            check(try workspace.run(command), command)
        }
    }

    private static let longName = (escaped: hostile + long.prefix(100_000), raw: raw + long.prefix(100_000))

    private static func longNames() throws -> Workspace {
        let (name, raw) = longName
        let workspace = try Workspace()
        for folder in ["Old", "Experiments"] {
            try workspace.write(
                "\(folder)/base.yaml", "config_sections: { Page: { settings: { Color: { value: blue } } } }\n")
        }
        try workspace.write("Old/e.yaml", "status: running\nvariants: [{ key: a }, { key: b }]\n")
        try workspace.write(
            "Experiments/e.yaml",
            """
            status: running
            description: "\(name)"
            owner: "\(name)"
            unit: "\(name)"
            audience: { country: { $in: ["\(name)", DE] } }
            variants: [{ key: a }, { key: b, overrides: { Page: { Color: "\(name)" } } }]

            """)
        try workspace.write(
            "Experiments/tests/t.yaml",
            """
            at: 2026-11-21T12:00:00Z
            cases:
              - name: "\(name)"
                attributes: { user_id: u1 }
                each: { country: ["\(name)"] }
                expect: { e: a }
                settings: { Page.Color: "\(name)" }

            """)
        try workspace.write(
            "features.json",
            """
            {"features": {"\(name)": {"defaultValue": 1, "rules": [{"condition": {"\(name)": {"$\(name)": 1}}, \
            "force": 2}]}}, "\(name)": 1}
            """)
        let rows = (0..<10).map { "u\($0),\(raw),\($0 % 2 == 0 ? "a" : raw),\($0 % 3 == 0 ? "z" : raw)\n" }
        try workspace.write("in.csv", "user_id,experiment,variant,\(raw)\n" + rows.joined())
        return workspace
    }

    /// Reports with the exit status, and whether they are about an instant.
    private static let reportsOnLongNames: [(status: Int32, command: [String], takesInstant: Bool)] = [
        (0, ["list"], true), (0, ["show", "e"], true), (0, ["explain", "u1", "country=DE"], true),
        (0, ["explain", "\(longName.raw)=u1", "country=\(longName.raw)"], true),
        (0, ["explain", "\(longName.raw)=u1", "country=FR"], true), (2, ["diff", "Old", "Experiments"], true),
        (2, ["diff", "Old", "Experiments", "--format", "markdown"], true),
        (2, ["diff", "Old", "Experiments", "--users", "in.csv"], true),
        (2, ["reweight", "e", "--shares", "a=40%,b=60%"], true),
        (0, ["srm", "in.csv", "--shares", "\(longName.raw)=1,a=1", "--experiment", longName.raw], true),
        (0, ["srm", "in.csv", "--shares", "1:1"], true),
        (0, ["distribution", "in.csv", "--unit-column", longName.raw], true),
        (2, ["test"], false), (2, ["test", "--format", "github"], false),
        (1, ["import", "growthbook", "features.json", "-o", "out", "--skip-inexact"], false),
        (1, ["import", "growthbook", "features.json", "-o", "out", "--skip-inexact", "--format", "markdown"], false),
        (64, ["check", "--\(longName.raw)"], false), (64, ["check", "--at", longName.raw], false),
        (64, ["explain", "country=\(longName.raw)"], false),
    ]

    @Test("Reports and messages show the beginning of a long name")
    func longNames() throws {
        let workspace = try Self.longNames()
        for (status, command, takesInstant) in Self.reportsOnLongNames {
            let outcome =
                try takesInstant ? workspace.run(command) : Program.run(command, in: workspace.url)
            let shown = command.map { String($0.prefix(40)) }
            check(outcome, shown)
            #expect(outcome.status == status, "\(shown): \(outcome.errors.prefix(300))")
            #expect((outcome.text + outcome.errors).contains("yyy…"), "\(shown)")
        }
    }
}
