import TestSupport
import Testing

@Suite(.blocks) struct BrokenPipeTests {
    /// The status of `allot` goes out through descriptor 3, past the pipe.
    private func run(_ command: String, into reader: String, in workspace: Workspace) throws -> Outcome {
        try workspace.shell(
            #"exec 3>&1; { "$ALLOT" \#(command) --at \#(Shop.instant); echo "status $?" >&3; } | \#(reader)"#)
    }

    private static let message = """
        allot: cannot write standard output: the program that reads it has stopped (Broken pipe); let that program \
        read to the end

        """

    /// `head` goes after one line, long before the megabyte that a pipe does not hold.
    @Test("A command ends with 1 if the reader of its output stops")
    func readerThatStops() throws {
        let workspace = try Workspace.withButton()
        let row = "007,\(String(repeating: "x", count: 1000))\n"
        try workspace.write("in.csv", "user_id,n\n" + String(repeating: row, count: 1000))
        let result = try run("assign in.csv", into: "head -1", in: workspace)
        #expect(result.text.split(separator: "\n").sorted() == ["status 1", "user_id,n,button"])
        #expect(result.errors == Self.message)
    }

    @Test("A reader that reads everything gets everything")
    func readerThatReadsAll() throws {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", "user_id\n007\n")
        let result = try run("assign in.csv", into: "cat", in: workspace)
        #expect(result.text.split(separator: "\n").sorted() == ["007,green", "status 0", "user_id,button"])
    }

    /// One write after the reader has gone: `wait` orders the two.
    @Test("allot config ends with 1 if nothing reads its output")
    func configWithoutReader() throws {
        let result = try Workspace.withButton().shell(
            #"mkfifo pipe; true < pipe & exec 3> pipe; wait; "$ALLOT" config u >&3; echo $?"#)
        #expect(result.text == "1\n")
        #expect(result.errors == Self.message)
    }
}
