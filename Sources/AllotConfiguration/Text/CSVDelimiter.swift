/// The character between the fields of a CSV file. `Sendable`.
public enum CSVDelimiter: String, Sendable, CaseIterable {
    /// A comma, as in RFC 4180.
    case comma = ","
    /// A semicolon, which spreadsheets write where a comma separates decimals.
    case semicolon = ";"
    /// A tab.
    case tab
    /// A vertical bar.
    case bar = "|"

    package var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        case .bar: UInt8(ascii: "|")
        }
    }

    package var text: String { String(UnicodeScalar(byte)) }
    /// The first line of a file, of names that need no quotes.
    package func header(_ names: [String]) -> [UInt8] { Array((names.joined(separator: text) + "\n").utf8) }

    package var name: String {
        switch self {
        case .comma: "comma"
        case .semicolon: "semicolon"
        case .tab: "tab"
        case .bar: "vertical bar"
        }
    }
}
