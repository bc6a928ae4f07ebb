import AllotExposures
import TestSupport
import Testing

/// The forms in which every command reads CSV: with each delimiter, and compressed by gzip.
@Suite(.blocks) struct CSVFormTests {
    /// Rows that each command reads.
    private static let text =
        "user_id,experiment,variant,country\n"
        + (0..<400).map { "u\($0),button,\($0 % 2 == 0 ? "green" : "control"),DE\n" }.joined()

    /// Commands that read `in.csv`.
    static let commands = [
        "assign in.csv", "assign in.csv --layout long --all", "srm in.csv --unit-column user_id",
        "distribution in.csv --salts 0", "diff Experiments Experiments --users in.csv", "import-verify in.csv",
    ]

    private func run(_ command: String, in workspace: Workspace) throws -> Outcome {
        try workspace.run(command.split(separator: " ").map(String.init))
    }

    @Test("A command gives the same for a file with another delimiter", arguments: commands)
    func delimiters(command: String) throws {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", Self.text)
        let expected = try run(command, in: workspace)
        #expect(!expected.text.isEmpty, "\(expected.errors)")
        for (delimiter, option) in [(";", ";"), ("\t", "tab"), ("\t", "\t"), ("|", "|"), (",", ",")] {
            try workspace.write("in.csv", Self.text.replacing(",", with: delimiter))
            let found = try workspace.run(command.split(separator: " ").map(String.init) + ["--delimiter", option])
            let isTable = command.hasPrefix("assign")
            #expect(found.text == (isTable ? expected.text.replacing(",", with: delimiter) : expected.text))
            #expect(found.status == expected.status)
        }
    }

    @Test("A command gives the same for a file that gzip compressed, whatever its name", arguments: commands)
    func gzip(command: String) throws {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", Self.text)
        let expected = try run(command, in: workspace)
        #expect(try workspace.shell("gzip -c in.csv > packed && mv packed in.csv").status == 0)
        let found = try run(command, in: workspace)
        #expect(found.text == expected.text)
        #expect(found.status == expected.status)
    }

    @Test(
        "A file without unit IDs is refused with the option that names their column",
        arguments: [
            ("assign in.csv", "--unit-column"), ("diff Experiments Experiments --users in.csv", "--unit-column"),
            ("import-verify in.csv", "--column ATTRIBUTE=COLUMN"),
        ])
    func withoutUnits(command: String, option: String) throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "id,experiment,variant\nu,button,green\n"])
        try run(command, in: workspace).expectFailure(
            #"in.csv has no column "user_id", by which button assigns (it has "id", "experiment", "variant"); "#
                + "name the column of the unit IDs with \(option)")
    }

    @Test("An attribute's column is named with --column, and the one of unit IDs also with --unit-column")
    func columns() throws {
        let workspace = try Workspace.withButton(
            "status: running\naudience: { country: DE }\nvariants: [{ key: only }]\n",
            and: ["in.csv": "id,land\nu,DE\nv,FR\n"])
        for unit in [["--unit-column", "id"], ["--column", "user_id=id"]] {
            try workspace.run(["assign", "in.csv", "--column", "country=land"] + unit).expectText(
                "id,land,button\nu,DE,only\nv,FR,\n")
        }
    }

    @Test("An export quotes units with a separator, and allot srm reads them as they are")
    func export() async throws {
        let rows = (0..<400).map { "a;=\($0)\n" }
        let stored = try await ExposuresTests.Stored([])
        #expect(try stored.workspace.assign("user_id\n" + rows.joined()).status == 0)
        try await stored.add(
            stored.workspace.rows().map { row in
                Exposure(unit: row[0], experiment: "button", salt: "button", variant: row[1], at: 1_793_491_200_000)
            })
        for delimiter in [",", ";"] {
            #expect(try stored.run("export", "store.sqlite", "--delimiter", delimiter, "-o", "e.csv").status == 0)
            let start = ["\n\"a;=0\"", "button", "button", ""].joined(separator: delimiter)
            #expect(try stored.workspace.read("e.csv").contains(start))
            try stored.workspace.run("srm", "e.csv", "--delimiter", delimiter).expectFlatText(
                "400 rows, 400 units", "every unit has the variant that Allot assigns to it")
        }
    }
}
