import TestSupport
import Testing

/// CSV that cannot be read: one line that says where, exit 1, no output file.
@Suite(.blocks) struct MalformedCSVTests {
    @Test("A malformed row stops the run with its place, and the old output is unchanged")
    func oldOutputStays() throws {
        let workspace = try Workspace.withButton(and: ["out.csv": "old\n"])
        try workspace.assign("user_id,country\na\n").expectFailure(
            "in.csv:2:2: 1 field where the header has 2; add the missing one")
        #expect(try workspace.read("out.csv") == "old\n")
        #expect(try workspace.files == ["in.csv", "out.csv"])
        try workspace.assign("user_id;country\na;DE\n").expectFailure(
            "in.csv:1:1: the fields are separated by semicolons, not by commas (if it is one column, put its name in "
                + "quotes); export the file with commas, or add --delimiter ';'")
    }

    /// 100 MB without a line end: refused once the limit is reached, without keeping them.
    @Test("An endless line is an error, not endless memory")
    func oneEndlessLine() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.shell(
            """
            printf 'user_id\\n' > in.csv && truncate -s 100M in.csv &&
                "$ALLOT" assign in.csv -o out.csv --at \(Shop.instant)
            """)
        result.expectFailure(
            "in.csv:2:1: the record that begins here is longer than 16777216 bytes; is a quote in it never closed?")
        #expect(try workspace.files == ["in.csv"])
    }

    @Test("A file of another format is an error of every command that reads CSV", arguments: ["assign", "srm"])
    func otherFormat(command: String) throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "PAR1\u{15}\u{4}\n"])
        try workspace.run(command, "in.csv").expectErrors(
            "allot: in.csv:1:1: this is a Parquet file, and CSV is read here; ")
        #expect(try workspace.files == ["in.csv"])
    }
}
