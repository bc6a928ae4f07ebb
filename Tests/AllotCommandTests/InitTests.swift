import Foundation
import TestSupport
import Testing

/// The definitions that a newcomer begins with.
@Suite(.blocks) struct InitTests {
    private static let names = ["base.yaml", "buy-button.yaml", "tests/buy-button.yaml"]

    @Test(
        "The first definitions are short, right and tested, and the commands that are printed run",
        arguments: [[], ["Experiments"], ["."], ["a/b c/"]])
    func firstDefinitions(arguments: [String]) throws {
        let workspace = try Workspace()
        func run(_ arguments: [String]) throws -> Outcome { try Program.run(arguments, in: workspace.url) }
        let outcome = try run(["init"] + arguments)
        let folder = arguments.first ?? "Experiments"
        outcome.expectText(start: "\(Self.names.joined(separator: ", ")) are in \(folder).")
        for name in Self.names {
            let lines = try workspace.read("\(folder)/\(name)").split(separator: "\n")
            #expect(lines.count <= 12 && lines.allSatisfy { $0.count <= 120 }, "\(name)")
            #expect(lines.first?.hasPrefix("# ") == true, "\(name)")
        }
        let commands = outcome.text.split(separator: "\n").filter { $0.hasPrefix("    ") }
            .map { "\"$ALLOT\"" + $0.dropFirst("    allot".count) }
        #expect(commands.count == 3)
        let outputs = try commands.map { try workspace.shell($0) }
        for output in outputs { #expect((output.status, output.errors) == (0, "")) }
        #expect(outputs[0].text.contains(": 0 errors, 0 warnings "))
        #expect(outputs[1].text.hasSuffix("3 cases, 4 checks: 3 passed\n"))
        #expect(outputs[2].text.hasPrefix("user-1 gets green in buy-button, "))
        let definitions = ["--definitions", folder]
        try run(["test", "--coverage", "--mutate"] + definitions).expectText("coverage: complete", "9 of 9 noticed")
        try workspace.write("users.csv", "user_id,country\nuser-1,DE\nuser-3,FR\nuser-5,US\n")
        let assigned = try run(["assign", "users.csv"] + definitions)
        #expect(assigned.text == "user_id,country,buy-button\nuser-1,DE,green\nuser-3,FR,control\nuser-5,US,\n")
    }

    @Test("Without a folder it is that of the environment, which the printed commands read")
    func folderOfTheEnvironment() throws {
        let workspace = try Workspace()
        let shell = "export ALLOT_DEFINITIONS=shop; \"$ALLOT\" init"
        let outcome = try workspace.shell(shell)
        outcome.expectText("are in shop.", "    allot check\n")
        #expect(try workspace.files == ["shop"])
        try workspace.shell("\(shell) Experiments").expectText("    allot check --definitions Experiments\n")
    }

    @Test("A folder that is not empty is refused with what is in the way, and stays as it is")
    func occupied() throws {
        let workspace = try Workspace()
        #expect(try Program.run(["init"], in: workspace.url).status == 0)
        try workspace.write("Experiments/base.yaml", "mine")
        try Program.run(["init"], in: workspace.url).expectFailure(
            "Experiments is not an empty folder, and nothing is overwritten: base.yaml, buy-button.yaml, tests are in "
                + "the way; name a new folder: allot init FOLDER")
        #expect(try workspace.read("Experiments/base.yaml") == "mine")
        try workspace.write("other/notes.txt", "mine")
        try Program.run(["init", "other"], in: workspace.url).expectErrors(": notes.txt is in the way; ")
        #expect(try workspace.files == ["other"])
        Program.answer(["init", ""]).expectUsageError("Name a folder, or leave it out for Experiments.")
        Program.answer(["init", "main:Experiments"]).expectUsageError(
            "A revision of Git is not written; name a folder, such as Experiments.")
        try workspace.shell("ln -s nowhere link").expectOutput("")
        try Program.run(["init", "link"], in: workspace.url).expectErrors(
            "cannot write the folder link: nothing can be created in link")
    }

    @Test("A folder that cannot be written is an error with its path and the fix")
    func unwritable() throws {
        let workspace = try Workspace(["file": ""])
        for folder in ["file", "file/x"] {
            try Program.run(["init", folder], in: workspace.url).expectFailure(
                "cannot write the folder \(folder): file is not a folder (Not a directory); write elsewhere")
        }
        guard getuid() != 0 else { return }
        chmod(workspace.url.path, 0o555)
        defer { chmod(workspace.url.path, 0o755) }
        try Program.run(["init"], in: workspace.url).expectFailure(
            "cannot write the folder Experiments: writing is not permitted (Permission denied); check the permissions "
                + "or write elsewhere")
    }
}
