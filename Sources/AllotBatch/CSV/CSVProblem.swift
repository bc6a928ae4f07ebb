import AllotConfiguration

/// The problem that ends the processing of an input, and its place in the file.
public struct CSVError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the input: a path, or `standard input`.
    public let path: String
    /// The line, from 1. Line feeds within quotes count.
    public let line: Int
    /// The column in Unicode scalars, from 1. A byte order mark does not count.
    public let column: Int
    /// The fault and its fix.
    public let message: String
    /// The delimiter that the file has, if the fault is that another one is expected.
    public internal(set) var foundDelimiter: CSVDelimiter?

    /// Creates an error at a place of a file.
    package init(path: String, line: Int, column: Int, message: String) {
        (self.path, self.line, self.column, self.message) = (path, line, column, message)
    }

    /// `users.csv:3:14: text after a closing quote; …`
    public var description: String { "\(path):\(line):\(column): \(message)" }
}

/// The problem of a row that cannot be processed, and its place in the chunk.
package struct RowProblem: Error, Sendable, Hashable {
    package let offset: Int
    package let message: String
    /// The place of the byte, of a record that is too long for a chunk.
    var position = ChunkPosition()
    /// The delimiter that the file has, if the fault is that another one is expected.
    var foundDelimiter: CSVDelimiter?

    /// Creates a problem at a byte of the chunk.
    package init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    package init(_ problem: CSVProblem, offset: Int, delimiter: CSVDelimiter = .comma) {
        self.init(offset: offset, message: problem.message(delimiter: delimiter))
    }

    /// Creates the problem of a header with another delimiter than the expected one.
    init(found: CSVDelimiter, expected: CSVDelimiter) {
        self.init(
            offset: 0,
            message: "the fields are separated by \(found.name)s, not by \(expected.name)s (if it is one column, put "
                + "its name in quotes); export the file with \(expected.name)s")
        foundDelimiter = found
    }
}

/// A way in which a record can be malformed.
package enum CSVProblem: Sendable, Hashable {
    case quoteInUnquotedField
    /// Something other than the delimiter or the end of the line after a closing quote.
    case textAfterClosingQuote
    /// The opening quote of a field that is closed some lines below, where text follows: one of the two quotes is
    /// probably a part of the text, and the lines between them are rows.
    case quoteClosedBelow(lines: Int)
    /// A carriage return outside quotes that is not followed by a line feed.
    case bareCarriageReturn
    /// A quoted field that is still open at the end of the file.
    case unclosedQuote
    /// A number of fields that differs from the header's.
    case fieldCount(expected: Int, found: Int)
    /// The opening quote of a field that is closed below, in a record with another number of fields than the header.
    case fieldCountBelow(expected: Int, found: Int, lines: Int)
    case emptyLine(expected: Int)
    case invalidUTF8
    case recordTooLong(limit: Int)
    case quoteTooLong(limit: Int)

    package func message(delimiter: CSVDelimiter = .comma) -> String {
        switch self {
        case .quoteInUnquotedField:
            "a quote inside an unquoted field; put the whole field in quotes and double the quotes in it"
        case .textAfterClosingQuote:
            "text after a closing quote; a quote inside a quoted field is written twice"
        case .quoteClosedBelow(let lines):
            "this quote is closed \(Self.below(lines)), where text follows it; close it where its text ends, or "
                + "double it if it belongs to the text"
        case .bareCarriageReturn:
            "a carriage return without a line feed; end lines with LF or CRLF, or put the field in quotes"
        case .unclosedQuote:
            "this quote is never closed; close it, or double it if it belongs to the text"
        case .fieldCount(let expected, let found):
            """
            \(found) field\(found == 1 ? "" : "s") where the header has \(expected); \
            \(found > expected ? "put fields that hold a \(delimiter.name) in quotes"
                : expected - found > 1 ? "add the missing ones" : "add the missing one")
            """
        case .fieldCountBelow(let expected, let found, let lines):
            "this quote is closed \(Self.below(lines)), in a row of \(found) field\(found == 1 ? "" : "s") where the "
                + "header has \(expected); close it where its text ends, or write the row with \(expected) fields"
        case .emptyLine(let expected):
            "an empty line where the header has \(expected) fields; remove it"
        case .invalidUTF8:
            "bytes that are not UTF-8; convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8"
        case .recordTooLong(let limit):
            "the record that begins here is longer than \(limit) bytes; is a quote in it never closed?"
        case .quoteTooLong(let limit):
            "this quote is not closed within the \(limit) bytes of the longest record; close it, or double it if it "
                + "belongs to the text"
        }
    }

    private static func below(_ lines: Int) -> String { lines == 1 ? "in the next line" : "\(lines) lines below" }
}
