import AllotFiles
import Testing

@testable import AllotBatch

/// Files that are not CSV in UTF-8: the message says what they are, and what reads or converts them.
struct ForeignFormatTests {
    private func message(_ bytes: [UInt8]) throws -> String? {
        do {
            _ = try ChunkReader(InputFile(bytes: bytes))
            return nil
        } catch let error as CSVError {
            #expect(error.line == 1)
            #expect(error.column == 1)
            return error.message
        }
    }

    @Test(
        "Formats are known by their first bytes",
        arguments: [
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], "xz -dc users.csv.xz"), ([0x1F, 0x9D, 0x90], "-dc users.csv.Z"),
            ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc users.csv.zst"), ([0x04, 0x22, 0x4D, 0x18], "lz4 -dc users.csv.lz4"),
            ([0xFF, 0xFF, 0xFF, 0xFF, 16, 0, 0, 0], "an Arrow stream"),
            ([0x5D, 0, 0, 0x80, 0, 0xFF], "users.csv.lzma"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "a file of Microsoft Office"),
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"), ([0xFF, 0xFE, 0, 0, 0x69, 0, 0, 0], "is UTF-32"),
            ([0x78, 0x9C, 0x2B, 0x2D, 0x4E], "pigz -dc users.csv.zz"), ([0x78, 0xDA, 0x4B, 0x01], "pigz -dc"),
            ([0x89, 0x50, 0x4E, 0x47, 13, 10, 0x1A, 10], "an image, PNG"),
            ([0x89, 0x48, 0x44, 0x46, 13, 10], "an HDF5"),
            ([0x52, 0x61, 0x72, 0x21, 0x1A, 7, 1, 0], "a RAR archive"),
            ([0x46, 0x45, 0x41, 0x31, 16, 0, 0], "a Feather"),
            ([1, 2, 3, 4, 5, 6, 7, 8, 0x44, 0x55, 0x43, 0x4B, 64, 0, 0, 0, 0, 0, 0, 0], "duckdb -csv users.duckdb"),
            (Array("in.csv".utf8) + [UInt8](repeating: 0, count: 251) + Array("ustar".utf8), "tar -xOf users.tar"),
            ([0xFF, 0xFE, 0, 0x75, 0, 10], "iconv -f UTF-16 -t UTF-8"), ([0xFE, 0xFF, 0, 0x75], "iconv -f UTF-16 -t"),
        ] as [([UInt8], String)])
    func binary(start: [UInt8], part: String) throws {
        #expect(try message(start)?.contains(part) == true)
    }

    @Test(
        "Formats are known by their first characters",
        arguments: [
            ("PAR1\u{15}\u{4}\n", "python -m allot assign users.parquet -o"), ("ARROW1\0\0\u{1}", "plan.assign(table)"),
            ("PK\u{3}\u{4}\u{14}", "a ZIP archive or a workbook"),
            ("BZh91AY&SY\u{1}", "bzip2 -dc users.csv.bz2 | allot"),
            ("LZIP\u{1}\n", "lzip -dc users.csv.lz"), ("ORC\n\u{5}\0\u{2}", "an ORC file"),
            ("ORC\u{11}\0", "an ORC file"),
            ("Obj\u{1}\u{4}", "an Avro file, and CSV is read here; export the rows as CSV"), ("%PDF-1.7\n", "is a PDF"),
            ("{\\rtf1\\ansi\n", "a document in RTF"), ("SQLite format 3\0\u{10}", "sqlite3 -csv -header users.db"),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:", "git lfs pull"),
            ("<!DOCTYPE html>\n<html>", "HTML"),
            ("\n\n<html>", "HTML"), (" \t<HTML><body>Log in", "HTML"), ("<center><h1>502 Bad Gateway</h1>", "HTML"),
            ("<table>\n<tr>", "HTML"), ("<meta charset=\"utf-8\">", "HTML"), ("<script\n", "HTML"),
            ("<p>Sorry", "HTML"),
            ("<pre>\r\n", "HTML"), ("<p", "HTML"), ("<?xml version=\"1.0\"?><Error>", "download the CSV"),
            ("u\0s\0e\0r\0_\0i\0d\0\n\0", "-f UTF-16LE -t UTF-8"),
            ("\0u\0s\0e\0r\0_\0i\0d\0\n", "-f UTF-16BE -t UTF-8"),
            ("i\0\0\0d\0\0\0\n\0\0\0", "-f UTF-32LE -t UTF-8"), ("user_id,country\ra,DE\rb,US\r", "tr '\\r' '\\n' <"),
            ("user_id\ra\rb", "as on an old Mac"), ("{\"user_id\": \"a\"}\n", "this is JSON"),
            ("[\n  {", "this is JSON"),
        ])
    func characters(start: String, part: String) throws {
        #expect(try message(Array(start.utf8))?.contains(part) == true)
    }

    @Test(
        "Names of columns that begin like another format stay names",
        arguments: [
            "ORC", "BZh91", "Obj", "PK", "7z", "FEA1", "LZIP", "htmlpage", "<id>", "[id]", "\"a\rb\"", "a\0b", "PAR1",
            "SQLite", "<p>", "<header>", "<peter", "x^2", "x\u{6AA}", "DUCK", "Rar!", "version", "]",
            "[user],{user_id}",
        ])
    func names(name: String) throws {
        #expect(try message(Array("user_id,\(name)\nu1,x\n".utf8)) == nil)
        #expect(try message(Array("\(name),user_id\nx,u1\n".utf8)) == nil)
    }

    @Test(
        "UTF-16 without a mark is named whatever the letters of the header",
        arguments: ["имя,user_id\n", "名前,user_id\nu1", "一,上,user_id\n", "größe\n1\n", "имя;id\n", "user_id"])
    func utf16WithoutMark(header: String) throws {
        let big = header.utf16.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(try message(big.flatMap { $0.reversed() })?.hasPrefix("this file is UTF-16LE, ") == true)
        #expect(try message(big.flatMap { $0 })?.hasPrefix("this file is UTF-16BE, ") == true)
    }
}
