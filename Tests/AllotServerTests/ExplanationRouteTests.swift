import AllotConfiguration
import AllotCore
import AllotServer
import HTTPTypes
import Hummingbird
import Testing

struct ExplanationRouteTests {
    @Test("Every experiment is explained, or those that the query selects")
    func experimentsAreExplained() async throws {
        let routes = try TestedRoutes()
        var subject = Subject(id: "user-1")
        subject.setUntyped("country", "DE")
        let rows: [(String, [String]?)] = [("", nil), ("&experiment=button", ["button"])]
        try await routes.test { [subject] client async throws in
            for (query, experiments) in rows {
                let response = try await client.get("/explain/user-1?country=DE" + query)
                let expected = routes.plan.explanation(
                    for: subject, at: Fixture.instant, experiments: experiments)
                #expect(response.bytes == expected.json.canonicalBytes)
            }
            let two = try await client.get("/explain/user-1?experiment=button&experiment=beta")
            #expect(two.text.contains("\"beta\""))
            #expect(two.text.contains("\"button\""))
            #expect(!two.text.contains("\"box\""))
            try await client.get("/explain/user-1?experiment=buton").expectFailure(.notFound, "\"buton\"")
            try await client.get("/explain/user-1?experiment=").expectFailure(.notFound, "no experiment")
        }
    }

    @Test(
        "A browser gets a page, and a program JSON",
        arguments: [
            ("text/html", true), ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("application/json;q=0.5, text/html", true), ("*/*", false), ("application/json", false),
            ("application/json, text/html;q=0.9", false), ("text/html;q=0", false), ("", false),
        ])
    func browsersGetAPage(accepted: String, isPage: Bool) async throws {
        try await TestedRoutes().test { client async throws in
            let response = try await client.get("/explain/user-1", [.accept: accepted])
            #expect(response.headers[.contentType] == (isPage ? "text/html; charset=utf-8" : "application/json"))
            if isPage {
                #expect(response.text.hasPrefix("<!DOCTYPE html>"))
                #expect(response.text.contains("Why user-1 gets what it gets"))
            } else {
                #expect(try response.json()["configuration_revision"]?.text?.count == 16)
            }
        }
    }

    /// IDs, attributes and definitions are put into the page as text; U+202E turns the direction of what follows, ESC
    /// commands terminals that show the page's source.
    @Test("A page escapes IDs, attributes and definitions, and shows what hides in them")
    func pagesEscapeEverything() async throws {
        let routes = try TestedRoutes(
            Fixture.plan([
                "box.yaml": """
                status: running
                audience: { "na\\u202Eme": "<script>" }
                variants:
                  - { key: wide, overrides: { Limits: { Box: { b: { d: 3 } } } } }
                """
            ]))
        let hostile = "%3Cscript%3E%E2%80%AE%1B%5B2J%0A%7B%7Brevision%7D%7D"
        try await routes.test { client async throws in
            let uri = "/explain/a\(hostile)?na%E2%80%AEme=\(hostile)%22%27%26"
            let page = try await client.get(uri, [.accept: "text/html"]).text
            #expect(page.contains(#"Why a&lt;script&gt;\u202E\u001B[2J\n{{revision}} gets what it gets"#))
            #expect(!page.contains("<script"))
            #expect(!page.unicodeScalars.contains { $0 != "\n" && PrintableText.isHidden($0) })
            // Programs read the text as it is written.
            let json = try await client.get(uri).json()
            #expect(json["experiments"]?[0]?["sentence"]?.text?.contains(#"\u202E"#) == true)
        }
    }

    @Test("An explanation names the attributes that decisions rest on, and those that nothing reads")
    func missingAndUnreadAttributes() async throws {
        try await TestedRoutes().test { client async throws in
            let json = try await client.get("/explain/user-1?contry=DE&experiment=beta").json()
            #expect(json["unread"] == [["attribute": "contry", "meant": "country"]])
            let beta = json["experiments"]?[0]
            #expect(beta?["variant"] == .null)
            #expect(beta?["depends_on"] == ["country"])
            let given = try await client.get("/explain/user-1?country=US&experiment=beta").json()
            #expect(given["unread"] == nil)
            #expect(given["experiments"]?[0]?["depends_on"] == nil)
        }
    }

    @Test("Nothing is noted of attributes that the application adds", arguments: ["/explain/u", "/units/u"])
    func addedAttributes(path: String) async throws {
        let source: AttributeSource<BasicRequestContext> = { _, _ in ["risk_score": 7, "both": 1] }
        try await TestedRoutes().test(attributes: source) { client async throws in
            for query in ["", "?country=DE"] {
                let page = try await client.get(path + query, [.accept: "text/html"])
                #expect(page.status == .ok)
                #expect(!page.text.contains("no experiment looks at"))
                // Its headings say so where it matters.
                #expect(!page.text.contains("experiments look at"))
            }
            let page = try await client.get(path + "?colour=red&both=2", [.accept: "text/html"]).text
            #expect(page.contains("no experiment looks at &quot;both&quot;, &quot;colour&quot;"))
            let json = try await client.get("/explain/u?colour=red").json()
            #expect(json["unread"] == [["attribute": "colour", "meant": .null]])
        }
    }
}
