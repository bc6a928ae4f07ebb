import Foundation
import Testing

struct InputFileTests {
    @Test("A missing input is an error")
    func missing() throws {
        let workspace = try Workspace.withButton()
        try workspace.run("assign", "none.csv", "-o", "out.csv").expectFailure(
            "cannot read none.csv: there is no such file (No such file or directory); check its name")
        try workspace.write("file", "")
        try workspace.run("assign", "file/none.csv", "-o", "out.csv").expectFailure(
            "cannot read file/none.csv: a part of the path is a file, not a folder (Not a directory); check its name")
        #expect(try workspace.files == ["file"])
    }

    @Test("A folder as input is an error")
    func folder() throws {
        let workspace = try Workspace.withButton()
        try workspace.run("assign", "Experiments", "-o", "out.csv").expectFailure(
            "cannot read Experiments: it is a folder (Is a directory); name a file in it")
        #expect(try workspace.files == [])
    }

    @Test("An input that may not be read is an error", .enabled(if: getuid() != 0, "root reads everything"))
    func unreadable() throws {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", "user_id\n007\n")
        chmod(workspace.url.appendingPathComponent("in.csv").path, 0)
        try workspace.run("assign", "in.csv", "-o", "out.csv").expectFailure(
            "cannot read in.csv: reading it is not permitted (Permission denied); check its permissions")
        #expect(try workspace.files == ["in.csv"])
    }

    @Test(
        "A file of another format is an error that says what reads it",
        arguments: [
            (
                "PAR1\u{15}\u{4}\n",
                "this is a Parquet file, and CSV is read here; the Python package of Allot assigns it: "
                    + "python -m allot assign users.parquet -o assigned.parquet"
            ),
            (
                "ARROW1\0\0\u{1}",
                "this is an Arrow file, and CSV is read here; the Python package of Allot assigns it: "
                    + "plan.assign(table)"
            ),
            (
                "PK\u{3}\u{4}\u{14}",
                "this is a ZIP archive or a workbook, such as .xlsx; save the sheet as CSV, or decompress the file "
                    + "into a pipe: unzip -p users.zip | allot … -"
            ),
            (
                #"{"user_id": "a", "country": "DE"}"# + "\n",
                "this is JSON, and CSV is read here; write a line with the names of the columns, then the values"
            ),
            (
                "[\n  {",
                "this is JSON, and CSV is read here; write a line with the names of the columns, then the values"
            ),
        ])
    func otherFormat(start: String, message: String) throws {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", start)
        for command in ["assign", "srm"] {
            let outcome = try workspace.run(command, "in.csv")
            #expect(outcome.errorLines.contains("allot: in.csv:1:1: \(message)"))
            #expect(outcome.status == 1)
        }
        #expect(try workspace.files == ["in.csv"])
    }

    @Test("UTF-16 is an error that says how to convert it; a column may be in brackets")
    func utf16() throws {
        let workspace = try Workspace.withButton()
        for start: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF]] {
            try workspace.write("in.csv", start + [0, 0x75, 0, 0x0A])
            #expect(try workspace.run("assign", "in.csv").errors.contains("iconv -f UTF-16 -t UTF-8"))
        }
        try workspace.write("in.csv", "[user],{user_id}\n1,user-1\n")
        #expect(try workspace.run("assign", "in.csv", "--unit-column", "{user_id}").status == 0)
    }

    @Test("Compressed bytes are an error that says how to decompress them; a column may be called PAR1")
    func compressed() throws {
        let workspace = try Workspace.withButton()
        try Data([0x1F, 0x8B, 8, 0]).write(to: workspace.url.appendingPathComponent("in.csv.gz"))
        #expect(try workspace.run("assign", "in.csv.gz").errors.contains("gzip -dc"))
        try workspace.write("in.csv", "PAR1,user_id\n1,user-1\n")
        #expect(try workspace.run("assign", "in.csv").status == 0)
    }

    @Test("A closed standard input is an error")
    func closedStandardInput() throws {
        let workspace = try Workspace.withButton()
        try workspace.shell(#""$ALLOT" assign - -o out.csv <&-"#).expectFailure(
            "cannot read standard input: it is closed (Bad file descriptor); name a file instead")
        #expect(try workspace.files == [])
    }
}
