public import AllotClient
import AllotConfiguration
public import Configuration

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
        } catch {
            throw .typeMismatch(path, type, error)
        }
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
        let count = configuration.sectionNames.reduce(0) {
            $0 + (configuration[$1]?.settingNames.count ?? 0)
        }
        return "\(providerName)[\(count) \(count == 1 ? "setting" : "settings")]"
    }
}
