public import AllotConfiguration

public import struct Foundation.Data
public import struct Foundation.Date
public import struct Foundation.Decimal
public import struct Foundation.URL

extension Date: SettingValue {
    public static var expectation: String { "an instant such as 2026-11-21T12:00:00Z" }

    private static let type = "Date"

    /// Takes instants of RFC 3339, which have an offset and may have a fraction, and Parse's objects of the type `Date`
    /// that hold one; no numbers, which some count in seconds and some in milliseconds.
    public init(strict json: JSONValue) throws(SettingValueError) {
        let text: String? =
            if case .string(let text) = json { text } else {
                RichObject.members(of: json, type: Self.type)?.text("iso")
            }
        guard let date = text.flatMap(ISO8601Date.date) else {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        self = date
    }

    /// Parse's object, in UTC and rounded to the millisecond; null outside of the years 0 to 9999.
    public var json: JSONValue {
        ISO8601Date.text(self).map { [RichObject.typeName: .string(Self.type), "iso": .string($0)] } ?? .null
    }
}

extension Data: SettingValue {
    public static var expectation: String { "bytes as text in Base64" }

    private static let type = "Bytes"

    /// Takes texts in Base64 (RFC 4648, section 4), and Parse's objects of the type `Bytes` that hold one.
    public init(strict json: JSONValue) throws(SettingValueError) {
        let text: String? =
            if case .string(let text) = json { text } else {
                RichObject.members(of: json, type: Self.type)?.text("base64")
            }
        guard let text, let data = Data(base64Encoded: text) else {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        self = data
    }

    /// Parse's object.
    public var json: JSONValue {
        [RichObject.typeName: .string(Self.type), "base64": .string(base64EncodedString())]
    }
}

extension URL: SettingValue {
    public static var expectation: String { "an address such as https://example.com/" }

    /// Takes texts that are a URI with a scheme (RFC 3986, section 3).
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard case .string(let text) = json, let url = URL(string: text, encodingInvalidCharacters: false),
            url.scheme != nil
        else { throw SettingValueError(expected: Self.expectation, found: json) }
        self = url
    }

    /// Takes as well texts whose other characters must be escaped, and Parse's objects of the type `File`.
    public init?(lenient json: JSONValue) {
        let value = RichObject.members(of: json, type: FileReference.type)?["url"] ?? json
        guard case .string(let text) = value, let url = URL(string: text), url.scheme != nil else { return nil }
        self = url
    }

    public var json: JSONValue { .string(absoluteString) }
}

extension Foundation.Decimal: SettingValue {
    public static var expectation: String { "a number" }

    /// Takes numbers in the type's range, with up to 38 digits exactly.
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard case .number(let number) = json, let value = Self(nearest: number) else {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        self = value
    }

    /// Takes as well texts that are such a number in JSON's notation.
    public init?(lenient json: JSONValue) {
        guard let number = JSONNumber(lenient: json), let value = Self(nearest: number) else { return nil }
        self = value
    }

    public var json: JSONValue { JSONNumber(description).map(JSONValue.number) ?? .null }

    private init?(nearest number: JSONNumber) {
        guard let value = Self(string: number.text), value.isFinite else { return nil }
        self = value
    }
}
