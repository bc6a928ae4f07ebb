/// Well-formed CSV, read byte by byte in the simplest way, as an oracle.
struct CSVTable {
    let header: [String]
    let rows: [[String]]

    init(_ bytes: [UInt8]) {
        var records: [[String]] = []
        var record: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        func ended() -> String { String(decoding: field, as: UTF8.self) }
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\""):
                // The second one of a pair, which opens the quotes again, belongs to the text.
                if !isQuoted, index > 0, bytes[index - 1] == byte { field.append(byte) }
                isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                record.append(ended())
                field = []
            case UInt8(ascii: "\n") where !isQuoted:
                records.append(record + [ended()])
                record = []
                field = []
            default: field.append(byte)
            }
        }
        header = records.first ?? []
        rows = Array(records.dropFirst())
    }
}
