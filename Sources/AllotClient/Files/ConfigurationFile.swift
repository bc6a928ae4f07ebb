public import AllotConfiguration

public import struct Foundation.Data
public import struct Foundation.URL

/// A file that a setting refers to, and that the app downloads when it needs the file.
///
/// ```swift
/// import Foundation
///
/// struct HomeSettings: SettingsSection {
///     static let section = "Home"
///     @Setting("Logo") var logo: ConfigurationFile? = nil
/// }
///
/// func logo(of configuration: Configuration) async throws -> Data? {
///     try await configuration.settings(HomeSettings.self).logo?.data()
/// }
/// ```
public struct ConfigurationFile: Sendable {
    /// The file's name.
    public var name: String { key.text }
    /// The URL of its bytes.
    public let url: URL
    /// The number of its bytes; `nil` if the setting does not say.
    public var size: Int? { checksum?.size }
    /// The SHA-256 of its bytes as 64 hexadecimal digits in lower case; `nil` if the setting does not say.
    public var sha256: String? { checksum?.sha256 }
    let checksum: FileChecksum?
    private let key: UTF8Key
    private let files: ConfigurationFiles?

    /// Creates a reference to a file. Returns `nil` for a negative size, and for a SHA-256 in another form than
    /// ``sha256`` has.
    public init?(name: String, url: URL, size: Int, sha256: String) {
        guard size >= 0, SettingFormat.Member.isSHA256(sha256) else { return nil }
        self.init(name: name, url: url, FileChecksum(size: size, sha256: sha256))
    }

    private init(name: String, url: URL, _ checksum: FileChecksum?) {
        key = UTF8Key(name)
        (self.url, self.checksum) = (url, checksum)
        files = ConfigurationFiles.current
    }

    /// The bytes of the file: those that the client has stored, or else those that the server sends now.
    ///
    /// The file is downloaded once, even if several callers ask for it, and its size and its SHA-256 are verified. The
    /// client keeps it in its store, where later runs of the app find it without a network, until no stored
    /// configuration names it any more. The file must be one that was read from a client's configuration; see
    /// ``ConfigurationClient/data(of:)`` for any other one.
    public func data() async throws(ConfigurationFileError) -> Data {
        guard let files else {
            throw ConfigurationFileError(
                .withoutClient, self,
                "was not read from a client's configuration, so that nothing can download it; use"
                    + " ConfigurationClient.data(of:)")
        }
        return try await files.data(of: self)
    }
}

extension ConfigurationClient {
    /// The bytes of a file, whatever created the reference; see ``ConfigurationFile/data()``.
    public func data(of file: ConfigurationFile) async throws(ConfigurationFileError) -> Data {
        try await files.data(of: file)
    }
}

extension ConfigurationFile: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "a file such as \(SettingFormat.file.example)" }

    /// Accepts Parse's objects of the type `File`, with both the size and the SHA-256, or with neither. Without them
    /// the file cannot be downloaded, since nothing could verify it.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let members = ParseObject.members(of: json, type: "File") else { throw Self.mismatch(json) }
        var checksum: FileChecksum?
        if members["size"] != nil || members["sha256"] != nil {
            checksum = FileChecksum(
                size: try ParseObject.member("size", of: members, expected: "a whole number of bytes") { json in
                    json.integer.flatMap { $0 >= 0 ? $0 : nil }
                },
                sha256: try ParseObject.member("sha256", of: members, expected: "64 hexadecimal digits, lower case") {
                    json in
                    json.text.flatMap { SettingFormat.Member.isSHA256($0) ? $0 : nil }
                })
        }
        self.init(
            name: try ParseObject.member("name", of: members, expected: String.expectation) { $0.text },
            url: try ParseObject.member("url", of: members, expected: URL.expectation) { try? URL(json: $0) }, checksum)
    }

    /// The value as JSON.
    public var json: JSONValue {
        var members: JSONObject = [ParseObject.typeName: "File", "name": .string(name), "url": url.json]
        members["size"] = size?.json
        members["sha256"] = sha256?.json
        return .object(members)
    }
}

extension ConfigurationFile: Hashable {
    /// Whether two references name the same file with the same bytes at the same URL.
    public static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.url == right.url && left.checksum == right.checksum
    }

    /// Hashes the name, the URL, the size and the SHA-256.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(url)
        hasher.combine(checksum)
    }
}

extension ConfigurationFile: Codable {
    /// Accepts what ``init(json:)`` accepts.
    public init(from decoder: any Decoder) throws { self = try decoder.settingValue() }
    /// Writes Parse's object.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension JSONValue {
    func collectFiles(_ files: inout Set<ConfigurationFile>) {
        switch self {
        case .array(let elements): for element in elements { element.collectFiles(&files) }
        case .object(let object):
            if let file = try? ConfigurationFile(json: self) { files.insert(file) }
            for member in object.members { member.value.collectFiles(&files) }
        case .null, .boolean, .number, .string: break
        }
    }
}

/// A failure to provide the bytes of a file.
public struct ConfigurationFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The setting has no size and no SHA-256, so that nothing could verify the bytes.
        case withoutChecksum
        /// The reference was not read from a client's configuration.
        case withoutClient
        /// The file is larger than the client accepts.
        case tooLarge
        /// The file was not downloaded.
        case notDownloaded(RequestError)
        /// The server has other bytes than the setting says.
        case mismatch
        /// The caller was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public let kind: Kind
    /// The file, the failure, and its remedy.
    public let description: String

    /// - Parameter problem: what is wrong with the file and what to do, to follow its name in a sentence.
    init(_ kind: Kind, _ file: ConfigurationFile, _ problem: String) {
        self.init(kind, "the file \(QuotedText(file.name)) \(problem)")
    }

    private init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    static let cancelled = ConfigurationFileError(.cancelled, "the download of the file was cancelled")
}
