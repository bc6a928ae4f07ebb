public import AllotClient
import AllotConfiguration
public import Configuration

/// A configuration of a client as a snapshot of swift-configuration: all its values are of one user and one answer of the
/// server.
///
/// Made by ``AllotConfigurationProvider``, which says how keys and types are understood. `Sendable` and cheap to copy.
public struct AllotSnapshot: ConfigSnapshot {
    /// The client's snapshot, for what swift-configuration has no words for: assignments, sources, `meta`.
    public let configuration: AllotClient.Configuration
    /// The name of the provider that made it.
    public let providerName: String
    let secretKeys: @Sendable (_ section: String, _ setting: String) -> Bool

    /// The context's member that names the user whose value is asked for.
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
        do throws(ContentMismatch) {
            let content = try value.content(as: type)
            let isSecret = secretKeys(path.section, path.setting)
            return LookupResult(encodedKey: encodedKey, value: ConfigValue(content, isSecret: isSecret))
        } catch {
            throw .typeMismatch(path, type, error)
        }
    }

    /// Refuses a key whose context names another user than the snapshot's.
    func checkUser(of key: AbsoluteConfigKey, _ path: SettingLocation) throws(AllotProviderError) {
        let asked: String
        switch key.context[Self.userKey] {
        case nil: return
        case .string(let text): asked = text
        case .int(let number): asked = String(number)
        case .double, .bool: throw .invalidUser(path)
        }
        // As the client sees it: the empty ID is the user of whom nothing is known.
        guard ConfigurationUser(asked) == ConfigurationUser(configuration.user.id) else {
            throw .otherUser(path, asked: asked, inForce: configuration.user.id)
        }
    }
}

extension AllotSnapshot: CustomStringConvertible {
    /// The provider's name and the number of settings; no values.
    public var description: String {
        let count = configuration.sectionNames.reduce(0) {
            $0 + (configuration.section($1)?.settingNames.count ?? 0)
        }
        return "\(providerName)[\(count) \(count == 1 ? "setting" : "settings")]"
    }
}
