/// A format of files that are given where CSV is read, known by their first record.
enum ForeignFormat: CaseIterable {
    case parquet, arrow, gzip, zstandard, zip, utf16, json, semicolons, tabs

    /// The format of a file that begins with some bytes, at best its first record. Returns `nil` if it may be CSV.
    init?(of bytes: [UInt8]) {
        guard let format = Self.allCases.first(where: { $0.matches(bytes) }) else { return nil }
        self = format
    }

    /// What is wrong and how to fix it.
    var message: String {
        switch self {
        case .parquet:
            "this is a Parquet file, and CSV is read here; the Python package of Allot assigns it: "
                + "python -m allot assign users.parquet -o assigned.parquet"
        case .arrow:
            "this is an Arrow file, and CSV is read here; the Python package of Allot assigns it: plan.assign(table)"
        case .gzip: "this file is compressed; decompress it into a pipe: gzip -dc users.csv.gz | allot … -"
        case .zstandard: "this file is compressed; decompress it into a pipe: zstd -dc users.csv.zst | allot … -"
        case .zip:
            "this is a ZIP archive or a workbook, such as .xlsx; save the sheet as CSV, or decompress the file into a "
                + "pipe: unzip -p users.zip | allot … -"
        case .utf16:
            "this file is UTF-16, and UTF-8 is read here; convert it into a pipe: "
                + "iconv -f UTF-16 -t UTF-8 users.csv | allot … -"
        case .json: "this is JSON, and CSV is read here; write a line with the names of the columns, then the values"
        case .semicolons: Self.separated(by: "\";\"")
        case .tabs: Self.separated(by: "tabs")
        }
    }

    private static func separated(by separator: String) -> String {
        "the fields are separated by \(separator), and CSV has commas; export the file with commas, or put the name in "
            + "quotes if it is one column"
    }

    private func matches(_ bytes: [UInt8]) -> Bool {
        switch self {
        // The mark alone could be the name of a column; the header of the first page follows it.
        case .parquet: bytes.starts(with: Array("PAR1".utf8) + [0x15])
        case .arrow: bytes.starts(with: Array("ARROW1".utf8) + [0, 0])
        case .gzip: bytes.starts(with: [0x1F, 0x8B])
        case .zstandard: bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
        case .zip: bytes.starts(with: Array("PK".utf8) + [3, 4])
        case .utf16: bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        case .json: Self.isJSON(bytes)
        case .semicolons: Self.separator(of: bytes) == UInt8(ascii: ";")
        case .tabs: Self.separator(of: bytes) == UInt8(ascii: "\t")
        }
    }

    /// Whether an object or a list begins, and not the name of a column, such as `[id]`.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, "{[".utf8.contains(first) else { return false }
        let next = bytes.dropFirst().first { !" \t\r\n".utf8.contains($0) }
        return next.map { "\"{[}]".utf8.contains($0) } ?? true
    }

    /// The separator of a header without commas, if there is one outside quotes.
    private static func separator(of header: [UInt8]) -> UInt8? {
        var isQuoted = false
        var separator: UInt8?
        for byte in header {
            switch byte {
            case CSVByte.quote: isQuoted.toggle()
            case CSVByte.comma where !isQuoted: return nil
            case UInt8(ascii: ";") where !isQuoted, UInt8(ascii: "\t") where !isQuoted: separator = separator ?? byte
            default: break
            }
        }
        return separator
    }
}
