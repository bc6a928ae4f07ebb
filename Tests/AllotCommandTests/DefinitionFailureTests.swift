import TestSupport
import Testing

/// Commands that need definitions, without good ones.
@Suite(.blocks) struct DefinitionFailureTests {
    /// Each command that reads definitions.
    static let commands = [
        ["check"], ["assign", "in.csv", "-o", "out.csv"], ["config", "u"], ["explain", "u"],
        ["sql", "--dialect", "duckdb"],
    ]

    private func broken() throws -> Workspace {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", "user_id\na\n")
        try workspace.write(
            "Experiments/color.yaml",
            """
            status: runing
            wieght: 3
            variants:
              - { key: control, weight: -1 }
              - { key: red, overrides: { Page: { Colour: red } } }
            """)
        try workspace.write(
            "Experiments/size.yaml",
            """
            status: running
            layer: nowhere
            slots: [0%..<50%]
            variants: [{ key: a }]
            """)
        return workspace
    }

    /// Where the errors are, in order.
    private static let places = [
        "Experiments/color.yaml:1:9: error: ", "Experiments/color.yaml:2:1: error: ",
        "Experiments/color.yaml:4:29: error: ", "Experiments/color.yaml:5:38: error: ",
        "Experiments/size.yaml:2:8: error: ",
    ]

    /// For `check` they are the result.
    @Test("Every command shows all errors of the definitions", arguments: commands)
    func allErrorsAreShown(command: [String]) throws {
        let workspace = try broken()
        let result = try workspace.run(command)
        let isCheck = command == ["check"]
        let lines = isCheck ? result.text.split(separator: "\n").map(String.init) : result.errorLines
        #expect(lines.count == Self.places.count + 1)
        for (line, place) in zip(lines, Self.places) { #expect(line.hasPrefix(place)) }
        let summary = "5 errors, 0 warnings; nothing can be assigned until the errors are fixed"
        #expect(lines.last == "\(isCheck ? "Experiments" : "allot"): \(summary)")
        #expect((isCheck ? result.errors : result.text) == "")
        #expect(result.status == 1)
        #expect(try workspace.files == ["in.csv"])
    }

    @Test("A missing folder is an error that names the folder", arguments: commands)
    func missingFolder(command: [String]) throws {
        let workspace = try Workspace(["in.csv": "user_id\na\n"])
        try workspace.run(command).expectFailure(
            "cannot read the definitions folder Experiments: No such file or directory; name another with --definitions"
        )
        try workspace.run(command + ["--definitions", "nowhere"]).expectFailure(
            "cannot read the definitions folder nowhere: No such file or directory; name another with --definitions")
        #expect(try workspace.files == ["in.csv"])
    }

    @Test("In a folder of definitions itself, the message names the option for it")
    func folderItself() throws {
        let workspace = try Workspace.withButton()
        let folder = workspace.url.appending(path: "Experiments")
        try Program.run(["list"], in: folder).expectFailure(
            "cannot read the definitions folder Experiments: No such file or directory; name this one with "
                + "--definitions .")
        #expect(try Program.run(["list", "--definitions", "."], in: folder).status == 0)
        Program.answer(["list", "-d", ""]).expectUsageError(
            "--definitions names no folder; name one, or leave it out for Experiments.")
        withExtendedLifetime(workspace) {}
    }

    @Test("A file in place of the folder is an error")
    func fileInPlaceOfTheFolder() throws {
        let workspace = try Workspace(["file": ""])
        let result = try workspace.run("check", "-d", "file")
        #expect(result.errorLines.count == 1)
        result.expectErrors(start: "allot: cannot read the definitions folder file: ")
    }
}
