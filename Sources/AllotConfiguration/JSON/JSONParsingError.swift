/// The fault of bytes that are not JSON, and its place. `Sendable`.
public struct JSONParsingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int
    /// The fault and its fix.
    public let message: String

    package init(message: String, offset: Int, in bytes: [UInt8]) {
        var cursor = TextPosition()
        cursor.advance(to: offset, in: bytes)
        line = cursor.line
        column = cursor.column
        self.message = message
    }

    /// `3:14: expected a comma`
    public var description: String { "\(line):\(column): \(message)" }
}

/// The line and column of a byte offset that moves forward through UTF-8 text. Lines end with LF, CRLF or CR; columns
/// count Unicode scalars.
package struct TextPosition: Sendable, Hashable {
    package private(set) var offset = 0
    package private(set) var line = 1
    package private(set) var column = 1

    package init() {}

    /// Moves forward to a byte offset. Does nothing if the offset is before the present one.
    package mutating func advance(to target: Int, in bytes: [UInt8]) {
        while offset < min(target, bytes.count) {
            let byte = bytes[offset]
            offset += 1
            let isBeforeLineFeed = offset < bytes.count && bytes[offset] == UInt8(ascii: "\n")
            switch byte {
            case UInt8(ascii: "\r") where isBeforeLineFeed: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): (line, column) = (line + 1, 1)
            case _ where byte & 0xC0 != 0x80: column += 1
            default: break
            }
        }
    }
}
