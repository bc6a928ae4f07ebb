public import AllotConfiguration

/// Objects by which Parse represents types that JSON does not have: `{"__type": "Date", "iso": "…"}`.
enum ParseObject {
    static let typeName = SettingFormat.typeKey

    static func members(of value: JSONValue, type: String) -> JSONObject? {
        guard let object = value.asObject, let written = object.text(typeName), UTF8Order.areEqual(written, type)
        else { return nil }
        return object
    }

    /// Converts the text of a member of an object of a type, or a plain text.
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

    static func member<Value>(
        _ name: String, of members: JSONObject, expected: String, _ convert: (JSONValue) -> Value?
    ) throws(SettingValueError) -> Value {
        guard let value = members[name].flatMap(convert) else {
            throw SettingValueError(expected: expected, found: members[name], path: [.member(name)])
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
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

extension GeoPoint: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "a place such as \(SettingFormat.geoPoint.example)" }

    /// Accepts Parse's objects of the type `GeoPoint`.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let members = ParseObject.members(of: json, type: "GeoPoint") else { throw Self.mismatch(json) }
        latitude = try Self.degrees("latitude", in: members, -90...90)
        longitude = try Self.degrees("longitude", in: members, -180...180)
    }

    /// The value as JSON.
    public var json: JSONValue {
        [ParseObject.typeName: "GeoPoint", "latitude": latitude.json, "longitude": longitude.json]
    }

    private static func degrees(
        _ name: String, in members: JSONObject, _ range: ClosedRange<Double>
    ) throws(SettingValueError) -> Double {
        let bounds = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
        return try ParseObject.member(name, of: members, expected: "degrees from \(bounds)") { value in
            value.double.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension GeoPoint: Codable {
    /// Accepts what ``init(json:)`` accepts.
    public init(from decoder: any Decoder) throws { self = try decoder.settingValue() }
    /// Writes Parse's object.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
