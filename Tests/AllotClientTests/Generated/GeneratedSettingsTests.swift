import AllotClient
import AllotConfiguration
import Testing

@testable import shop_app

/// What `allot generate swift` writes can be used.
struct GeneratedSettingsTests {
    @Test("The generated catalog has no faults")
    func catalogIsFaultless() throws {
        let catalog = try AllotSettings.catalog()
        #expect(catalog.declarations.count > 15)
        #expect(catalog.declaration("Checkout", "ButtonColor")?.constraints.pattern == "^#[0-9a-f]{6}$")
        #expect(catalog.declaration("Search", "Ranking")?.constraints.choices?.count == 3)
    }

    @Test("Generated settings have the values of a configuration")
    func valuesOfAConfiguration() {
        let document = ConfigurationDocument(
            sections: ["Search": ["PageSize": 48, "TimeoutSeconds": 11]], meta: [:])
        let search = Configuration(document).settings(SearchSettings.self)
        #expect(search.pageSize == 48 && search.$pageSize.source == .remote)
        #expect(search.timeoutSeconds == 1.5 && search.$timeoutSeconds.refusal != nil)
    }

    @Test("Generated variants can be chosen on a device")
    func variantsCanBeChosen() throws {
        var overrides = LocalOverrides()
        overrides.choose(Experiments.BuyButton.largeGreen, of: Experiments.BuyButton.key)
        let configuration = Configuration(ConfigurationDocument(sections: [:], meta: [:]), overrides: overrides)
        let checkout = configuration.settings(CheckoutSettings.self)
        #expect(checkout.buttonColor == "#1a7f37" && checkout.$buttonColor.source == .override)
        #expect(checkout.$buttonColor.assignments.first?.variant == "large-green")
        #expect(try AllotSettings.catalog().check(configuration).refusals.isEmpty)
    }
}
