import AllotConfiguration
import Testing

@testable import AllotClient

@Suite struct SettingsCatalogTests {
    static func findings(_ sections: any SettingsSection.Type...) -> [SettingFinding] {
        do throws(SettingsCatalogError) {
            _ = try SettingsCatalog(sections)
            return []
        } catch {
            return error.findings
        }
    }

    @Test func declarations() throws {
        let catalog = try SettingsCatalog(CheckoutSample.self, SearchSample.self, CheckoutSample.self)
        #expect(
            catalog.declarations.map(\.setting) == [
                "MaxItems", "ButtonColor", "Layout", "Fee", "Note", "Methods", "Ranking", "PageSize",
            ])
        let maxItems = try #require(catalog.declaration("Checkout", "MaxItems"))
        #expect(maxItems.typeName == "Int" && maxItems.defaultValue == 42 && maxItems.expectation == "a whole number")
        let pageSize = try #require(catalog.declaration("Search", "PageSize"))
        #expect(pageSize.constraints.suggestions.map(\.label) == ["small", "large"] && pageSize.requiresRestart)
        #expect(catalog.declaration("Search", "MaxItems") == nil)
    }

    struct Faulty: SettingsSection {
        static let section = "Faulty.Name"
        @Setting("Range", in: 1...5) var range = 9
        @Setting("Empty", in: SettingRange(minimum: 5, maximum: 1)) var empty = 3
        @Setting("NoNumber", in: SettingRange(minimum: Double.nan, maximum: nil)) var noNumber = 3.0
        @Setting("Infinite", in: 0...Double.infinity) var infinite = 3.0
        @Setting("Pattern", matching: "[a-z") var pattern = "a"
        @Setting("Closing", matching: "a)(b") var closing = "ab"
        @Setting("Flag", matching: "true") var flag = true
        @Setting("Choices", in: 1...5, choices: ["one": 1, "nine": 9, "one": 2]) var choices = 3
        @Setting("Nothing", choices: []) var nothing = "a"
        @Setting("Twice") var twice = 1
        @Setting("Twice") var again = 1
        @Setting("") var nameless = 1
        @Setting("NotANumber") var notANumber = Double.nan
    }

    struct Other: SettingsSection {
        static let section = "Faulty.Name"
        @Setting("Twice") var twice = "text"
    }

    struct Blank: SettingsSection {
        static let section = ""
    }

    @Test func everyFaultIsNamedAtOnce() throws {
        let findings = Self.findings(Faulty.self, Other.self, Blank.self)
        #expect(
            findings.map { "\($0.setting ?? "-") \($0.kind.rawValue)" } == [
                "- invalidName", "Range invalidDefault", "Empty emptyRange", "NoNumber emptyRange",
                "Pattern invalidPattern", "Closing invalidPattern", "Flag inapplicable", "Choices invalidDefault",
                "Choices invalidChoice", "Choices repeatedChoice", "Nothing noChoices", "Twice repeatedSetting",
                " invalidName", "NotANumber invalidDefault", "- invalidName", "Twice repeatedSetting", "- invalidName",
                "- noSettings",
            ])
        #expect(Set(findings.map(\.kind)) == Set(SettingFinding.Kind.allCases))
        let error = SettingsCatalogError(findings: findings)
        #expect(
            error.description.hasPrefix("18 faults in the declared settings:\n  Faulty.Name: the section of Faulty"))
        #expect(
            error.description.contains(
                "\n  Faulty.Name.Range: the default is 9, above the maximum 5; take another default, or change what"))
        #expect(error.description.contains("Faulty declares it as Int, and Other again as String; keep one"))
    }

    @Test func report() throws {
        let catalog = try SettingsCatalog(CheckoutSample.self, SearchSample.self)
        let configuration = Configuration(
            ConfigurationDocument(
                sections: ["Checkout": ["MaxItems": 0, "Steps": 3, "Fee": 1], "Home": ["Hero": "x"]], meta: [:]))
        let report = catalog.check(configuration)
        #expect(report.refusals.map(\.description) == ["Checkout.MaxItems is 0, below the minimum 1"])
        #expect(report.undeclared == ["Checkout.Steps", "Home.Hero"])
        #expect(report.missing.count == 6 && report.missing.contains("Search.PageSize"))
        #expect(!report.isValid && report.description.contains("not declared: Home.Hero"))
        #expect(catalog.check(.empty).isValid)
    }

    @Test func overridesAreCheckedBeforehand() throws {
        let catalog = try SettingsCatalog(CheckoutSample.self)
        try catalog.validate("Checkout", "MaxItems", 100)
        try catalog.validate("Checkout", "Note", .null)
        let refused: [(String, String, JSONValue)] = [
            ("Checkout", "MaxItems", 101), ("Checkout", "MaxItems", "1"), ("Checkout", "Layout", "tiles"),
            ("Checkout", "Steps", 1), ("Home", "Hero", 1),
        ]
        for (section, setting, value) in refused {
            #expect(throws: SettingRefusal.self, "\(section).\(setting)") {
                try catalog.validate(section, setting, value)
            }
        }
    }

    @Test func modifications() throws {
        let catalog = try SettingsCatalog(CheckoutSample.self, SearchSample.self)
        var overrides = LocalOverrides()
        overrides.set("Search", "PageSize", 48)
        let configuration = Configuration(
            .checkout(["MaxItems": 42, "Fee": 60, "Layout": "tiles", "ButtonColor": "#00aa00"]), origin: .stored,
            overrides: overrides)
        let modifications = configuration.modifications(of: catalog)
        #expect(
            modifications.map(\.description) == [
                ##"Checkout.ButtonColor="#00aa00""##, "Checkout.Fee=60.0", "Search.PageSize=48",
            ])
        #expect(modifications.map(\.source) == [.stored, .stored, .override])
        #expect(modifications[1].defaultValue == 2.5)
    }
}
