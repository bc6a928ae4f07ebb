public import AllotConfiguration

public import struct Foundation.Data
public import struct Foundation.Date
public import struct Foundation.Decimal
public import struct Foundation.URL

extension Date: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "an instant such as 2026-11-21T12:00:00Z, or a day" }

    /// Accepts RFC 3339 instants, which have an offset and may have a fraction, Parse's objects of the type `Date` with
    /// one, and days such as `2026-11-21`, which begin at midnight in UTC; not numbers, since some systems count
    /// seconds and some milliseconds.
    public init(json: JSONValue) throws(SettingValueError) {
        if let text = json.text, text.utf8.count == 10, let start = ISO8601Date.date("\(text)T00:00Z") {
            self = start
            return
        }
        self = try ParseObject.value(of: json, type: "Date", "iso", expected: Self.expectation, ISO8601Date.date)
    }

    /// Parse's object, in UTC and rounded to the millisecond; null outside the years 0 to 9999.
    public var json: JSONValue {
        ISO8601Date.text(self).map { [ParseObject.typeName: "Date", "iso": .string($0)] } ?? .null
    }
}

extension Data: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "bytes as text in Base64" }

    /// Accepts texts in Base64 (RFC 4648, section 4), with padding, and Parse's objects of the type `Bytes` with one.
    /// Bits of the last letter that belong to no byte are ignored.
    public init(json: JSONValue) throws(SettingValueError) {
        self = try ParseObject.value(of: json, type: "Bytes", "base64", expected: Self.expectation) {
            Data(base64Encoded: $0)
        }
    }

    /// Parse's object.
    public var json: JSONValue { [ParseObject.typeName: "Bytes", "base64": .string(base64EncodedString())] }
}

extension URL: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "a URL such as https://example.com/" }

    /// Accepts texts that are a URI with a scheme (RFC 3986, section 3).
    public init(json: JSONValue) throws(SettingValueError) {
        guard let text = json.text, let url = Self.uri(text), url.scheme != nil else { throw Self.mismatch(json) }
        self = url
    }

    /// The URL of a text as it is. Returns `nil` if a character is not allowed there.
    private static func uri(_ text: String) -> URL? {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
            // Earlier systems encode no characters.
            return URL(string: text)
        }
        return URL(string: text, encodingInvalidCharacters: false)
    }

    /// The value as JSON.
    public var json: JSONValue { .string(absoluteString) }
}

extension Foundation.Decimal: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "a number" }

    /// Accepts numbers in the type's range, with up to 38 digits exactly. The last digit as written must stand for
    /// 10^-128 to 10^127: 1e127 is accepted, 1e128 is not.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let number = json.asNumber else { throw Self.mismatch(json) }
        guard let value = Self(string: number.text), value.isFinite else {
            throw SettingValueError(
                expected: "\(Self.expectation) whose last digit stands for 10^-128 to 10^127", found: json)
        }
        self = value
    }

    /// The value as JSON.
    public var json: JSONValue { JSONNumber(description).map(JSONValue.number) ?? .null }
}

/// Dates as RFC 3339 instants. Foundation's parsers accept 30 February, and its formatter truncates fractions.
enum ISO8601Date {
    static let range =
        Double(Instant.writable.lowerBound.milliseconds)...Double(Instant.writable.upperBound.milliseconds)

    static func date(_ text: String) -> Date? {
        Instant(text).map { Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1e9) }
    }

    /// An instant in UTC, rounded to the millisecond. Returns `nil` outside of the years 0 to 9999.
    static func text(_ date: Date) -> String? {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        return range.contains(rounded) ? Instant(milliseconds: Int64(rounded)).text(.milliseconds) : nil
    }
}
