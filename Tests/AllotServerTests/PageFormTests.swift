import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPageRoutes
import AllotServer
import AllotSigning
import HTTPTypes
import TestSupport
import Testing

/// Forms of pages that are sent as they are: whatever hides in their texts, they mean what the page was made of.
struct PageFormTests {
    /// Texts with hidden characters, or with markup. The first is one family.
    static let texts = [
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "a\u{200C}b", "co\u{AD}op", "\u{202E}x\u{1B}[2J",
        "\u{200D}<a href='b'>&amp;\"",
    ]

    private static let browser: HTTPFields = [.accept: "text/html"]

    /// The plan of a base alone.
    private static func plan(_ base: String) throws -> Plan {
        try DefinitionsLoader(now: Fixture.instant).load([
            DefinitionSource(name: "base.json", bytes: Array(base.utf8))
        ]).plan
    }

    @Test("A base value that is sent as the page has it changes nothing", arguments: texts + ["\ntwo\u{200D}\nlines\n"])
    func settings(text: String) async throws {
        let (value, name) = (PrintableText.jsonString(text), "\u{200D}Te\u{AD}xt")
        let file =
            #"{"__type": "File", "name": "<\u00AD>", "url": "https://example.com/", "size": 1, "sha256": ""#
            + String(repeating: "0a", count: 32) + #""}"#
        let base = #"""
            {"config_sections": {"Page": {"settings": {
                \#(PrintableText.jsonString(name)): {"value": \#(value)},
                "Listed": {"value": \#(value), "enum": ["other", \#(value)]},
                "Chosen": {"value": \#(value), "choices": [{"value": \#(value), "label": "one"}]},
                "Object": {"value": {"key": \#(value)}},
                "Until": {"value": "2026-11-21T13:00:00+01:00", "format": "date-time"},
                "Place": {"value": {"__type": "GeoPoint", "latitude": 1.50, "longitude": -2}, "format": "geo-point"},
                "Menu": {"value": \#(file), "format": "file"}}}}}
            """#
        let folder = try TemporaryFolder()
        try folder.write(base, to: "base.json")
        var routes = try TestedRoutes(Self.plan(base))
        routes.proposals = ChangeProposals(folder: folder.path, limits: DefinitionLimits())
        try await routes.test { client async throws in
            for path in [name, "Listed", "Chosen", "Object", "Until", "Place", "Menu"].map({ "Page.\($0)" }) {
                let page = try await client.get("/settings?setting=\(PageForm.encoded(path))", Self.browser).text
                let form = try PageForm(#"aria-label="New value""#, in: page)
                #expect(form["setting"] == path)
                #expect(page.contains(#"method="get" aria-label="New value""#))
                let linked = try await client.get("/settings?\(form.encoded)", Self.browser).text
                let posted = try await client.postForm("/settings", form.encoded).text
                for answer in [linked, posted] {
                    #expect(answer.contains("Nothing would change: <code>base.json</code>"), "\(path)")
                    #expect(try PageForm(#"aria-label="New value""#, in: answer).encoded == form.encoded)
                }
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test("A unit that is sent as the page has it is the same unit", arguments: texts + ["a\u{2028}b"])
    func units(text: String) async throws {
        let json = PrintableText.jsonString(text)
        let plan = try Fixture.plan([
            "button.yaml": """
            status: running
            forced: { \(json): green }
            variants: [{ key: control }, { key: green, overrides: { Page: { Color: green } } }]
            """,
            "box.yaml": """
            status: running
            unit: device
            audience: { country: \(json) }
            variants: [{ key: wide, overrides: { Limits: { Box: { b: { d: 3 } } } } }]
            """,
        ])
        try await TestedRoutes(plan).test { client async throws in
            let encoded = PageForm.encoded(text)
            let first = try await client.get(
                "/units/\(encoded)?country=\(encoded)&device=\(encoded)", Self.browser
            ).text
            let form = try PageForm(#"class="unit-form""#, in: first)
            #expect(form["id"] == text)
            #expect(form["device"] == text)
            #expect(form["attributes"] == "country=\(text)")
            let again = try await client.get("/units?\(form.encoded)", Self.browser).text
            for page in [first, again] {
                #expect(page.contains(": green</h3>"))
                #expect(page.contains("Reason: forced"))
                #expect(page.contains(": wide</h3>"))
            }
            #expect(try PageForm(#"class="unit-form""#, in: again).encoded == form.encoded)
        }
    }

    @Test("A token's form that is sent again asks for the same values", arguments: texts + ["two\u{200D}\nlines"])
    func overrides(text: String) async throws {
        let (uri, token) = ("/units/u-1/override", "token-of-overrides-00001")
        let key = try SigningKey.generate(.es256)
        let verifier = try PublicKeyVerifier([key.publicKey])
        var routes = try TestedRoutes(
            Self.plan(#"{"config_sections": {"\u200DPage": {"settings": {"Color": {"value": "blue"}}}}}"#))
        routes.allot.signer = ConfigurationSigner(key)
        routes.allot.tokens = AccessTokenStore(try AccessTokens(parsing: "override \(token)", name: "tokens"))
        try await routes.test { client async throws in
            var headers = Self.browser
            headers[.authorization] = "Bearer \(token)"
            var form = try PageForm(#"aria-label="Token""#, in: await client.get(uri, headers).text)
            form["device"] = "d\u{AD}1"
            form["scheme"] = "shop"
            form["setting.\u{200D}Page.Color"] = text
            // There is no app, so the form comes back.
            let refused = try await client.postForm(uri, form.encoded, headers).text
            #expect(refused.contains("There is no token"))
            var again = try PageForm(#"aria-label="Token""#, in: refused)
            #expect(again.encoded == form.encoded)
            again["app"] = "shop"
            let page = try await client.postForm(uri, again.encoded, headers).text
            let link = try #require(page.firstMatch(of: /href="(shop:\/\/override\?token=[^"]+)"/)).output.1
            let payload = try DevicePayload(verifying: SignedToken(link: String(link)), by: verifier)
            #expect(payload.device == "d\u{AD}1")
            #expect(payload.values == ["\u{200D}Page": ["Color": .string(text)]])
        }
    }

    @Test("A search that is sent again looks for the same", arguments: texts)
    func searches(text: String) async throws {
        let encoded = PageForm.encoded(text)
        let base = #"{"config_sections": {"Pa\u00ADge": {"settings": {"Color": {"value": "blue"}}}}}"#
        try await TestedRoutes(Self.plan(base)).test { client async throws in
            for (path, query, label) in [
                ("/", "owner=\(encoded)&setting=\(encoded)&text=\(encoded)&layer=\(encoded)", "Filter"),
                ("/", "text=\(encoded)", "Experiments"),
                ("/settings", "text=\(encoded)&section=Pa%C2%ADge", "Filter settings"),
            ] {
                let form = try PageForm(
                    "aria-label=\"\(label)\"", in: await client.get("\(path)?\(query)", Self.browser).text)
                for item in query.split(separator: "&") {
                    let name = String(item.prefix { $0 != "=" })
                    #expect(form[name] == (name == "section" ? "Pa\u{AD}ge" : text), "\(path) \(name)")
                }
                let again = try await client.get("\(path)?\(form.encoded)", Self.browser).text
                #expect(try PageForm("aria-label=\"\(label)\"", in: again).encoded == form.encoded)
            }
        }
    }
}
