public import AllotConfiguration

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
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard let members = ParseObject.members(of: json, type: Self.type) else { throw Self.mismatch(json) }
        try self.init(members)
    }

    /// Also accepts objects with these members and without a type.
    public init?(lenient json: JSONValue) {
        guard let members = ParseObject.members(leniently: json, type: Self.type) else { return nil }
        try? self.init(members)
    }

    /// The value as JSON.
    public var json: JSONValue {
        [ParseObject.typeName: .string(Self.type), "latitude": latitude.json, "longitude": longitude.json]
    }

    private init(_ members: JSONObject) throws(SettingValueError) {
        latitude = try Self.degrees("latitude", in: members, -90...90)
        longitude = try Self.degrees("longitude", in: members, -180...180)
    }

    private static func degrees(
        _ name: String, in members: JSONObject, _ range: ClosedRange<Double>
    ) throws(SettingValueError) -> Double {
        let value = members[name]
        guard let degrees = value?.asNumber.flatMap(Double.init(nearest:)), range.contains(degrees) else {
            let bounds = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
            throw SettingValueError(expected: "degrees from \(bounds)", found: value, path: [.member(name)])
        }
        return degrees
    }
}
