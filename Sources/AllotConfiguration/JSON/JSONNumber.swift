/// A JSON number that keeps its digits as written. `Sendable`.
///
/// `1.50` stays `1.50`, and a 30-digit integer loses nothing. Two numbers are equal if their digits are; compare
/// ``double`` to compare values.
///
/// ```swift
/// let price = JSONNumber("1.50")
/// print(price?.text ?? "", price?.double == JSONNumber("1.5")?.double)  // 1.50 true
/// ```
public struct JSONNumber: Sendable, Hashable {
    /// The number as written, in JSON's grammar (RFC 8259, section 6).
    public let text: String

    /// Reads a JSON number. Returns `nil` for any other text.
    public init?(_ text: String) {
        guard Self.isNumber(text) else { return nil }
        self.text = text
    }

    /// Creates a whole number.
    public init(_ value: some BinaryInteger) { text = String(value) }

    /// Creates the number of the shortest text that reads back as `value`. Returns `nil` for NaN and infinities, which
    /// JSON cannot represent.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        let shortest = String(value)
        text = shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest
    }

    package init(unchecked text: String) { self.text = text }
    /// The nearest IEEE double; infinite when the number is beyond a double's range.
    public var double: Double { Double(text) ?? .nan }
    package var decimal: Decimal { Decimal(self) }

    package var isWrittenAsInteger: Bool {
        !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    }

    package static func isNumber(_ text: String) -> Bool { isNumber(text.utf8) }

    /// Whether bytes are a JSON number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
    static func isNumber(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = bytes[...]
        func digits() -> Int {
            let run = rest.prefix(while: \.isDigit)
            rest = rest[run.endIndex...]
            return run.count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let leadingZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !(leadingZero && whole > 1) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
