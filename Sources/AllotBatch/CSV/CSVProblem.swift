/// What makes a record malformed.
public enum CSVProblem: Sendable, Hashable {
    /// A quote inside a field that does not begin with one.
    case quoteInUnquotedField
    /// Something other than a comma or the end of the line behind a closing quote.
    case textAfterClosingQuote
    /// A carriage return outside quotes without a line feed behind it.
    case bareCarriageReturn
    /// A quoted field that the file ends in.
    case unclosedQuote
    /// Another number of fields than the header has.
    case fieldCount(expected: Int, found: Int)
    /// An empty line among rows of several fields.
    case emptyLine(expected: Int)
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// A record of more bytes than are read as one.
    case recordTooLong(limit: Int)

    /// What is wrong and how to mend it.
    public var message: String {
        switch self {
        case .quoteInUnquotedField:
            "a quote inside an unquoted field; put the whole field in quotes and double the quotes in it"
        case .textAfterClosingQuote:
            "text after a closing quote; a quote inside a quoted field is written twice"
        case .bareCarriageReturn:
            "a carriage return without a line feed; end lines with LF or CRLF, or put the field in quotes"
        case .unclosedQuote:
            "this quote is never closed; close it, or double it if it belongs to the text"
        case .fieldCount(let expected, let found):
            """
            \(found) field\(found == 1 ? "" : "s") where the header has \(expected); \
            \(found < expected ? "add the missing ones" : "put fields that hold a comma in quotes")
            """
        case .emptyLine(let expected):
            "an empty line where the header has \(expected) fields; remove it"
        case .invalidUTF8:
            "bytes that are not UTF-8; convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8"
        case .recordTooLong(let limit):
            """
            the record that begins here is longer than \(limit) bytes; is a quote in it never closed?
            """
        }
    }
}
