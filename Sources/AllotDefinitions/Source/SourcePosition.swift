import AllotConfiguration

/// A place in a text file, as editors show it. `Sendable`.
///
/// Lines end with LF, CRLF or CR. Columns count Unicode scalars, not bytes and not grapheme clusters; a byte order
/// mark at the start of the file has no column.
public struct SourcePosition: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int

    /// Makes a position from a line and a column, both counted from 1.
    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

extension SourcePosition: Comparable {
    /// Orders positions as they follow each other in a file.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension SourcePosition: CustomStringConvertible {
    /// The position as compilers write it: `14:9`.
    public var description: String { "\(line):\(column)" }
}

extension SourcePosition {
    static let start = SourcePosition(line: 1, column: 1)

    init(_ cursor: TextPosition) { self.init(line: cursor.line, column: cursor.column) }
}
