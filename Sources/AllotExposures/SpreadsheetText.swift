internal import AllotConfiguration

/// Text of a CSV file that a spreadsheet cannot take for a formula. Senders choose texts of an export, and a
/// formula that a spreadsheet runs can send the sheet elsewhere or start programs.
enum SpreadsheetText {
    /// Appends a text as one CSV field, with an apostrophe in front if it begins as a formula does: spreadsheets then
    /// show it as it is.
    ///
    /// The field is in quotes if it has a comma, a semicolon or a tab, whichever is the delimiter: a spreadsheet that
    /// splits there too would take what follows for a cell of its own. (One that splits at semicolons only knows quotes
    /// at the start of a line alone; only other texts would help there.)
    static func append(_ text: String, to bytes: inout [UInt8], delimiter: CSVDelimiter) {
        let field = Array((startsFormula(text) ? "'" + text : text).utf8)
        if field.contains(where: { ",;\t".utf8.contains($0) }) {
            bytes.appendQuotedCSVField(field.span)
        } else {
            bytes.appendCSVField(field.span, delimiter: delimiter)
        }
    }

    /// Texts with an apostrophe count, so that programs restore each text by removing one leading apostrophe. Signed
    /// numbers and identifiers, such as `-1`, `+4930123456` and `-x9_A=`, do not: a formula of letters and digits
    /// computes, but it cannot act.
    private static func startsFormula(_ text: String) -> Bool {
        switch text.unicodeScalars.first {
        // The wide forms are the same to some spreadsheets.
        case "=", "@", "\t", "\r", "\n", "'", "\u{FF1D}", "\u{FF20}", "\u{FF0B}", "\u{FF0D}": true
        case "+", "-": !text.utf8.allSatisfy { $0.isOfPlainName || "+-/=.".utf8.contains($0) }
        default: false
        }
    }
}
