/// A format of files that are given where CSV is read, known by their first record.
struct ForeignFormat {
    let message: String

    /// The format of a file from its first record, and what follows. Returns `nil` if the file may be CSV.
    init?(of record: [UInt8], before rest: [UInt8] = []) {
        let start = Array((record + rest).prefix(512))
        let found =
            Self.marks.first { start.starts(with: $0.mark) }?.message
            ?? Self.unmarked.first { $0.matches(start) }?.message
            ?? Self.texts.first { $0.matches(record) }?.message
        guard let found else { return nil }
        message = found
    }

    // MARK: Formats with a mark

    /// The bytes that files of a format begin with, and what to do with them. A mark that could be the name of a column
    /// goes on with what follows it.
    private static let marks: [(mark: [UInt8], message: String)] = [
        (ascii("PAR1", 0x15), assigned("a Parquet file", "python -m allot assign users.parquet -o assigned.parquet")),
        (ascii("ARROW1", 0, 0), assigned("an Arrow file")),
        ([0xFF, 0xFF, 0xFF, 0xFF], assigned("an Arrow stream")), ([0x1F, 0x8B], compressed("gzip", "gz")),
        ([0x28, 0xB5, 0x2F, 0xFD], compressed("zstd", "zst")),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], compressed("xz", "xz")),
        ([0x04, 0x22, 0x4D, 0x18], compressed("lz4", "lz4")), (ascii("LZIP", 1), compressed("lzip", "lz")),
        ([0x1F, 0x9D], compressed("gzip", "Z")), ([0x5D, 0, 0], compressed("xz", "lzma")),
        (
            ascii("PK", 3, 4),
            piped(
                "a ZIP archive or a workbook, such as .xlsx; save the sheet as CSV, or decompress the file",
                "unzip -p users.zip")
        ),
        (
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
            "this is a file of Microsoft Office, such as .xls, and CSV is read here; save the sheet as CSV"
        ),
        (ascii("7z", 0xBC, 0xAF, 0x27, 0x1C), piped("a 7z archive; decompress it", "7z x -so users.7z")),
        (ascii("Rar!", 0x1A, 7), piped("a RAR archive; decompress it", "unrar p -inul users.rar")),
        (
            ascii("version https://git-lfs"),
            "this is a pointer of Git LFS in place of the file; fetch the file: git lfs pull"
        ),
        (ascii("SQLite format 3", 0), database("SQLite", "sqlite3 -csv -header users.db")),
        (ascii("Obj", 1), other("an Avro file")), (ascii("%PDF-"), other("a PDF")),
        ([0x89] + ascii("PNG"), other("an image, PNG")), ([0x89] + ascii("HDF"), other("an HDF5 file")),
        (ascii("{\\rtf"), other("a document in RTF")),
        ([0xFF, 0xFE, 0, 0], encoded("UTF-32")), ([0, 0, 0xFE, 0xFF], encoded("UTF-32")),
        ([0xFF, 0xFE], encoded("UTF-16")), ([0xFE, 0xFF], encoded("UTF-16")),
    ]

    private static func ascii(_ text: String, _ more: UInt8...) -> [UInt8] { Array(text.utf8) + more }

    private static func piped(_ kind: String, _ command: String) -> String {
        "this is \(kind) into a pipe: \(command) | allot … -"
    }

    private static func database(_ program: String, _ command: String) -> String {
        piped("a database of \(program), and CSV is read here; export a table", "\(command) 'SELECT * FROM users'")
    }

    private static func assigned(_ kind: String, _ call: String = "plan.assign(table)") -> String {
        "this is \(kind), and CSV is read here; the Python package of Allot assigns it: \(call)"
    }

    private static func compressed(_ program: String, _ ending: String) -> String {
        "this file is compressed; decompress it into a pipe: \(program) -dc users.csv.\(ending) | allot … -"
    }

    private static func encoded(_ encoding: String) -> String {
        "this file is \(encoding), and UTF-8 is read here; convert it into a pipe: "
            + "iconv -f \(encoding) -t UTF-8 users.csv | allot … -"
    }

    private static func other(_ kind: String) -> String {
        "this is \(kind), and CSV is read here; export the rows as CSV"
    }

    // MARK: Formats without one

    /// The first bytes that tell a format.
    private static let unmarked: [(matches: @Sendable ([UInt8]) -> Bool, message: String)] = [
        // `BZh9`, and then the number pi.
        (
            { $0.starts(with: ascii("BZh")) && $0.dropFirst(4).starts(with: [0x31, 0x41, 0x59]) },
            compressed("bzip2", "bz2")
        ),
        (isZlib, compressed("pigz", "zz")),
        ({ $0.starts(with: ascii("ORC")) && isBinary($0.prefix(64).dropFirst(3)) }, other("an ORC file")),
        ({ $0.starts(with: ascii("FEA1")) && isBinary($0.prefix(64).dropFirst(4)) }, assigned("a Feather file")),
        ({ $0.dropFirst(257).starts(with: ascii("ustar")) }, piped("a tar archive; unpack it", "tar -xOf users.tar")),
        // A number of 64 bits follows, the version.
        (
            { $0.dropFirst(8).starts(with: ascii("DUCK")) && $0.dropFirst(14).starts(with: [0, 0, 0]) },
            database("DuckDB", "duckdb -csv users.duckdb")
        ),
        ({ nulls(in: $0) == [false, true, true, true] }, encoded("UTF-32LE")),
        ({ nulls(in: $0) == [true, true, true, false] }, encoded("UTF-32BE")),
        ({ isUTF16($0, high: 1) }, encoded("UTF-16LE")), ({ isUTF16($0, high: 0) }, encoded("UTF-16BE")),
        (
            isMarkup,
            "this is HTML or XML, perhaps a page about an error or a login in place of the file; look at it, and "
                + "download the CSV"
        ),
    ]

    /// The first record that tells a format.
    private static let texts: [(matches: @Sendable ([UInt8]) -> Bool, message: String)] = [
        (isJSON, "this is JSON, and CSV is read here; write a line with the names of the columns, then the values"),
        (
            endsLinesWithCarriageReturns,
            "the lines end with carriage returns alone, as on an old Mac; convert the file into a pipe: "
                + "tr '\\r' '\\n' < users.csv | allot … -"
        ),
    ]

    /// Which of the first four bytes are null, as those of wide ASCII are; `nil` unless the next four are the same.
    private static func nulls(in bytes: [UInt8]) -> [Bool]? {
        guard bytes.count >= 4, bytes.prefix(4).contains(0) else { return nil }
        let first = bytes.prefix(4).map { $0 == 0 }
        // A line feed ends the first record, and so it may end within a character.
        let next = bytes.dropFirst(4).prefix(4).map { $0 == 0 }
        return next.count < 4 || next == first ? first : nil
    }

    /// Whether a header is UTF-16, whose units have the high byte at `high`: its nulls belong to Latin characters, and
    /// some of those are separators, or most characters are Latin.
    private static func isUTF16(_ bytes: [UInt8], high: Int) -> Bool {
        // Other programs leave nulls in rows.
        guard bytes.prefix(bytes.firstIndex(of: CSVByte.lineFeed) ?? 64).contains(0) else { return false }
        let bytes = bytes.prefix(64)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { (bytes[$0 + high], bytes[$0 + 1 - high]) }
        let latin = units.filter { $0.0 == 0 }.map(\.1)
        let hasSeparator = latin.contains { ",;\t\n".utf8.contains($0) }
        return latin.count > 1 && !isBinary(latin[...]) && (hasSeparator || latin.count * 2 > units.count)
    }

    private static func isZlib(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x78, let flags = bytes.dropFirst().first, [0x01, 0x9C, 0xDA].contains(flags) else {
            return false
        }
        return isBinary(bytes.prefix(64)) || String(validating: bytes, as: UTF8.self) == nil
    }

    /// Whether there are control characters that no text has.
    private static func isBinary(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { $0 < 0x20 && !"\t\r\n".utf8.contains($0) }
    }

    private static let tags = [
        "html", "head", "body", "table", "center", "meta", "script", "style", "title", "link", "div", "pre", "h1", "p",
    ]

    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        let start = bytes.drop { " \t\r\n".utf8.contains($0) }.prefix(16)
        let text = String(decoding: start, as: UTF8.self).lowercased()
        if ["<!doctype", "<?xml", "<!--"].contains(where: { text.hasPrefix($0) }) { return true }
        // The name of a column may be in such brackets.
        guard let tag = tags.first(where: { text.hasPrefix("<\($0)") }) else { return false }
        let end = text.utf8.dropFirst(tag.utf8.count + 1)
        return end.first.map { ">/ \t\r\n".utf8.contains($0) } ?? true && !end.starts(with: ">,".utf8)
    }

    /// Whether a carriage return outside of quotes stands for a line end, since there are no line feeds.
    private static func endsLinesWithCarriageReturns(_ bytes: [UInt8]) -> Bool {
        guard !bytes.contains(CSVByte.lineFeed) else { return false }
        var isQuoted = false
        for byte in bytes.dropLast() {
            if byte == CSVByte.quote { isQuoted.toggle() }
            if byte == CSVByte.carriageReturn, !isQuoted { return true }
        }
        return false
    }

    /// Whether an object or a list begins, and not the name of a column, such as `[id]`.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, "{[".utf8.contains(first) else { return false }
        let next = bytes.dropFirst().first { !" \t\r\n".utf8.contains($0) }
        return next.map { "\"{[}]".utf8.contains($0) } ?? true
    }
}
