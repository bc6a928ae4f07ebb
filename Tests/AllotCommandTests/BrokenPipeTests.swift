import TestSupport
import Testing

/// A reader that has read enough, such as `head`, ends a run as it ends other programs: by SIGPIPE, without a word.
@Suite(.blocks) struct BrokenPipeTests {
    /// The status of a program that SIGPIPE ended, as shells report it.
    private static let ended = 141

    /// The status of `allot` goes out through descriptor 3, past the pipe.
    private func run(_ command: String, into reader: String, in workspace: Workspace) throws -> Outcome {
        try workspace.shell(
            #"exec 3>&1; { "$ALLOT" \#(command) --at \#(Shop.instant); echo "status $?" >&3; } | \#(reader)"#)
    }

    /// Runs `allot` with a standard output that nothing reads: `wait` makes the reader go first.
    private func runWithoutReader(_ command: String, in workspace: Workspace) throws -> Outcome {
        try workspace.shell(
            #"[ -p pipe ] || mkfifo pipe; true < pipe & exec 3> pipe; wait; "$ALLOT" \#(command) >&3; echo $?"#)
    }

    /// `head` goes after one line, long before the megabyte that a pipe does not hold.
    @Test("A command ends by the signal if the reader of its output stops")
    func readerThatStops() throws {
        let workspace = try Workspace.withButton()
        let row = "007,\(String(repeating: "x", count: 1000))\n"
        try workspace.write("in.csv", "user_id,n\n" + String(repeating: row, count: 1000))
        let result = try run("assign in.csv", into: "head -1", in: workspace)
        #expect(result.text.split(separator: "\n").sorted() == ["status \(Self.ended)", "user_id,n,button"])
        #expect(result.errors == "")
    }

    @Test("A reader that reads everything gets everything")
    func readerThatReadsAll() throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "user_id\n007\n"])
        let result = try run("assign in.csv", into: "cat", in: workspace)
        #expect(result.text.split(separator: "\n").sorted() == ["007,green", "status 0", "user_id,button"])
    }

    @Test(
        "Every command ends by the signal if nothing reads its output",
        arguments: [
            "config u", "explain u", "explain u --json", "list", "list --json", "show button", "check",
            "check --format json", "check --format sarif", "bucket button u", "power --baseline 10% --effect 1%",
            "sql --dialect duckdb", "diff Experiments Experiments --format markdown", "assign in.csv",
            "assign in.csv --layout json", "", "--help", "help assign", "assign --help", "--version",
            "--generate-completion-script bash",
        ])
    func commandWithoutReader(command: String) throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "user_id\n007\n"])
        let result = try runWithoutReader(command, in: workspace)
        #expect(result.text == "\(Self.ended)\n")
        #expect(result.errors == "")
    }

    @Test("A file that is written as well is complete or does not appear")
    func otherOutput() throws {
        let workspace = try Workspace.withButton(and: [
            "in.csv": "user_id\n007\na,b\n", "old.csv": "old",
        ])
        for rejects in ["new.csv", "old.csv"] {
            let result = try runWithoutReader("assign in.csv --rejects \(rejects)", in: workspace)
            #expect(result.text == "\(Self.ended)\n")
        }
        #expect(try workspace.files == ["in.csv", "old.csv", "pipe"])
        #expect(try workspace.read("old.csv") == "old")
    }
}
