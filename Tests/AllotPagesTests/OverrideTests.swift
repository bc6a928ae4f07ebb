import AllotConfiguration
import AllotCore
import AllotDefinitions
import Testing

@testable import AllotPages

struct OverrideTests {
    private static let settings = """
              Steps: { value: 3, minimum: 1, maximum: 5 }
              Color: { value: red, choices: [{ value: blue, label: Sky }] }
              Guests: { value: true }
              Until: { value: "2026-11-21T13:00:00+01:00", format: date-time }
              Store: { value: { __type: GeoPoint, latitude: 52.5, longitude: 13.4 }, format: geo-point }
              Logo: { value: { __type: Bytes, base64: aGVsbG8= }, format: bytes }
        """

    private static func payload(_ items: KeyValuePairs<String, String>) throws -> DevicePayload {
        let catalog = try SettingsPageTests.catalog(settings)
        let target = [("device", "E6"), ("app", "shop")] + items.map { ($0.key, $0.value) }
        return try OverrideRequest(target.map { (name: $0.0, value: $0.1) })
            .payload(catalog.plan.definitions, at: catalog.instant)
    }

    @Test("A token has the settings of the chosen variants, and the typed values, which win")
    func values() throws {
        let payload = try Self.payload([
            "variant.steps": "b", "setting.Shop.Color": "007", "setting.Shop.Guests": "false", "setting.Shop.Steps": "",
            "expires": "12h",
        ])
        #expect(payload.values == ["Shop": ["Steps": 1, "Color": "007", "Guests": false]])
        #expect(payload.variants == ["steps": "b"])
        #expect(payload.device == "E6")
        #expect(payload.app == "shop")
        #expect(payload.expires - payload.issued == 43_200)
        #expect(try Self.payload(["variant.steps": "b", "setting.Shop.Steps": "5"]).values == ["Shop": ["Steps": 5]])
        #expect(try Self.payload(["variant.steps": "a"]).values == ["Shop": ["Steps": 3]])
        let reset = try Self.payload(["operation": "reset", "variant.steps": "b"])
        #expect(reset.operation == .reset)
        #expect(reset.values.isEmpty)
        #expect(reset.variants.isEmpty)
    }

    @Test(
        "A place is typed as two numbers, an instant in UTC, and bytes with line breaks",
        arguments: [
            (
                ["latitude.setting.Shop.Store": " 48.1", "longitude.setting.Shop.Store": "11.5"], "Store",
                ["__type": "GeoPoint", "latitude": 48.1, "longitude": 11.5]
            ),
            (["setting.Shop.Until": "2026-12-01T10:00"], "Until", "2026-12-01T10:00:00Z"),
            (["setting.Shop.Until": "2026-11-21T12:00"], "Until", "2026-11-21T13:00:00+01:00"),
            (["setting.Shop.Until": "2026-12-01T10:00+05:30"], "Until", "2026-12-01T10:00+05:30"),
            (["setting.Shop.Logo": "AP8B\r\nAA==\r\n"], "Logo", ["__type": "Bytes", "base64": "AP8BAA=="]),
        ] as [(KeyValuePairs<String, String>, String, JSONValue)])
    func formats(items: KeyValuePairs<String, String>, setting: String, value: JSONValue) throws {
        #expect(try Self.payload(items).values.object("Shop")?[setting] == value)
    }

    @Test("Half of a place is refused")
    func formatProblems() throws {
        let half = #expect(throws: OverrideRequest.Failure.self) {
            try Self.payload(["latitude.setting.Shop.Store": "1", "longitude.setting.Shop.Store": ""])
        }
        #expect(half?.problems.first?.hasPrefix("Shop.Store has no member longitude; write {") == true)
    }

    @Test("What the definitions do not allow is refused, all at once")
    func problems() throws {
        let failure = #expect(throws: OverrideRequest.Failure.self) {
            try Self.payload([
                "variant.steps": "c", "variant.other": "a", "setting.Shop.Steps": "9", "setting.Shop.Guests": "maybe",
                "setting.Shop.None": "1", "expires": "soon",
            ])
        }
        #expect(
            failure?.problems == [
                "\"soon\" is not a time; write one such as 12h or 7d", "there is no experiment \"other\"",
                "steps has no variant \"c\"", "Shop.Guests is a boolean; write true or false",
                "there is no setting \"Shop.None\"", "Shop.Steps is 9, above the maximum 5",
            ])
        let empty = #expect(throws: OverrideRequest.Failure.self) { try Self.payload(["device": ""]) }
        #expect(empty?.problems.count == 2)
    }

    @Test(
        "The form has the experiments and settings with all words, in any order",
        arguments: [
            ("", true, true), ("steps", true, true), ("PAYMENTS steps", true, false), ("steps <payments>", true, false),
            ("steps shop", false, true), ("steps nothing", false, false),
        ])
    func search(text: String, hasExperiment: Bool, hasSetting: Bool) throws {
        let catalog = try SettingsPageTests.catalog(Self.settings)
        let request = OverrideRequest([(name: "text", value: text)])
        let page = OverridePage.make("u", catalog, request).html(in: catalog.frame(root: "../../"))
        #expect(page.contains(#">steps <span class="badge running">"#) == hasExperiment)
        #expect(page.contains(">Shop.Steps</label>") == hasSetting)
    }
}
