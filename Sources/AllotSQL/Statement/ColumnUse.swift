/// What a statement reads the text of a column as.
enum ColumnUse: String, CaseIterable {
    case unit = "unit ID"
    case text, boolean, number, version, instant
    case address = "IP address"
}
