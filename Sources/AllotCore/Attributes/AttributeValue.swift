/// An attribute value as evaluation sees it: a few trivial words that refer to a buffer of bytes.
///
/// The first values of a subject's list are its attributes, in the order of the plan's ``AttributeTable``. The elements
/// of arrays and the members of objects follow them.
///
/// Public for other modules of this package alone: only what is public is inlined into them, and batches make one for
/// each field.
@_spi(Groups) public struct AttributeValue: Sendable {
    /// A kind of values.
    public enum Kind: UInt8, Sendable {
        /// Not given. An empty CSV field counts as missing.
        case missing
        case null
        case boolean
        /// A number from JSON.
        case number
        /// A text from JSON.
        case text
        /// Text from CSV, a query string or a command line, which is read as the type of a literal.
        case untyped
        /// `length` values from index `start`.
        case array
        /// `length` pairs of a name and a value from index `start`.
        case object
    }

    @usableFromInline package let kind: Kind
    /// The first byte of a text (of a number: of its digits), or the index of the first element or member.
    @usableFromInline package let start: Int
    /// The number of bytes, elements or members; 1 for `true`.
    @usableFromInline package let length: Int
    @usableFromInline package let number: Double

    /// Makes a value from its parts, whose meaning depends on the kind.
    @inlinable @inline(__always) public init(_ kind: Kind, start: Int = 0, length: Int = 0, number: Double = 0) {
        self.kind = kind
        self.start = start
        self.length = length
        self.number = number
    }

    /// A value that is not given.
    @inlinable @inline(__always) public static var missing: AttributeValue { AttributeValue(.missing) }

    /// Untyped text. An empty one is a missing attribute.
    @inlinable @inline(__always) public static func untyped(start: Int, length: Int) -> AttributeValue {
        AttributeValue(length == 0 ? .missing : .untyped, start: start, length: length, number: 0)
    }

    /// The place of a text in the buffer of bytes, or of an array's elements in the list of values.
    @inline(__always) package var range: Range<Int> { start..<start + length }
    @inline(__always) var isText: Bool { kind == .text || kind == .untyped }
    @inline(__always) var isAbsent: Bool { kind == .missing || kind == .null }
    /// Whether the value is a whole JSON number below 2⁵³ without fraction and exponent, which can be a unit ID.
    var isWholeNumber: Bool { kind == .number && length > 0 }
}
