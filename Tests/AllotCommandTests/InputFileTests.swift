import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct InputFileTests {
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

    private static let markup =
        "this is HTML or XML, perhaps a page about an error or a login in place of the file; look at it, and download "
        + "the CSV"
    private static let classicMac =
        "the lines end with carriage returns alone, as on an old Mac; convert the file into a pipe: "
        + #"tr '\r' '\n' < users.csv | allot … -"#

    @Test(
        "Compressed files, workbooks and Arrow streams are known by bytes that are not text",
        arguments: [
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00, 0x04], "xz -dc users.csv.xz"),
            ([0x1F, 0x9D, 0x90], "gzip -dc users.csv.Z"),
            ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc users.csv.zst"), ([0x04, 0x22, 0x4D, 0x18], "lz4 -dc users.csv.lz4"),
            ([0xFF, 0xFF, 0xFF, 0xFF, 0x10, 0x00, 0x00, 0x00], "this is an Arrow stream"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "this is a file of Microsoft Office"),
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "this is a 7z archive"),
            ([0xFF, 0xFE, 0x00, 0x00, 0x69, 0x00, 0x00, 0x00], "this file is UTF-32"),
            ([0x5D, 0x00, 0x00, 0x80, 0x00, 0xFF, 0xFF], "xz -dc users.csv.lzma"),
            ([0x78, 0x9C, 0x2B, 0x2D, 0x4E], "pigz -dc users.csv.zz"), ([0x78, 0xDA, 0x4B, 0x01], "pigz -dc"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "this is an image, PNG"),
            ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "this is an HDF5 file"),
            ([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00], "this is a RAR archive"),
            ([0x46, 0x45, 0x41, 0x31, 0x10, 0x00, 0x00, 0x00], "this is a Feather file"),
            ([1, 2, 3, 4, 5, 6, 7, 8, 0x44, 0x55, 0x43, 0x4B, 64, 0, 0, 0, 0, 0, 0, 0], "duckdb -csv users.duckdb"),
            (Array("in.csv".utf8) + [UInt8](repeating: 0, count: 251) + Array("ustar".utf8), "tar -xOf users.tar"),
        ] as [([UInt8], String)])
    func binaryFormat(start: [UInt8], message: String) throws {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", start)
        let outcome = try workspace.run("assign", "in.csv")
        #expect(outcome.errors.hasPrefix("allot: in.csv:1:1: ") && outcome.errors.contains(message))
    }

    @Test(
        "Names of columns that begin like another format stay names",
        arguments: [
            "ORC", "BZh91", "Obj", "PK", "7z", "FEA1", "LZIP", "htmlpage", "<id>", "[id]", "\"a\rb\"", "a\0b", "PAR1",
            "SQLite", "<p>", "<header>", "<peter", "x^2", "x\u{6AA}", "DUCK", "Rar!", "version", "]",
        ])
    func namesLikeFormats(name: String) throws {
        let workspace = try Workspace.withButton()
        #expect(try workspace.assign("user_id,\(name)\nu1,x\n").status == 0)
        #expect(try workspace.assign("\(name),user_id\nx,u1\n").status == 0)
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
                "BZh91AY&SY\u{1}",
                "this file is compressed; decompress it into a pipe: bzip2 -dc users.csv.bz2 | allot … -"
            ),
            ("LZIP\u{1}\n", "this file is compressed; decompress it into a pipe: lzip -dc users.csv.lz | allot … -"),
            ("ORC\n\u{5}\0\u{2}", "this is an ORC file, and CSV is read here; export the rows as CSV"),
            ("ORC\u{11}\0", "this is an ORC file, and CSV is read here; export the rows as CSV"),
            ("Obj\u{1}\u{4}", "this is an Avro file, and CSV is read here; export the rows as CSV"),
            ("%PDF-1.7\n", "this is a PDF, and CSV is read here; export the rows as CSV"),
            ("{\\rtf1\\ansi\n", "this is a document in RTF, and CSV is read here; export the rows as CSV"),
            (
                "SQLite format 3\0\u{10}",
                "this is a database of SQLite, and CSV is read here; export a table into a pipe: "
                    + "sqlite3 -csv -header users.db 'SELECT * FROM users' | allot … -"
            ),
            ("<!DOCTYPE html>\n<html>", Self.markup), ("\n\n<html>", Self.markup),
            (" \t<HTML><body>Log in", Self.markup),
            ("<center><h1>502 Bad Gateway</h1>", Self.markup), ("<table>\n<tr>", Self.markup),
            ("<meta charset=\"utf-8\">", Self.markup), ("<script\n", Self.markup), ("<p>No access, sorry", Self.markup),
            ("<pre>\r\n", Self.markup), ("<p", Self.markup),
            (
                "version https://git-lfs.github.com/spec/v1\noid sha256:",
                "this is a pointer of Git LFS in place of the file; fetch the file: git lfs pull"
            ),
            ("<?xml version=\"1.0\"?><Error>", Self.markup),
            (
                "u\0s\0e\0r\0_\0i\0d\0\n\0",
                "this file is UTF-16LE, and UTF-8 is read here; convert it into a pipe: "
                    + "iconv -f UTF-16LE -t UTF-8 users.csv | allot … -"
            ),
            (
                "\0u\0s\0e\0r\0_\0i\0d\0\n",
                "this file is UTF-16BE, and UTF-8 is read here; convert it into a pipe: "
                    + "iconv -f UTF-16BE -t UTF-8 users.csv | allot … -"
            ),
            (
                "i\0\0\0d\0\0\0\n\0\0\0",
                "this file is UTF-32LE, and UTF-8 is read here; convert it into a pipe: "
                    + "iconv -f UTF-32LE -t UTF-8 users.csv | allot … -"
            ),
            ("user_id,country\ra,DE\rb,US\r", Self.classicMac), ("user_id\ra\rb", Self.classicMac),
            (
                #"{"user_id": "a", "country": "DE"}"# + "\n",
                "this is JSON, and CSV is read here; write a line with the names of the columns, then the values"
            ),
            (
                "[\n  {",
                "this is JSON, and CSV is read here; write a line with the names of the columns, then the values"
            ),
        ] as [(String, String)])
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

    @Test(
        "UTF-16 without a mark is named whatever the letters of the header",
        arguments: ["имя,user_id\n", "名前,user_id\nu1", "一,上,user_id\n", "größe\n1\n", "имя;id\n", "user_id"])
    func utf16WithoutMark(header: String) throws {
        let workspace = try Workspace.withButton()
        for (encoding, isLittle) in [("UTF-16LE", true), ("UTF-16BE", false)] {
            let bytes = header.utf16.flatMap { unit in
                let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
                return isLittle ? bytes.reversed() : bytes
            }
            try workspace.write("in.csv", bytes)
            #expect(
                try workspace.run("assign", "in.csv").errors.hasPrefix("allot: in.csv:1:1: this file is \(encoding), "))
        }
    }

    @Test("A closed standard input is an error")
    func closedStandardInput() throws {
        let workspace = try Workspace.withButton()
        try workspace.shell(#""$ALLOT" assign - -o out.csv <&-"#).expectFailure(
            "cannot read standard input: it is closed (Bad file descriptor); name a file instead")
        #expect(try workspace.files == [])
    }
}
