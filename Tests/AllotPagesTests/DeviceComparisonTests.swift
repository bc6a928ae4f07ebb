import AllotConfiguration
import AllotDefinitions
import AllotReports
import Testing

@testable import AllotPages

struct DeviceComparisonTests {
    private static let files = [
        "base": """
        config_sections:
          Shop: { settings: { Steps: { value: 3 }, Text: { value: a }, Color: { value: red }, Size: { value: 1 } } }
        """,
        "plain": "status: running\nvariants: [{ key: on, overrides: { Shop: { Steps: 1 } } }]",
        "shipping": """
        status: running
        audience: { country: DE }
        variants: [{ key: bar, overrides: { Shop: { Color: blue } } }]
        """,
    ]

    private static func comparison(
        _ readout: String = Self.readout, attributes: [String] = []
    ) throws -> (found: DeviceComparison, catalog: Catalog) {
        let catalog = try Catalog(files: files)
        let comparison = try DeviceComparison(
            DeviceReadout(link: readout), attributes: attributes, in: catalog.plan, at: catalog.instant)
        return (comparison, catalog)
    }

    private static let readout = #"""
        {"app": "shop", "device": "E6", "user": "u", "revision": "0123456789abcdef",
        "settings": {"Shop.Steps": 1.0, "Shop.Text": "b", "Shop.Color": "blue", "Shop.Old": true},
        "modifications": {"Shop.Text": "b"}, "variants": {"plain": "off", "gone": "x", "shipping": "bar"},
        "readout": 1}
        """#

    @Test("Each value stands next to the base's and to the one that the definitions give")
    func standings() throws {
        func standings(_ attributes: [String]) throws -> [String] {
            try Self.comparison(attributes: attributes).found.settings.map {
                "\($0.name) \($0.words) \($0.base?.canonicalText ?? "-") \($0.now?.canonicalText ?? "-")"
            }
        }
        #expect(
            try standings([]) == [
                #"Shop.Color dependent on attributes "red" "red""#, "Shop.Size not read out 1 1",
                "Shop.Steps as expected 3 1", #"Shop.Text different, modified "a" "a""#,
                "Shop.Old not in the definitions - -",
            ])
        #expect(try standings(["country=DE"]).first == #"Shop.Color as expected "red" "blue""#)
        #expect(try standings(["country=FR"]).first == #"Shop.Color different "red" "red""#)
        #expect(throws: SubjectError.self) { try Self.comparison(attributes: ["country"]) }
        #expect(throws: SubjectError.self) { try Self.comparison(attributes: ["user_id=v"]) }
    }

    @Test("The report names the revisions, the variants, and what decisions rest on")
    func report() throws {
        let lines = try TextRenderer().lines(Self.comparison().found.report)
        let (found, catalog) = try Self.comparison(attributes: ["country=DE"])
        let given = TextRenderer().lines(found.report)
        let revision = catalog.plan.revision
        #expect(lines[0] == #"app "shop", device "E6", user "u""#)
        #expect(
            lines[1] == "The device has the revision 0123456789abcdef, and the present one is \(revision): values may "
                + "differ until the app refreshes.")
        #expect(lines[2] == #"Decisions rest on "country", not given."#)
        let choices = [
            "experiment  device  now", "gone        x       there is no such experiment",
            "plain       off     on; there is no such variant", "shipping    bar     no variant if it has no country",
        ]
        #expect(Array(lines.suffix(6).prefix(4)) == choices)
        #expect(
            lines.last
                == "5 settings; 1 as expected; 1 different; 1 dependent on attributes; 1 not in the definitions; "
                + "1 not read out; 1 modified")
        #expect(given.contains(#"Shop.Text   "b"     "a"    "a"     different, modified"#))
        #expect(given.contains { $0.hasPrefix("shipping") && $0.hasSuffix("bar     bar") })
        #expect(found.variants.map(\.isExpected) == [false, false, true])
        #expect(found.json.asObject?["is_present_revision"] == false)
        let present = #"{"readout": 1, "revision": "\#(revision)"}"#
        #expect(try Self.comparison(present).found.revisionWords == "The device has the present revision, \(revision).")
        #expect(try Self.comparison(#"{"readout": 1}"#).found.json.asObject?["is_present_revision"] == .null)
    }

    @Test(
        "Hostile names and values are shown as text",
        arguments: ["<b>'\"&", "\u{202E}\u{0}\n\r\u{1B}[2J", "a\u{2028}b"])
    func hostile(text: String) throws {
        let value = JSONValue.string(text)
        let readout: JSONValue = .object([
            "readout": 1, "app": value, "device": value, "user": value, "revision": value,
            "settings": .object(JSONObject([(key: text, value: value), (key: "Shop.Text", value: value)])),
            "modifications": .object(JSONObject([(key: text, value: value)])),
            "variants": .object(JSONObject([(key: text, value: value), (key: "plain", value: value)])),
        ])
        let (found, catalog) = try Self.comparison(readout.canonicalText)
        func html(_ readout: String, _ attributes: String) -> String {
            DevicePage.make(["readout": readout, "attributes": attributes], catalog.plan, in: catalog.frame())
                .html(in: catalog.frame())
        }
        let (page, failure) = (html(readout.canonicalText, ""), html(text, text))
        for shown in [page, failure] {
            #expect(shown.found(["<b>", "\u{202E}", "\u{0}", "\u{1B}", "\u{2028}"]) == [])
        }
        #expect(page.contains("not in the definitions"))
        let lines = TextRenderer().lines(found.report)
        #expect(lines.allSatisfy { !$0.contains("\n") && !$0.contains("\u{1B}") && !$0.contains("\u{202E}") })
        #expect(try JSONValue(parsing: found.json.canonicalBytes) == found.json)
    }

    @Test("The page has the values, and marks those that are not as expected")
    func page() throws {
        let catalog = try Catalog(files: Self.files)
        let frame = catalog.frame(root: "ab/")
        let page = DevicePage.make(["readout": Self.readout], catalog.plan, in: frame).html(in: frame)
        #expect(
            page.missing([
                #"<a href="ab/units/u"><bdi>u</bdi></a>"#,
                #"<tr class="changed"><th scope="row"><code>Shop.Text</code>"#,
                #"<code>Shop.Steps</code></th><td data-label="Device"><code dir="auto">1.0</code></td>"#,
                #"<a href="ab/experiments/plain">plain</a>: on<br>"#, "<th scope=\"row\">gone</th>",
                "Decisions rest on &quot;country&quot;, not given.",
            ]) == [])
        let form = DevicePage.make([:], catalog.plan, in: frame).html(in: frame)
        #expect(form.contains("<details open>"))
        #expect(!form.contains("<table"))
    }
}
