public import AllotConfiguration

public import struct Foundation.URL

/// A file that a setting refers to, and that the app can download.
public struct FileReference: Sendable {
    /// The file's name.
    public let name: String
    /// Its URL.
    public let url: URL

    /// Creates a reference.
    public init(name: String, url: URL) {
        self.name = name
        self.url = url
    }
}

extension FileReference: Hashable {
    /// Compares the bytes of the names, and the URLs.
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.areEqual(left.name, right.name) && left.url == right.url
    }

    /// Hashes the name and the URL.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(UTF8Key(name))
        hasher.combine(url)
    }
}

extension FileReference: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String {
        #"a file such as {"__type": "File", "name": "a.png", "url": "https://example.com/a.png"}"#
    }

    static let type = "File"

    /// Accepts Parse's objects of the type `File`.
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard let members = ParseObject.members(of: json, type: Self.type) else {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        name = try Self.member("name", of: members)
        url = try Self.member("url", of: members)
    }

    /// Also accepts objects with these members and without a type, and URLs that need escaping.
    public init?(lenient json: JSONValue) {
        guard let members = ParseObject.members(leniently: json, type: Self.type), let name = members.text("name"),
            let url = members["url"].flatMap(URL.init(lenient:))
        else { return nil }
        self.init(name: name, url: url)
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
        do throws(SettingValueError) {
            return try Value(strict: value)
        } catch {
            throw error.inside(.member(name))
        }
    }
}
