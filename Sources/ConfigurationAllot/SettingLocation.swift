import AllotClient
import AllotConfiguration
import Configuration

/// Where a key's value stands: in a section's setting, or in the object that the setting holds.
struct SettingLocation: Sendable {
    let section: String
    let setting: String
    /// The names of the objects' members on the way from the setting's value.
    let members: ArraySlice<String>

    /// `nil` for a key with fewer than two components, which can name no setting.
    init?(_ key: AbsoluteConfigKey) {
        guard key.components.count >= 2 else { return nil }
        section = key.components[0]
        setting = key.components[1]
        members = key.components[2...]
    }

    /// A key's components as a JSON pointer (RFC 6901): names may hold dots, and two keys never become one text.
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

    /// What the path leads to in the setting's value; `nil` when it ends before.
    func member(of value: JSONValue) -> JSONValue? {
        var value = value
        for name in members {
            guard case .object(let object) = value, let member = object[name] else { return nil }
            value = member
        }
        return value
    }

    /// Whether reading the setting brings about the same in two configurations, exposures included. Exposes nobody itself.
    func isSame(in left: AllotClient.Configuration, _ right: AllotClient.Configuration) -> Bool {
        left.user == right.user && left.hasSame(section, setting, as: right)
    }
}
