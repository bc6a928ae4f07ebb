import AllotClient
import AllotConfiguration
import Configuration

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
        section = key.components[0]
        setting = key.components[1]
        members = key.components[2...]
    }

    /// A key's components as a JSON pointer (RFC 6901): names may contain dots, and two keys never become one text.
    static func encoded(_ components: [String]) -> String {
        components.map { name in
            var text = "/"
            for scalar in name.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
            return text
        }.joined()
    }

    /// The value at the place in the setting's value. Returns `nil` if it does not exist.
    func member(of value: JSONValue) -> JSONValue? { value[members] }

    /// Whether reading the setting has the same effect in two configurations, exposures included. Reports no exposure.
    func isSame(in left: AllotClient.Configuration, _ right: AllotClient.Configuration) -> Bool {
        left.user == right.user && left.hasSame(section, setting, as: right)
    }
}
