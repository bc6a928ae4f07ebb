import AllotConfiguration
import Foundation
import Testing

@testable import AllotClient

struct SettingsCatalogTests {
    static func findings(_ sections: any SettingsSection.Type...) -> [String] {
        do throws(SettingsCatalogError) {
            _ = try SettingsCatalog(sections)
            return []
        } catch { return error.findings }
    }

    @Test("A catalog contains the declarations of its sections")
    func declarations() throws {
        let catalog = try SettingsCatalog(CheckoutSample.self, SearchSample.self, CheckoutSample.self)
        #expect(
            catalog.declarations.map(\.setting) == [
                "MaxItems", "ButtonColor", "Layout", "Fee", "Note", "Methods", "Ranking", "PageSize",
            ])
        let maxItems = try #require(catalog.declaration("Checkout", "MaxItems"))
        #expect(maxItems.typeName == "Int")
        #expect(maxItems.defaultValue == 42)
        #expect(maxItems.constraints.minimum == JSONNumber(1))
        #expect(catalog.declaration("Checkout", "ButtonColor")?.description == "Of the button that buys")
        #expect(maxItems.expectation == "a whole number")
        let pageSize = try #require(catalog.declaration("Search", "PageSize"))
        #expect(pageSize.constraints.suggestions.map(\.label) == ["small", "large"])
        #expect(pageSize.requiresRestart)
        #expect(catalog.declaration("Search", "MaxItems") == nil)
    }

    struct Faulty: SettingsSection {
        static let section = "Faulty.Name"
        @Setting("Range", in: 1...5) var range = 9
        @Setting("Empty", in: SettingRange(minimum: 5, maximum: 1)) var empty = 3
        @Setting("NoNumber", in: SettingRange(minimum: Double.nan, maximum: nil)) var noNumber = 3.0
        @Setting("Infinite", in: 0...Double.infinity) var infinite = 3.0
        @Setting("WrongWay", in: SettingRange(minimum: Float.infinity, maximum: nil)) var wrongWay: Float = 3
        @Setting("NoDecimal", in: SettingRange(minimum: nil, maximum: Foundation.Decimal.nan)) var noDecimal =
            Foundation.Decimal(3)
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

    @Test("A catalog reports all faults at once")
    func everyFaultIsNamedAtOnce() throws {
        let findings = Self.findings(Faulty.self, Other.self, Blank.self)
        let expected = [
            ": Faulty has an invalid section name", "Range: the default is 9, expected at most 5",
            "Empty: its minimum 5 is above its maximum 1", "NoNumber: JSON cannot represent an end of its range",
            "WrongWay: JSON cannot represent an end", "NoDecimal: JSON cannot represent an end",
            "Pattern: the pattern \"[a-z\" is not valid", "Closing: the pattern \"a)(b\" is not valid",
            "Flag: values of type Bool have no text for a pattern", "Choices: the default is 3, expected ",
            "Choices: the choice \"nine\" is 9, expected at most 5", "Choices: the choice \"one\" occurs twice",
            "Nothing: its choices are empty", "Twice: Faulty declares it as Int, and Faulty again as Int",
            ": a setting of Faulty has no name", "NotANumber: the default is ", ": Other has an invalid section name",
            "Twice: Faulty declares it as Int, and Other again as String; keep one",
            ": Blank has an invalid section name", ": Blank declares no setting",
        ]
        #expect(findings.count == expected.count)
        for (finding, start) in zip(findings, expected) {
            let isOfSection = start.hasPrefix(": ") && !start.contains("no name")
            let section = start.contains("Blank") ? "" : isOfSection ? "Faulty.Name" : "Faulty.Name."
            #expect(finding.hasPrefix(section + start))
        }
        let error = SettingsCatalogError(findings: findings)
        #expect(
            error.description.hasPrefix("20 faults in the declared settings:\n  Faulty.Name: Faulty has an invalid"))
        #expect(
            error.description.contains(
                "\n  Faulty.Name.Range: the default is 9, expected at most 5; choose another default, or change the"))
    }

    /// Makes another section for a default; its settings would take the values of this one.
    struct Borrowing: SettingsSection {
        static let section = "Checkout"
        static let fallback = SearchSample()
        @Setting("MaxItems") var maxItems = CheckoutSample().maxItems
        @Setting("PageSize") var pageSize = Self.fallback.pageSize
    }

    /// Holds another section.
    struct Holding: SettingsSection {
        static let section = "App"
        @Setting("Name") var name = "x"
        let search: SearchSample? = SearchSample()
    }

    /// Groups its own settings in a plain type and a list.
    struct Grouping: SettingsSection {
        struct Group: Sendable {
            @Setting("Grouped") var grouped = 1
        }

        static let section = "App"
        @Setting("Name") var name = "x"
        let group = Group()
        let others: [any Sendable] = [Setting(wrappedValue: 1, "Listed"), 3]
    }

    @Test("Settings that are created with another section are reported")
    func settingsOfOtherSectionsAreFound() throws {
        let borrowed = try #require(Self.findings(Borrowing.self).first)
        #expect(Self.findings(Holding.self, Holding.self).count == 1)
        let names = #""MaxItems", "ButtonColor", "Layout", "Fee", "Note", "Methods""#
        #expect(borrowed.hasPrefix("Checkout: the settings \(names)"))
        #expect(borrowed.contains("are created while Borrowing is being created"))
        let held = try #require(Self.findings(Holding.self).first)
        #expect(held.hasPrefix("App: Holding contains the section SearchSample, which"))
        let catalog = try SettingsCatalog(Grouping.self)
        #expect(catalog.declarations.map(\.setting) == ["Name", "Grouped", "Listed"])
    }

    struct Repeating: SettingsSection {
        static let section = "Repeating"
        static let one = JSONValue.number(JSONNumber("1.0") ?? JSONNumber(2))
        @Setting("Equivalent", choices: [["a": [1]], ["a": [one]], "1", 1, "one"]) var json: JSONValue = 1
        @Setting("Labels", choices: ["\u{E9}": 1, "e\u{301}": 2]) var labels = 1
        @Setting("Suggested", choices: [1, 2], suggestions: [2, 3]) var suggested = 1
    }

    @Test("Choices are compared by value, not by notation")
    func choicesAreComparedByWhatTheyMean() {
        let findings = Self.findings(Repeating.self)
        #expect(findings.count == 2)
        #expect(findings.first?.hasPrefix("Repeating.Equivalent: the choice ") == true)
        #expect(findings.first?.contains(" occurs twice") == true)
        #expect(findings.last?.hasPrefix("Repeating.Suggested: the choice 3 is 3, expected one of") == true)
    }

    @Test("A report lists refused, undeclared and missing settings")
    func report() throws {
        let catalog = try SettingsCatalog(CheckoutSample.self, SearchSample.self)
        let configuration = Configuration(
            ConfigurationDocument(
                sections: ["Checkout": ["MaxItems": 0, "Steps": 3, "Fee": 1], "Home": ["Hero": "x"]], meta: [:]))
        let report = catalog.check(configuration)
        #expect(
            report.refusals.map(\.description) == [
                "Checkout.MaxItems: expected at least 1, found 0; correct it in the definitions"
            ])
        #expect(report.undeclared == ["Checkout.Steps", "Home.Hero"])
        #expect(report.missing.count == 6)
        #expect(report.missing.contains("Search.PageSize"))
        #expect(!report.refusals.isEmpty)
        #expect(report.description.contains("not declared: Home.Hero"))
        #expect(catalog.check(.empty).refusals.isEmpty)
    }

    @Test("Modifications are the settings that differ from their defaults")
    func modifications() throws {
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
        #expect(modifications[1].declaration.defaultValue == 2.5)
    }

    struct Written: SettingsSection {
        static let section = "Checkout"
        @Setting("Start") var start = Date(timeIntervalSince1970: 1_795_262_400)
        @Setting("End") var end = Date(timeIntervalSince1970: 1_795_262_400)
        @Setting("Fee") var fee = 0.1
    }

    /// A default in another notation is not a modification; others are shown as their types write them.
    @Test("Modifications show values as their types write them")
    func modificationsAreTyped() throws {
        let fee = JSONValue.number(try #require(JSONNumber("0.1000000000000000000001")))
        let configuration = Configuration(
            .checkout(["Start": "2026-11-21T13:00:00+01:00", "End": "2026-11-21T13:00:01+01:00", "Fee": fee]))
        let modifications = configuration.modifications(of: try SettingsCatalog(Written.self))
        #expect(
            modifications.map(\.description) == [#"Checkout.End={"__type":"Date","iso":"2026-11-21T12:00:01.000Z"}"#])
        #expect(modifications.first?.value == "2026-11-21T13:00:01+01:00")
    }
}
