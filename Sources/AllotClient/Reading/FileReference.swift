public import AllotConfiguration

public import struct Foundation.URL

/// A file that a setting refers to, to be fetched from where it is.
public struct FileReference: Sendable {
    /// The file's name.
    public let name: String
    /// Where it is.
    public let url: URL

    /// Refers to a file.
    public init(name: String, url: URL) {
        self.name = name
        self.url = url
    }
}

extension FileReference: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.areEqual(left.name, right.name) && left.url == right.url
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(UTF8Key(name))
        hasher.combine(url)
    }
}

extension FileReference: SettingValue {
    public static var expectation: String {
        #"a file such as {"__type": "File", "name": "a.png", "url": "https://example.com/a.png"}"#
    }

    static let type = "File"

    /// Takes Parse's objects of the type `File`.
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard let members = ParseObject.members(of: json, type: Self.type) else {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        name = try Self.member("name", of: members)
        url = try Self.member("url", of: members)
    }

    /// Takes as well objects with these members that do not say what they are, and addresses that want escapes.
    public init?(lenient json: JSONValue) {
        guard let members = ParseObject.members(leniently: json, type: Self.type), let name = members.text("name"),
            let url = members["url"].flatMap(URL.init(lenient:))
        else { return nil }
        self.init(name: name, url: url)
    }

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
