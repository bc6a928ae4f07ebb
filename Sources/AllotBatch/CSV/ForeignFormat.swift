/// A format of files that are given where CSV is read, known by their first bytes.
enum ForeignFormat: CaseIterable {
    case parquet, arrow, gzip, zstandard

    /// The format of a file that begins with some bytes. Returns `nil` if it may be CSV.
    init?(of bytes: [UInt8]) {
        guard let format = Self.allCases.first(where: { bytes.starts(with: $0.start) }) else { return nil }
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
        }
    }

    private var start: [UInt8] {
        switch self {
        // The mark alone could be the name of a column; the header of the first page follows it.
        case .parquet: Array("PAR1".utf8) + [0x15]
        case .arrow: Array("ARROW1".utf8) + [0, 0]
        case .gzip: [0x1F, 0x8B]
        case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }
}
