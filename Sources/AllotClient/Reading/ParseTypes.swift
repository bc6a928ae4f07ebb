public import AllotConfiguration

public import struct Foundation.URL

/// Objects by which Parse represents types that JSON does not have: `{"__type": "Date", "iso": "…"}`.
///
/// An object of an unknown type is just an object.
enum ParseObject {
    static let typeName = "__type"

    /// The members of an object of a type. Returns `nil` for any other value.
    static func members(of value: JSONValue, type: String) -> JSONObject? {
        guard let object = value.asObject, let written = object.text(typeName), UTF8Order.areEqual(written, type)
        else { return nil }
        return object
    }

    /// Converts the text of a member of an object of a type, or a plain text.
    ///
    /// - Throws: `SettingValueError` with the place of a text that cannot be converted.
    static func value<Value>(
        of json: JSONValue, type: String, _ member: String, expected: String, _ convert: (String) -> Value?
    ) throws(SettingValueError) -> Value {
        let members = members(of: json, type: type)
        let found = members.map { $0[member] } ?? json
        guard let text = found?.text, let value = convert(text) else {
            throw SettingValueError(expected: expected, found: found, path: members == nil ? [] : [.member(member)])
        }
        return value
    }
}

/// A place on Earth, in degrees of WGS 84.
public struct GeoPoint: Sendable, Hashable {
    /// Degrees north of the equator: -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich: -180 to 180.
    public let longitude: Double

    /// Creates a place. Returns `nil` for degrees that are out of range.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension GeoPoint: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String {
        #"a place such as {"__type": "GeoPoint", "latitude": 52.5, "longitude": 13.4}"#
    }

    private static let type = "GeoPoint"

    /// Accepts Parse's objects of the type `GeoPoint`.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let members = ParseObject.members(of: json, type: Self.type) else { throw Self.mismatch(json) }
        latitude = try Self.degrees("latitude", in: members, -90...90)
        longitude = try Self.degrees("longitude", in: members, -180...180)
    }

    /// The value as JSON.
    public var json: JSONValue {
        [ParseObject.typeName: .string(Self.type), "latitude": latitude.json, "longitude": longitude.json]
    }

    private static func degrees(
        _ name: String, in members: JSONObject, _ range: ClosedRange<Double>
    ) throws(SettingValueError) -> Double {
        let value = members[name]
        guard let degrees = value?.double, range.contains(degrees) else {
            let bounds = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
            throw SettingValueError(expected: "degrees from \(bounds)", found: value, path: [.member(name)])
        }
        return degrees
    }
}

/// A file that a setting refers to, and that the app can download.
public struct FileReference: Sendable, Hashable {
    /// The file's name.
    public var name: String { key.text }
    /// Its URL.
    public let url: URL
    private let key: UTF8Key

    /// Creates a reference.
    public init(name: String, url: URL) {
        key = UTF8Key(name)
        self.url = url
    }
}

extension FileReference: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String {
        #"a file such as {"__type": "File", "name": "a.png", "url": "https://example.com/a.png"}"#
    }

    static let type = "File"

    /// Accepts Parse's objects of the type `File`.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let members = ParseObject.members(of: json, type: Self.type) else { throw Self.mismatch(json) }
        try self.init(name: Self.member("name", of: members), url: Self.member("url", of: members))
    }

    /// The value as JSON.
    public var json: JSONValue {
        [ParseObject.typeName: .string(Self.type), "name": .string(name), "url": url.json]
    }

    private static func member<Value: SettingValue>(
        _ name: String, of members: JSONObject
    ) throws(SettingValueError) -> Value {
        guard let value = members[name] else {
            throw SettingValueError(expected: Value.expectation, found: nil, path: [.member(name)])
        }
        return try Value(json: value, at: .member(name))
    }
}

extension GeoPoint: Codable {
    /// Accepts what ``init(json:)`` accepts.
    public init(from decoder: any Decoder) throws {
        self = try decoder.settingValue()
    }

    /// Writes Parse's object.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}

extension FileReference: Codable {
    /// Accepts what ``init(json:)`` accepts.
    public init(from decoder: any Decoder) throws {
        self = try decoder.settingValue()
    }

    /// Writes Parse's object.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}
