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
        let ranking = try #require(catalog.declaration("Search", "Ranking")?.constraints.choices)
        #expect(ranking.map(\.label) == ["Words of the query", "Best sellers first", "Meaning of the query"])
        #expect(ranking.map(\.value) == ["keyword", "popularity", "semantic"])
        let color = try #require(catalog.declaration("Checkout", "ButtonColor"))
        #expect(color.title == "Colour of the buy button")
        #expect(color.control == nil)
        #expect(color.constraints.suggestions.map(\.label) == ["Blue", "Green"])
        #expect(catalog.declaration("Checkout", "Steps")?.control == .slider)
        let count = try #require(catalog.declaration("Home", "RecommendationCount"))
        #expect(count.icons == .numeric)
        #expect(count.unit == "products")
    }

    @Test("A value that only a newer server knows reads as the default, and says so")
    func valuesOfNewerServers() {
        let sections: JSONObject = ["Home": ["HeroStyle": "hologram"], "Search": ["Ranking": "semantic"]]
        let configuration = Configuration(ConfigurationDocument(sections: sections, meta: [:]))
        let home = configuration.settings(HomeSettings.self)
        #expect(home.heroStyle == .photo)
        #expect(home.$heroStyle.source == .default)
        #expect(
            home.$heroStyle.refusal?.description
                == #"Home.HeroStyle: expected one of "photo", "video", "carousel", found "hologram"; correct it in the"#
                + " definitions")
        #expect(configuration.settings(SearchSettings.self).ranking == .semantic)
    }

    @Test("Generated variants can be chosen on a device")
    func variantsCanBeChosen() throws {
        var overrides = LocalOverrides()
        overrides.choose(Experiments.BuyButton.largeGreen, of: Experiments.BuyButton.key)
        let configuration = Configuration(ConfigurationDocument(sections: [:], meta: [:]), overrides: overrides)
        let checkout = configuration.settings(CheckoutSettings.self)
        #expect(checkout.buttonColor == "#1a7f37")
        #expect(checkout.$buttonColor.source == .override)
        #expect(checkout.$buttonColor.assignments.first?.variant == "large-green")
        #expect(try AllotSettings.catalog().check(configuration).refusals.isEmpty)
    }

    @Test(
        "A chosen variant keeps nothing of the one that the server assigned",
        arguments: Experiments.BuyButton.variants)
    func chosenVariantsKeepNothingOfTheAssignedOne(served: LocalOverrides.Variant) throws {
        let document = ConfigurationDocument(
            sections: served.values, meta: ["assignments": ["buy-button": ["variant": .string(served.variant)]]])
        let shown = [
            "control": "#1f6feb Buy now", "green": "#1a7f37 Buy now", "large-green": "#1a7f37 Buy now and relax",
        ]
        for chosen in Experiments.BuyButton.variants {
            var overrides = LocalOverrides()
            overrides.choose(chosen, of: Experiments.BuyButton.key)
            let configuration = Configuration(document, overrides: overrides)
            let checkout = configuration.settings(CheckoutSettings.self)
            #expect("\(checkout.buttonColor) \(checkout.buttonText)" == shown[chosen.variant])
            #expect(checkout.$buttonText.source == .override)
            #expect(configuration.assignments["buy-button"]?.variant == chosen.variant)
        }
    }
}
