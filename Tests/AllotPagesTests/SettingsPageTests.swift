import AllotCore
import AllotDefinitions
import AllotReports
import TestSupport
import Testing

@testable import AllotPages

private let digest = String(repeating: "0a", count: 32)

struct SettingsPageTests {
    static func catalog(_ settings: String) throws -> Catalog {
        let files = [
            "base": "config_sections:\n  Shop:\n    settings:\n\(settings)\n",
            "steps": """
            status: running
            owner: <payments>
            variants: [{ key: a }, { key: b, overrides: { Shop: { Steps: 1 } } }]
            """,
        ]
        var limits = DefinitionLimits()
        limits.settings = 1000
        return try Catalog(files: files, limits: limits)
    }

    private static func html(
        _ catalog: Catalog, _ form: PageLinks.Form = .routes, _ change: (inout SettingsSelection) -> Void = { _ in }
    ) -> String {
        var selection = SettingsSelection()
        change(&selection)
        let links = PageLinks(form, root: "")
        let frame = PageFrame(links, revision: catalog.plan.revision, instant: catalog.instant)
        return SettingsPage.make(catalog, selection, links).html(in: frame)
    }

    /// The controls of all settings, as forms have them.
    private static func controls(_ catalog: Catalog) -> String {
        var markup = Markup()
        for setting in catalog.plan.definitions.settings {
            setting.writeControl(
                setting.text(of: setting.value), name: "v", id: "s-\(setting.path)", in: &markup)
        }
        return markup.text
    }

    @Test("Each setting is shown once, with its words and the experiments that change it, and forms have its control")
    func controls() throws {
        let catalog = try Self.catalog(
            """
                  Steps: { value: 3, minimum: 1, maximum: 5, control: slider, unit: "<steps>", title: "A & B" }
                  Guests: { value: true }
                  Color: { value: red, enum: [red, blue], choices: [{ value: blue, label: The "sky" }] }
                  Hint: { value: "<script>\\u202E" }
            """)
        let page = Self.html(catalog)
        for part in [
            #"<dt>Base value</dt><dd><code dir="auto">3</code> &lt;steps&gt;</dd>"#,
            "<bdi>A &amp; B</bdi> · <code>Shop.Steps</code>", "<div>at least 1</div><div>at most 5</div>",
            #"<div><bdi>The &quot;sky&quot;</bdi>: <code dir="auto">&quot;blue&quot;</code></div>"#,
            #"<a href="experiments/steps">steps</a>"#, "&lt;payments&gt;", "&lt;script&gt;", "no experiment",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(page.found(["<script", "disabled"]) == [])
        let controls = [
            #"<input type="number" id="s-Shop.Steps" name="v" value="3" min="1" max="5" step="1" autocomplete="off" "#
                + #"dir="auto"> &lt;steps&gt;"#,
            #"<select id="s-Shop.Guests" name="v" dir="auto"><option value="true" selected>on</option>"#,
            #"<option value="blue">The &quot;sky&quot;</option>"#, #"<option value="red" selected>red</option>"#,
        ]
        #expect(Self.controls(catalog).missing(controls) == [])
        #expect(!page.unicodeScalars.contains("\u{202E}"))
    }

    @Test("A format has a control of its own, and a text that this would not show is a field")
    func formats() throws {
        let page = Self.controls(
            try Self.catalog(
                """
                      Steps: { value: 3 }
                      Day: { value: 2026-11-21, format: date }
                      Until: { value: "2026-11-21T13:00:00.5+01:00", format: date-time }
                      Parse: { value: { __type: Date, iso: "2026-11-21T12:00:00Z" }, format: date-time }
                      Fine: { value: "2026-11-21T12:00:00.0000001Z", format: date-time }
                      Place: { value: { __type: GeoPoint, latitude: 52.50, longitude: 13.4 }, format: geo-point }
                      Menu:
                        format: file
                        value:
                          { __type: File, name: "<a>", url: "https://example.com/a?b&c", size: 5, sha256: \(digest) }
                      Logo: { value: { __type: Bytes, base64: aGVsbG8= }, format: bytes }
                      Listed: { value: 2026-11-21, format: date, enum: [2026-11-21, 2026-11-22] }
                """))
        for part in [
            #"<input type="date" id="s-Shop.Day" name="v" value="2026-11-21" autocomplete"#,
            #"id="s-Shop.Until" name="v" value="2026-11-21T12:00:00.5" step="any" autocomplete="off" dir="auto"> UTC"#,
            #"<input type="datetime-local" id="s-Shop.Parse" name="v" value="2026-11-21T12:00:00""#,
            #"<input type="text" id="s-Shop.Fine" name="v" value="2026-11-21T12:00:00.0000001Z""#,
            #"<span role="group" aria-label="Shop.Place"><label>latitude <input type="number" id="s-Shop.Place" "#
                + #"name="latitude.v" value="52.50" min="-90" max="90" step="any" autocomplete"#,
            #"<input type="text" id="s-Shop.Menu" name="name.v" value="&lt;a&gt;""#,
            #"<label>url <input type="url" name="url.v" value="https://example.com/a?b&amp;c" autocomplete"#,
            #"<label>size <input type="number" name="size.v" value="5" min="0" step="1" autocomplete"#,
            #"<textarea id="s-Shop.Logo" name="v" rows="3" cols="40" dir="auto">\#naGVsbG8=</textarea>"#,
            #"<option value="2026-11-22">"#,
        ] {
            #expect(page.contains(part), "\(part)")
        }
    }

    @Test(
        "Only a change that nothing speaks against is one to commit",
        arguments: [("4", "Commit this in"), ("9", "The change in"), ("abc", nil)] as [(String, String?)])
    func headings(text: String, heading: String?) throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "config_sections: { Shop: { settings: { Steps: { value: 3, type: integer, maximum: 5 } } } }",
            to: "base.yaml")
        try folder.write("status: draft\nvariants: [{ key: a }]", to: "steps.yaml")
        let definitions = try EditableDefinitions(folder: folder.path, loader: DefinitionsLoader(now: Catalog.now))
        let catalog = Catalog(definitions.loaded.plan, at: Catalog.now)
        let setting = try #require(definitions.loaded.definitions.setting("Shop.Steps"))
        let form = try #require(SettingForm([("setting", setting.path), ("value", text)], as: .value))
        let proposal = SettingProposal(form, in: definitions, at: Catalog.now)
        var selection = SettingsSelection()
        selection.setting = setting.path
        let links = PageLinks(.routes, root: "")
        let page = SettingsPage.make(catalog, selection, links, canEdit: true, proposal: proposal)
            .html(in: catalog.frame())
        for other in ["Commit this in", "The change in"] {
            #expect(page.contains("<h3>\(other) <code>") == (other == heading), "\(other)")
        }
        let advice = "Shop.Steps is an integer; &quot;abc&quot; is not, write one such as 2"
        #expect(page.contains(advice) == (text == "abc"))
    }

    @Test("A server shows a page of the settings that match, files show all")
    func paging() throws {
        let settings = (0..<120).map { number in
            "      S\(number + 100): { value: \(number), title: Number \(number % 2 == 0 ? "even" : "odd") }"
        }
        let catalog = try Self.catalog((settings + ["      Steps: { value: 3 }"]).joined(separator: "\n"))
        func shown(_ page: String) -> Int { page.split(separator: "<article").count - 1 }
        #expect(shown(Self.html(catalog, .files)) == 121)
        let second = Self.html(catalog) { ($0.page, $0.text) = (2, "odd number") }
        #expect(shown(second) == 10)
        #expect(second.contains("60 of 121 settings · page 2 of 2"))
        #expect(second.contains(#"href="settings?text=odd%20number""#))
        #expect(shown(Self.html(catalog) { $0.page = 99 }) == 21)
        #expect(shown(Self.html(catalog) { $0.section = "Other" }) == 0)
        #expect(shown(Self.html(catalog) { $0.setting = "Shop.Steps" }) == 1)
    }
}
