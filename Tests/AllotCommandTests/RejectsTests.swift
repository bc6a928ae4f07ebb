import TestSupport
import Testing

/// `--rejects`: malformed rows are set aside with the reason, the others are assigned.
@Suite(.blocks) struct RejectsTests {
    @Test("Malformed rows go to the reject file and the others are assigned")
    func severalBadRows() throws {
        let workspace = try Workspace.withButton()
        let rows = "user_id,n\n007,1\nb\nu,2\n\"c\"d,3\ne,\"4,\"\"5\"\"\",x\n\n7,\"6\n7\"\nf,a\rb\ng,".utf8
        let result = try workspace.assign(Array(rows) + [0xFF] + Array("\nh,\"8\n".utf8), "--rejects", "bad.csv")
        #expect(result.status == 0)
        #expect(try workspace.read("out.csv") == "user_id,n,button\n007,1,green\nu,2,control\n7,\"6\n7\",green\n")
        let rejected = try workspace.read("bad.csv").replacingInvalid()
        #expect(
            rejected == #"""
                line,column,reason,row
                3,2,1 field where the header has 2; add the missing one,b
                5,4,text after a closing quote; a quote inside a quoted field is written twice,"""c""d,3"
                6,13,3 fields where the header has 2; put fields that hold a comma in quotes,"e,""4,""""5"""""",x"
                7,1,an empty line where the header has 2 fields; remove it,
                10,4,"a carriage return without a line feed; end lines with LF or CRLF, or put the field in \#
                quotes","f,a\#rb"
                11,3,"bytes that are not UTF-8; convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8","g,?"
                12,3,"this quote is never closed; close it, or double it if it belongs to the text","h,""8
                "

                """#)
        #expect(
            result.errorLines.dropFirst().prefix(2) == [
                "7 malformed rows set aside",
                "    the first, in line 3, column 2: 1 field where the header has 2; add the missing one",
            ])
        #expect(result.errorLines.first?.hasPrefix("3 rows in ") == true)
        #expect(try workspace.files == ["bad.csv", "in.csv", "out.csv"])
    }

    /// Text after the quote is not read as rows, so the run fails although both files are complete.
    @Test(
        "A row of several lines that is set aside is a failure, and its opening quote is named",
        arguments: [
            // What follows the quote, the lines of the row, and what is said of the quote.
            ("x\nu4,\"y, z\"\nu5,1\n", 2, "\"this quote is closed in the next line, where text follows it; "),
            ("x\nu4,1\nu5,\"y\"\nu6,1\n", 3, "\"this quote is closed 2 lines below, where text follows it; "),
            ("x\nu4,1\nu5,1\nu6,1\n", 4, "\"this quote is never closed; "),
            (
                "x\nu4,y\",z\nu5,1\n", 2,
                "\"this quote is closed in the next line, in a row of 3 fields where the header"
            ),
        ])
    func swallowedRows(rest: String, lines: Int, reason: String) throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.assign("user_id,n\nu1,1\nu2,2\nu3,\"\(rest)", "--rejects", "bad.csv")
        #expect(result.status == 1)
        #expect(try workspace.read("bad.csv").hasPrefix("line,column,reason,row\n4,4,\(reason)"))
        #expect(try workspace.read("out.csv").hasPrefix("user_id,n,button\nu1,1,"))
        #expect(result.errors.contains("1 malformed row of \(lines) lines, from line 4, set aside ("))
        #expect(
            result.errorLines.last?.hasPrefix("allot: 1 malformed row of several lines, of \(lines) from line 4 on: ")
                == true)
        try workspace.assign("user_id,n\nu1,1\nu2,2\nu3,\"\(rest)").expectErrors(
            start: "allot: in.csv:4:4: \(reason.dropFirst())")
    }

    /// Without an offset no row has an instant.
    @Test("A file of malformed rows alone is a failure, and the summary has the first reason")
    func everyRowIsMalformed() throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "user_id,at\nu1,2026-01-01 00:00:00\n"])
        func assign() throws -> Outcome {
            try Program.run(
                ["assign", "in.csv", "-o", "out.csv", "--rejects", "bad.csv", "--at-column", "at"], in: workspace.url)
        }
        let one = try assign()
        #expect(one.status == 1)
        #expect(
            one.errorLines.dropFirst().prefix(2) == [
                "1 malformed row set aside",
                #"    the first, in line 2, column 4: "2026-01-01 00:00:00" in the column "at" has no offset from "#
                    + "UTC; if it is in UTC, write 2026-01-01T00:00:00Z, or else end it with its offset, such as "
                    + "+01:00",
            ])
        #expect(
            one.errorLines.last
                == "allot: no row was assigned, as the only row is malformed; correct the input and assign again")
        #expect(try workspace.read("out.csv") == "user_id,at,button\n")
        try workspace.write("in.csv", "user_id,at\nu1,\nu2,soon\n")
        #expect(
            try assign().errorLines.last
                == "allot: no row was assigned, as all 2 rows are malformed; correct the input and assign again")
        try workspace.write("in.csv", "user_id,at\nu1,\nu2,2026-01-01T00:00:00Z\n")
        #expect(try assign().status == 0)
        try workspace.write("in.csv", "user_id,at\n")
        #expect(try assign().status == 0)
    }

    @Test("Without malformed rows the reject file has only a header")
    func noBadRow() throws {
        let workspace = try Workspace.withButton()
        #expect(try !workspace.assign("user_id\n007\n", "--rejects", "bad.csv").errors.contains("set aside"))
        #expect(try workspace.read("bad.csv") == "line,column,reason,row\n")
    }

    @Test("The reject file cannot be the output")
    func sameFileAsTheOutput() throws {
        let workspace = try Workspace.withButton()
        try workspace.assign("user_id\n007\n", "--rejects", "./out.csv").expectFailure(
            "./out.csv is the output as well; name another file with --rejects")
        try workspace.assign("user_id\n007\n", "--rejects", "../\(workspace.url.lastPathComponent)/in.csv")
            .expectFailure(
                "../\(workspace.url.lastPathComponent)/in.csv is the input itself; name another file with --rejects")
        #expect(try workspace.files == ["in.csv"])
    }
}

extension String {
    /// With "?" for what was not UTF-8.
    fileprivate func replacingInvalid() -> String {
        String(map { $0 == "\u{FFFD}" ? "?" : $0 })
    }
}
