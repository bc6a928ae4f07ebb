/// One attribute value as evaluation sees it: a few trivial words that point into a buffer of bytes.
///
/// The first values of a subject's list are its attributes, in the order of the plan's ``AttributeTable``; the elements
/// of arrays and the members of objects follow behind them.
package struct AttributeValue: Sendable {
    package enum Kind: UInt8, Sendable {
        /// Not given; an empty CSV field is not given either.
        case missing
        case null
        case boolean
        /// A number with a type, from JSON.
        case number
        /// A text with a type, from JSON.
        case text
        /// Text from CSV, a query string or a command line: read as whatever type a literal asks for.
        case untyped
        /// `length` values from index `start` on.
        case array
        /// `length` pairs of a text value and a value from index `start` on.
        case object
    }

    package let kind: Kind
    /// The first byte of a text (of a number: of its digits), or the index of the first element or member.
    package let start: Int
    /// The number of bytes, elements or members; 1 for `true`.
    package let length: Int
    /// The value of a number.
    package let number: Double

    @inlinable @inline(__always)
    package init(_ kind: Kind, start: Int = 0, length: Int = 0, number: Double = 0) {
        self.kind = kind
        self.start = start
        self.length = length
        self.number = number
    }

    @inlinable @inline(__always)
    package static var missing: AttributeValue { AttributeValue(.missing) }

    /// Untyped text; an empty one is a missing attribute.
    @inlinable @inline(__always)
    package static func untyped(start: Int, length: Int) -> AttributeValue {
        AttributeValue(length == 0 ? .missing : .untyped, start: start, length: length, number: 0)
    }

    /// Where a text lies in the buffer of bytes.
    @inline(__always)
    package var range: Range<Int> {
        start..<start + length
    }

    /// Whether the value is text, typed or not.
    @inline(__always)
    var isText: Bool {
        kind == .text || kind == .untyped
    }

    /// Whether the value counts as absent.
    @inline(__always)
    var isAbsent: Bool {
        kind == .missing || kind == .null
    }

    /// Whether the value is a whole number as JSON writes one, below 2^53: such a number can be a unit ID.
    var isWholeNumber: Bool {
        kind == .number && length > 0
    }
}
