public import AllotConfiguration

public import struct Foundation.URL

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
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard let members = ParseObject.members(of: json, type: Self.type) else { throw Self.mismatch(json) }
        try self.init(name: Self.member("name", of: members), url: Self.member("url", of: members))
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
        return try Value(strict: value, at: .member(name))
    }
}
