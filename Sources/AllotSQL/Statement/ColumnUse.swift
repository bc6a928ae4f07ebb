/// How a statement interprets a column of text.
enum ColumnUse: String, CaseIterable {
    case unit = "unit ID"
    case text, boolean, number, version, instant
    case address = "IP address"
}
