import AllotClient
import AllotConfiguration
import Testing

struct SnapshotTests {
    static let document = ConfigurationDocument(
        sections: ["Checkout": ["ButtonColor": "#00aa00", "MaxItems": 42], "Search": ["PageSize": 24]],
        meta: [
            "assignments": [
                "checkout-button": [
                    "variant": "green", "reason": "split", "bucket": 734_201, "revision": "1f0c",
                    "settings": ["Checkout.ButtonColor"],
                ]
            ], "holdouts": ["2026-h2"],
        ])

    @Test("A snapshot has values and their sources, and the assignments and holdouts of its `meta`")
    func valuesAndTheirSources() throws {
        let configuration = Configuration(Self.document, origin: .stored)
        #expect(configuration.value("Checkout", "ButtonColor") == "#00aa00")
        #expect(configuration["Checkout"]?["MaxItems"] == 42)
        #expect(configuration.value("Checkout", "Absent") == nil)
        #expect(configuration.value("Absent", "ButtonColor") == nil)
        #expect(configuration.source("Checkout", "ButtonColor") == .stored)
        #expect(configuration.source("Checkout", "Absent") == .default)
        #expect(configuration.holdouts == ["2026-h2"])
        let assignment = try #require(configuration.assignments["checkout-button"])
        #expect(assignment.variant == "green")
        #expect(assignment.bucket == 734_201)
        #expect(assignment.unit == "user_id")
        #expect(configuration.assignments["another"] == nil)
        #expect(configuration["Checkout"]?.assignments == [assignment])
        #expect(configuration["Search"]?.assignments == [])
    }

    @Test("Overridden values and variants are marked")
    func overridesAreMarked() {
        var overrides = LocalOverrides()
        overrides.set("Search", "PageSize", 48)
        overrides.choose(.init("blue", values: ["Checkout": ["ButtonColor": "#0000ff"]]), of: "checkout-button")
        let configuration = Configuration(Self.document, overrides: overrides)
        #expect(configuration.value("Search", "PageSize") == 48)
        #expect(configuration.value("Checkout", "ButtonColor") == "#0000ff")
        #expect(configuration.value("Checkout", "MaxItems") == 42)
        #expect(configuration.source("Checkout", "ButtonColor") == .override)
        #expect(configuration.source("Checkout", "MaxItems") == .remote)
        #expect(configuration.assignments["checkout-button"]?.isOverridden == true)
        #expect(configuration != Configuration(Self.document))
    }
}
