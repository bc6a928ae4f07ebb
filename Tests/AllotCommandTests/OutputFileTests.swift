import TestSupport
import Testing

@Suite(.blocks) struct OutputFileTests {
    private func workspace() throws -> Workspace {
        let workspace = try Workspace.withButton(and: ["in.csv": "user_id\n007\n"])
        return workspace
    }

    @Test("An output in a missing folder, and a folder as output, are errors")
    func missingFolder() throws {
        let workspace = try workspace()
        try workspace.run("assign", "in.csv", "-o", "none/out.csv").expectFailure(
            """
            cannot write none/out.csv: there is no folder none (No such file or directory); create it or write \
            elsewhere with -o
            """)
        for path in ["Experiments", "Experiments/"] {
            try workspace.run("assign", "in.csv", "-o", path).expectFailure(
                "cannot write \(path): the path leads to a folder (Is a directory); name a file with -o")
        }
        #expect(try workspace.files == ["in.csv"])
    }

    /// However it is spelt: the users must not be lost.
    @Test("The input cannot be the output")
    func inputItself() throws {
        let workspace = try workspace()
        for path in ["in.csv", "./in.csv", "Experiments/../in.csv", workspace.url.path + "/in.csv"] {
            try workspace.run("assign", "in.csv", "-o", path).expectFailure(
                "\(path) is the input itself; name another file with -o")
        }
        for script in [
            #"ln in.csv hard.csv; "$ALLOT" assign in.csv -o hard.csv"#,
            #"ln -s in.csv soft.csv; "$ALLOT" assign - -o hard.csv < soft.csv"#,
        ] {
            try workspace.shell(script).expectFailure("hard.csv is the input itself; name another file with -o")
        }
        // Reading what one writes would never end.
        try workspace.shell(#""$ALLOT" assign in.csv >> in.csv"#).expectFailure(
            "standard output is the input itself; name another file with -o")
        #expect(try workspace.read("in.csv") == "user_id\n007\n")
    }

    @Test(
        "A file of the definitions cannot be an output",
        arguments: [
            (["assign", "in.csv", "-o", "Experiments/button.yaml"], "-o"),
            (["assign", "in.csv", "-o", "out.csv", "--rejects", "Experiments/./button.yaml"], "--rejects"),
            (["generate", "swift", "-o", "Experiments/button.yaml"], "-o"),
            (["test", "--format", "junit", "-o", "Experiments/button.yaml"], "-o"),
            (["distribution", "-o", "Experiments/button.yaml", "--salts", "0"], "-o"),
            (["list", "-o", "Experiments/button.yaml"], "-o"),
            (["config", "u", "-o", "Experiments/button.yaml"], "-o"),
            (["assign", "in.csv", "-o", "Experiments/tests/t.yaml"], "-o"),
            (["test", "--format", "junit", "-o", "Experiments/tests/t.yaml"], "-o"),
            (["list", "-d", "other", "-o", "Experiments/button.yaml"], "-o"),
            (["list", "-d", "HEAD:Experiments", "--output=Experiments/button.yaml"], "--output"),
            (["bucket", "s", "u", "-o", "Experiments/tests/t.yaml"], "-o"),
            (["power", "--baseline", "10%", "--effect", "1%", "-o", "Experiments/button.yaml"], "-o"),
            (["sign", "in.csv", "--key", "k.pem", "-o", "Experiments/button.yaml"], "-o"),
            (["keys", "export", "--key", "k.pem", "-o", "Experiments/button.yaml"], "-o"),
            (["exposures", "export", "s.sqlite", "-o", "Experiments/button.yaml"], "-o"),
            // These would be read as an experiment and as tests.
            (["check", "-o", "Experiments/new.yaml"], "-o"), (["list", "-o", "Experiments/tests/new.yaml"], "-o"),
        ])
    func definitionsAsOutput(arguments: [String], option: String) throws {
        let workspace = try workspace()
        try workspace.write(
            "Experiments/tests/t.yaml",
            "at: 2026-11-21T12:00:00Z\ncases: [{ name: n, unit: u, expect: { button: green } }]\n")
        let names = ["Experiments/button.yaml", "Experiments/tests/t.yaml"]
        let before = try names.map(workspace.read)
        try Program.run(arguments, in: workspace.url).expectErrors(
            ".yaml is a file of the definitions; name another file with \(option)")
        #expect(try names.map(workspace.read) == before)
    }

    @Test(
        "An input cannot be the output, whichever command and option names it",
        arguments: [
            ["srm", "in.csv"], ["assign", "--", "in.csv"], ["diff", "Experiments", "--users", "in.csv"],
            ["power", "button", "--data=in.csv", "--metric", "n"],
            ["verify", "--token", "@in.csv", "--public", "k.pem"],
            ["salt", "button", "--users", "in.csv", "--balance", "n"],
            ["exposures", "counts", "in.csv"], ["import-verify", "in.csv"],
        ])
    func inputsOfCommands(arguments: [String]) throws {
        let workspace = try workspace()
        let output = ["-o", "./in.csv"]
        let place = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let words = arguments[..<place] + output + arguments[place...]
        try Program.run(Array(words), in: workspace.url).expectFailure(
            "./in.csv is the input itself; name another file with -o")
        #expect(try workspace.read("in.csv") == "user_id\n007\n")
    }

    @Test("A full disk is an error")
    func fullDisk() throws {
        let workspace = try workspace()
        try workspace.run("assign", "in.csv", "-o", "/dev/full").expectFailure(
            "cannot write /dev/full: the disk is full (No space left on device); free some space or write elsewhere "
                + "with -o"
        )
        try workspace.shell(#""$ALLOT" assign in.csv > /dev/full"#).expectFailure(
            """
            cannot write standard output: the disk is full (No space left on device); free some space or write \
            elsewhere with -o
            """)
    }

    @Test(
        "A full disk is an error for every command", arguments: ["check", "config u", "explain u", "bucket button u"])
    func fullDiskOfOtherCommands(command: String) throws {
        try workspace().shell(#""$ALLOT" \#(command) > /dev/full"#).expectFailure(
            """
            cannot write standard output: the disk is full (No space left on device); free some space or write \
            elsewhere with > FILE
            """)
        try workspace().shell(#""$ALLOT" \#(command) >&-"#).expectFailure(
            "cannot write standard output: it is closed (Bad file descriptor); name a file with > FILE")
    }

    /// The output, opened in the place of standard error, does not receive the summary.
    @Test("A closed standard error does not stop a command")
    func closedStandardError() throws {
        let workspace = try workspace()
        let result = try workspace.shell(
            #"mkfifo pipe; cat pipe > copy.csv & "$ALLOT" assign - -o pipe < in.csv 2>&-; echo $?; wait"#)
        #expect(result.text == "0\n")
        #expect(try workspace.read("copy.csv") == "user_id,button\n007,green\n")
    }
}
