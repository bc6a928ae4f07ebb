import TestSupport
import Testing

@Suite(.blocks) struct CheckTests {
    @Test("Good definitions are summarised in one line")
    func goodDefinitions() throws {
        let workspace = try Workspace.withButton()
        let summary = "1 experiment, 0 layers, 0 holdouts: 0 errors, 0 warnings (revision 2e630c081fc4aba9)\n"
        for arguments in [["check"], ["check", "-d", "Experiments"], ["check", "--definitions", "Experiments"]] {
            let result = try workspace.run(arguments)
            result.expectOutput(summary)
            #expect(result.errors == "")
        }
    }

    @Test("Warnings are printed and do not fail")
    func warningsDoNotFail() throws {
        try Program.run(["check", "-d", "shop", "--at", Shop.instant], in: Shop.folder.deletingLastPathComponent())
            .expectOutput(
                """
                shop/old-layout.yaml:2:9: warning: the winner sticky should move into the base: copy its overrides \
                there and delete this file (winner)
                6 experiments, 2 layers, 1 holdout: 0 errors, 1 warning (revision c43a9a53f17455d8)

                """)
        #expect(try Shop.run("check", "--strict").status == 2)
        #expect(try Workspace.withButton().run("check", "--strict").status == 0)
    }

    @Test("The environment names the folder for all commands, unless the option does")
    func folderOfTheEnvironment() throws {
        let workspace = try Workspace.withButton()
        #expect(try workspace.shell("mv Experiments shop").status == 0)
        for command in ["check", "list", "config u"] {
            try workspace.shell("ALLOT_DEFINITIONS=shop \"$ALLOT\" \(command)").expectText()
            try workspace.shell("ALLOT_DEFINITIONS=none \"$ALLOT\" \(command) -d shop").expectText()
            try workspace.shell("ALLOT_DEFINITIONS= \"$ALLOT\" \(command)").expectText(status: 1)
        }
    }

    @Test("Schedules are checked at the instant of --at")
    func schedulesAreJudgedAtAnInstant() throws {
        try Program.run(["check", "-d", Shop.folder.path, "--at", "2027-01-01T00:00:00Z"]).expectText(
            "checkout-text.yaml:5:", end: "0 errors, 2 warnings (revision c43a9a53f17455d8)\n")
    }

    @Test("The limits of the base can be raised and lowered")
    func limitsCanBeRaisedAndLowered() throws {
        try Program.run(["check", "-d", Shop.folder.path, "--at", Shop.instant, "--max-settings", "5"]).expectText(
            "error: the base has 6 settings; at most 5 are allowed", status: 1)
        #expect(try Shop.run("config", "u", "--max-settings", "5").status == 1)
        #expect(try Shop.run("config", "u", "--max-settings", "6").status == 0)
    }

    @Test("A manifest makes a folder invalid that is not exactly as it was checked")
    func manifests() throws {
        let workspace = try Workspace.withButton()
        let summary = "1 experiment, 0 layers, 0 holdouts: 0 errors, 0 warnings (revision 2e630c081fc4aba9)\n"
        try workspace.run("check", "--write-manifest").expectOutput(summary)
        try workspace.shell("cd Experiments; sha256sum *.json *.yaml | cmp - MANIFEST.sha256; sha256sum -c *.sha256")
            .expectOutput("base.json: OK\nbutton.yaml: OK\n")
        try workspace.run("check").expectOutput(summary)
        // The file keeps its meaning, but is not the one that was checked.
        try workspace.write("Experiments/button.yaml", try workspace.read("Experiments/button.yaml") + "# more\n")
        let problem = "Experiments/button.yaml: error: the file's checksum differs from MANIFEST.sha256; wait until"
        try workspace.run("check").expectText(start: problem, status: 1)
        #expect(try workspace.run("config", "u").errors.hasPrefix(problem))
        try workspace.run("check", "--write-manifest").expectOutput(summary)
        #expect(try workspace.run("config", "u").status == 0)
    }

    @Test("An empty folder is an error unless it is allowed")
    func emptyFolders() throws {
        let workspace = try Workspace(["Experiments/README.md": "nothing yet"])
        for arguments in [["check"], ["check", "--write-manifest"], ["explain", "u"], ["config", "u"]] {
            let result = try workspace.run(arguments)
            #expect((result.text + result.errors).contains("Experiments: error: the folder defines no setting and no"))
            #expect(result.status == 1)
            #expect(try workspace.run(arguments + ["--allow-empty"]).status == 0)
        }
    }
}
