import AllotClient
import AllotConfiguration

/// What the tests of settings read.
struct CheckoutSample: SettingsSection {
    static let section = "Checkout"
    @Setting("MaxItems", in: 1...100) var maxItems = 42
    @Setting("ButtonColor", matching: "#[0-9a-f]{6}", description: "Of the button that buys") var buttonColor =
        "#0000ff"
    @Setting("Layout", choices: ["list", "grid"]) var layout = "list"
    @Setting("Fee", in: 0...) var fee = 2.5
    @Setting("Note") var note: String? = nil
    @Setting("Methods") var methods = ["card"]
}

struct SearchSample: SettingsSection {
    enum Ranking: String, SettingValue, CaseIterable { case keyword, semantic }

    static let section = "Search"
    @Setting("Ranking") var ranking = Ranking.keyword
    @Setting("PageSize", in: ...96, suggestions: ["small": 12, "large": 48], requiresRestart: true) var pageSize = 24
}

extension ConfigurationDocument {
    /// A document with settings of the section "Checkout", all of them set by the experiment "checkout-button".
    static func checkout(_ settings: JSONObject, isAssigned: Bool = false) -> ConfigurationDocument {
        let names = settings.members.map { JSONValue.string("Checkout.\($0.key)") }
        let assignment: JSONValue = ["variant": "green", "reason": "split", "settings": .array(names)]
        return ConfigurationDocument(
            sections: ["Checkout": .object(settings)],
            meta: isAssigned ? ["assignments": ["checkout-button": assignment]] : [:])
    }
}
