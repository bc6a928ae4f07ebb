public import AllotClient
import AllotConfiguration
public import Configuration

import struct Foundation.Data

/// A snapshot of swift-configuration: all its values belong to one user and one response of the server.
///
/// ``AllotConfigurationProvider`` creates it, and documents keys and types. `Sendable` and cheap to copy.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AllotSnapshot: ConfigSnapshot {
    /// The client's snapshot, for assignments, sources and `meta`, which swift-configuration does not have.
    public let configuration: AllotClient.Configuration
    /// The name of the provider that created it.
    public let providerName: String
    let secretKeys: @Sendable (_ section: String, _ setting: String) -> Bool

    /// The member of a key's context that names the user.
    static let userKey = "userID"

    /// A value of the snapshot; reports the exposure. Complexity: O(1) in the number of settings.
    ///
    /// - Throws: ``AllotProviderError`` for a value of another type, and for a key of another user.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws(AllotProviderError) -> LookupResult {
        let encodedKey = SettingLocation.encoded(key.components)
        guard let path = SettingLocation(key) else { return LookupResult(encodedKey: encodedKey, value: nil) }
        try checkUser(of: key, path)
        let value = configuration.value(path.section, path.setting).flatMap(path.member)
        guard let value, value != .null else { return LookupResult(encodedKey: encodedKey, value: nil) }
        do throws(SettingValueError) {
            let content = try value.content(as: type)
            let isSecret = secretKeys(path.section, path.setting)
            return LookupResult(encodedKey: encodedKey, value: ConfigValue(content, isSecret: isSecret))
        } catch { throw .typeMismatch(path, type, error) }
    }

    /// Throws if a key's context names another user than the snapshot's.
    func checkUser(of key: AbsoluteConfigKey, _ path: SettingLocation) throws(AllotProviderError) {
        let asked: String
        switch key.context[Self.userKey] {
        case nil: return
        case .string(let text): asked = text
        case .int(let number): asked = String(number)
        case .double, .bool: throw .invalidUser(path)
        }
        // As in the client, an empty ID is the unknown user.
        guard ConfigurationUser(asked) == ConfigurationUser(configuration.user.id) else {
            throw .otherUser(path, asked: asked, current: configuration.user.id)
        }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AllotSnapshot: CustomStringConvertible {
    /// The provider's name and the number of settings; no values.
    public var description: String {
        let count = configuration.sectionNames.reduce(0) { $0 + (configuration[$1]?.settingNames.count ?? 0) }
        return "\(providerName)[\(counted(count, "setting"))]"
    }
}

/// The place of a key's value: a section's setting, or a member of the setting's object.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct SettingLocation: Sendable {
    let section: String
    let setting: String
    /// The names of the members that lead from the setting's value to the key's.
    let members: ArraySlice<String>

    /// Returns `nil` for a key with fewer than two components, which names no setting.
    init?(_ key: AbsoluteConfigKey) {
        guard key.components.count >= 2 else { return nil }
        (section, setting, members) = (key.components[0], key.components[1], key.components[2...])
    }

    /// A key's components as a JSON pointer (RFC 6901): names may contain dots, and two keys never become one text.
    static func encoded(_ components: [String]) -> String {
        components.map { name in
            name.unicodeScalars.reduce(into: "/") { text, scalar in
                text += scalar == "~" ? "~0" : scalar == "/" ? "~1" : String(scalar)
            }
        }.joined()
    }

    func member(of value: JSONValue) -> JSONValue? { value[members] }

    /// Whether reading the setting has the same effect in two configurations, exposures included. Reports no exposure.
    func isSame(in left: AllotClient.Configuration, _ right: AllotClient.Configuration) -> Bool {
        left.user == right.user && left.hasSame(section, setting, as: right)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONValue {
    func content(as type: ConfigType) throws(SettingValueError) -> ConfigContent {
        switch type {
        case .string: .string(try String(json: date))
        case .int: .int(try Int(json: self))
        case .double: .double(try Double(json: self))
        case .bool: .bool(try Bool(json: self))
        case .bytes: .bytes([UInt8](try Data(json: self)))
        case .stringArray: .stringArray(try [String](json: asArray.map { JSONValue.array($0.map(\.date)) } ?? self))
        case .intArray: .intArray(try [Int](json: self))
        case .doubleArray: .doubleArray(try [Double](json: self))
        case .boolArray: .boolArray(try [Bool](json: self))
        case .byteChunkArray: .byteChunkArray(try [Data](json: self).map { [UInt8]($0) })
        }
    }

    /// The text of an object that stands for one of Parse's dates; any other value itself.
    private var date: JSONValue {
        guard let object = asObject, object.text("__type") == "Date", let text = object.text("iso") else { return self }
        return .string(text)
    }
}
