import AllotConfiguration
import AllotCore
import AllotServer
import HTTPTypes
import Hummingbird
import Testing

struct ExplanationRouteTests {
    @Test("Every experiment is explained")
    func everyExperimentIsExplained() async throws {
        let routes = try TestedRoutes()
        var subject = Subject(id: "user-1")
        subject.setUntyped("user_id", "user-1")
        subject.setUntyped("country", "DE")
        let expected = routes.plan.explanation(for: subject, at: Fixture.instant)
        try await routes.test { client in
            let response = try await client.get("/explain/user-1?country=DE")
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "application/json")
            #expect(response.bytes == expected.json.canonicalBytes)
            for experiment in routes.plan.experiments {
                #expect(response.text.contains(JSONValue.string(experiment.key).canonicalText))
            }
        }
    }

    @Test("A query selects the experiments to explain")
    func experimentsAreSelected() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client in
            let response = try await client.get("/explain/user-1?experiment=button")
            let expected = routes.plan.explanation(
                for: Subject(id: "user-1"), at: Fixture.instant, experiments: ["button"])
            #expect(response.bytes == expected.json.canonicalBytes)
            #expect(!response.text.contains("\"beta\""))
            let two = try await client.get("/explain/user-1?experiment=button&experiment=beta")
            #expect(two.text.contains("\"beta\""))
            #expect(two.text.contains("\"button\""))
            #expect(!two.text.contains("\"box\""))
            try await client.get("/explain/user-1?experiment=buton").expectFailure(.notFound, "\"buton\"")
            try await client.get("/explain/user-1?experiment=").expectFailure(.notFound, "no experiment")
        }
    }

    @Test(
        "A browser gets a page",
        arguments: [
            "text/html", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "application/json;q=0.5, text/html",
        ])
    func browsersGetAPage(accepted: String) async throws {
        try await TestedRoutes().test { client in
            let response = try await client.get("/explain/user-1", [.accept: accepted])
            #expect(response.headers[.contentType] == "text/html; charset=utf-8")
            #expect(response.text.hasPrefix("<!DOCTYPE html>"))
            #expect(response.text.contains("Why user-1 gets what it gets"))
        }
    }

    @Test(
        "A program gets JSON",
        arguments: ["*/*", "application/json", "application/json, text/html;q=0.9", "text/html;q=0", ""])
    func programsGetJSON(accepted: String) async throws {
        try await TestedRoutes().test { client in
            let response = try await client.get("/explain/user-1", [.accept: accepted])
            #expect(response.headers[.contentType] == "application/json")
            #expect(try response.json()["configuration_revision"]?.text?.count == 16)
        }
    }

    /// IDs, attributes and definitions are put into the page as text.
    @Test("A page escapes IDs, attributes and definitions")
    func pagesEscapeEverything() async throws {
        let hostile = "<script>alert(1)</script>"
        let routes = try TestedRoutes(
            Fixture.plan([
                "box.yaml": """
                status: running
                audience: { country: "\(hostile)" }
                variants:
                  - { key: wide, overrides: { Limits: { Box: { b: { d: 3 } } } } }
                """
            ]))
        let encoded = "%3Cscript%3Ealert%281%29%3C%2Fscript%3E"
        try await routes.test { client in
            for uri in ["/explain/\(encoded)?country=\(encoded)", "/explain/a?country=\(encoded)%22%27%26"] {
                let page = try await client.get(uri, [.accept: "text/html"]).text
                #expect(!page.contains("<script"), "\(uri)")
                #expect(page.contains("&lt;script&gt;"), "\(uri)")
            }
            // Nor do tags of templates run.
            let page = try await client.get("/explain/%7B%7Brevision%7D%7D", [.accept: "text/html"]).text
            #expect(page.contains("Why {{revision}} gets"))
            // The experiment that looks at the country shows what it saw.
            let json = try await client.get("/explain/\(encoded)?country=\(encoded)").text
            #expect(json.contains("wide"))
        }
    }

    @Test("An explanation names the attributes that decisions rest on, and those that nothing reads")
    func missingAndUnreadAttributes() async throws {
        try await TestedRoutes().test { client in
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
        try await TestedRoutes().test(attributes: source) { client in
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

    /// U+202E turns the direction of what follows, ESC commands terminals that show the page's source.
    @Test("Characters that hide what a page says are shown as escapes")
    func hiddenCharactersAreShown() async throws {
        let routes = try TestedRoutes(
            Fixture.plan([
                "box.yaml": """
                status: running
                audience: { "na\\u202Eme": "x\\u2066y\\e" }
                variants:
                  - { key: wide, overrides: { Limits: { Box: { b: { d: 3 } } } } }
                """
            ]))
        let hostile = "%E2%80%AE%1B%5B2J%E2%81%A6%EF%BB%BF%7F%0A"
        try await routes.test { client in
            let uri = "/explain/a\(hostile)?na%E2%80%AEme=\(hostile)"
            let page = try await client.get(uri, [.accept: "text/html"]).text
            #expect(page.contains(#"Why a\u202E\u001B[2J\u2066\uFEFF\u007F\n gets what it gets"#))
            let hidden = page.unicodeScalars.filter { $0 != "\n" && PrintableText.isHidden($0) }
            #expect(hidden.isEmpty)
            // Programs read the text as it is written.
            let json = try await client.get(uri).json()
            #expect(json["experiments"]?[0]?["sentence"]?.text?.contains(#"a\u202E"#) == true)
        }
    }
}
