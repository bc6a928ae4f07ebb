import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPageRoutes
import AllotServer
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import TestSupport
import Testing

/// Changes of experiments that are tried out on their pages, and written there.
@Suite(.blocks) struct ExperimentChangeTests {
    private static let button = """
        # The button.
        status: running # since May
        layer: page
        slots: [0%..<60%]
        variants:
          - { key: control, weight: 1 } # as it is
          - { key: green, weight: 1, overrides: { Page: { Color: green } } }

        """
    private static let files = [
        "base.yaml": "config_sections: { Page: { settings: { Color: { value: blue } } } }\n",
        "layers.yaml": "page: {}\n", "button.yaml": button,
        "other.yaml": "status: running\nlayer: page\nslots: [60%..<100%]\nvariants: [{ key: a }]\n",
        "done.yaml": "status: concluded\nwinner: a\nvariants: [{ key: a }]\n",
    ]
    private static let page = "/experiments/button"
    private static let change = "status=paused&traffic=50%25&share.control=30%25&share.green=70%25"
    private static let (ada, reader) = ("token-of-edits-00000000001", "token-of-explanations-001")
    private static let tokens = "explain,edit \(ada) Ada <ada@example.com>\nexplain \(reader)\n"

    private static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    /// The routes of a folder, at the instant of the fixture.
    private func routes(_ folder: String, mayWrite: Bool = false, tokens: String? = nil) throws -> TestedRoutes {
        var routes = try TestedRoutes(Plan.load(folder: folder))
        routes.proposals = ChangeProposals(folder: folder, limits: DefinitionLimits(), mayWrite: mayWrite)
        if let tokens {
            routes.allot.tokens = AccessTokenStore(try AccessTokens(parsing: tokens, name: "tokens"))
        }
        return routes
    }

    @Test("A link tries a change out: the lines, and what check, test, diff and slots say; the same each time")
    func tries() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let tried = try await client.get("\(Self.page)?\(Self.change)")
            #expect(tried.status == .ok)
            #expect(tried.headers[.contentType] == "text/html; charset=utf-8")
            for part in [
                "<code>button.yaml</code></h3>", "<del>− 2: status: running # since May</del>",
                "<ins>+ 2: status: paused # since May</ins>", "traffic: 50%", "buckets: [0%..&lt;30%]",
                "<code>allot check</code>: <span class=\"good\">", "there are no tests", "<code>allot diff</code>",
                "<code>allot slots</code>", "other", "Download the patch",
                "status=paused&amp;traffic=50%25#change\">Link to this change",
            ] {
                #expect(tried.text.contains(part), "\(part)")
            }
            #expect(!tried.text.contains(folder.path))
            #expect(try await client.get("\(Self.page)?\(Self.change)").text == tried.text)
            // The form of the page leads to the same page, whatever empty items it sends.
            let form = try PageForm(#"aria-label="Change""#, in: tried.text)
            #expect(form["share.green"] == "70%")
            #expect(try await client.get("\(Self.page)?\(form.encoded)").text == tried.text)
            let empty = try await client.get("\(Self.page)?status=&traffic=&share.control=&starts=&ends=").text
            #expect(!empty.contains("<h3>The change</h3>"))
            #expect(try await client.get("\(Self.page)?traffic=100%25").text.contains("Nothing would change"))
        }
        for (name, text) in Self.files { #expect(try folder.text(name) == text) }
    }

    @Test("What check and test have against a change is shown with places in the folder")
    func findings() async throws {
        let folder = try TemporaryFolder(Self.files)
        try folder.write(
            "at: 2026-11-21T12:00:00Z\ncases: [{ name: drafts, expect: { button: { reason: draft } } }]\n",
            to: "tests/button.yaml")
        let late = "status: paused\nvariants: [{ key: a, overrides: { Page: { Color: red } } }]\n"
        try folder.write(late, to: "late.yaml")
        try await routes(folder.path).test { client async throws in
            let failing = try await client.get("\(Self.page)?status=paused").text
            #expect(failing.contains("<code>allot test</code>: <span class=\"bad\">"))
            #expect(failing.contains("The change in <code>button.yaml</code>"))
            let invalid = try await client.get("/experiments/late?status=running").text
            #expect(invalid.contains("late.yaml:") && invalid.contains("error: "))
            #expect(!invalid.contains("Download the patch"))
            for page in [failing, invalid] { #expect(!page.contains(folder.path)) }
            let patch = try await client.get("/experiments/late/patch?status=running")
            try patch.expectFailure(.badRequest, "late.yaml:")
            let warned = try await client.get("\(Self.page)?share.control=0%25&share.green=100%25").text
            let verdict = "<code>allot check</code>: <span class=\"bad\">1 new warning</span>"
            #expect(warned.contains(verdict))
        }
    }

    @Test("A conclusion has a winner, which another status removes")
    func winners() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let query = "status=concluded&winner=green"
            let page = try await client.get("\(Self.page)?\(query)").text
            #expect(page.contains("<ins>+ 2: status: concluded # since May</ins>"))
            #expect(page.contains("<ins>+ 3: winner: green</ins>"))
            let patch = try await client.get("\(Self.page)/patch?\(query)")
            #expect(patch.status == .ok && patch.text.contains("+winner: green"))
            let running = try await client.get("/experiments/done?status=running").text
            #expect(running.contains("<del>− 2: winner: a</del>"))
            for (query, fix) in [
                ("winner=green", "choose the status concluded as well"),
                ("status=concluded&winner=blue", "there are control, green"),
            ] {
                #expect(try await client.get("\(Self.page)?\(query)").text.contains(fix))
            }
        }
    }

    @Test("While the files have errors, a link shows the experiment as it runs, and what to fix")
    func brokenFolder() async throws {
        let folder = try TemporaryFolder(Self.files)
        let tested = try routes(folder.path)
        try folder.write("status: [", to: "broken.yaml")
        try await tested.test { client async throws in
            let page = try await client.get("\(Self.page)?status=paused")
            #expect(page.status == .ok)
            for part in ["(now: running)", "fix the errors of the definitions first: ", "broken.yaml:1:"] {
                #expect(page.text.contains(part), "\(part)")
            }
            #expect(!page.text.contains(folder.path))
            try await client.get("\(Self.page)/patch?status=paused").expectFailure(.serviceUnavailable, "broken.yaml")
        }
    }

    @Test(
        "A text that cannot be read has its fix next to the field",
        arguments: [
            ("traffic=0.5", "change-traffic", "write 50% or 0.5%, whichever is meant"),
            ("traffic=101%25", "change-traffic", "the traffic is"),
            ("traffic=1.1234567%25", "change-traffic", "at most 4 decimals"),
            ("status=pause", "change-status", "did you mean paused?"),
            ("status=on", "change-status", "it is one of draft, running, paused, concluded"),
            ("share.control=-1%25", "change-share-0", "the share of control is"),
            ("share.green=30.12345%25", "change-share-1", "at most 4 decimals"),
            ("starts=tomorrow", "change-starts", "is not an instant"),
            ("starts=2027-02-01T00:00:00Z&ends=2027-01-01T00:00:00Z", "change-ends", "is not after the start"),
        ])
    func faults(query: String, id: String, fix: String) async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let page = try await client.get("\(Self.page)?\(query)").text
            let field = try #require(page.range(of: "<span class=\"bad\" id=\"\(id)-fault\">"))
            let fault = page[field.upperBound...].prefix { $0 != "<" }
            #expect(fault.contains(fix), "\(fault)")
            #expect(page.contains("aria-describedby=\"\(id)-fault\""))
            #expect(!page.contains("Download the patch"))
            let patch = try await client.get("\(Self.page)/patch?\(query)")
            #expect(patch.status == .badRequest)
        }
    }

    @Test("Shares that do not add up, unknown variants and hostile texts are answered, and nothing of them is markup")
    func others() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let sum = try await client.get("\(Self.page)?share.control=30%25").text
            #expect(sum.contains("the shares come to 80%"))
            let unknown = try await client.get("\(Self.page)?share.blue=10%25").text
            #expect(unknown.contains("button has no variant &quot;blue&quot;"))
            let hostile = PageForm.encoded("\"><script>alert(1)</script>\u{202E}")
            for item in ["status", "winner", "traffic", "starts", "ends", "share.control", "share.\(hostile)"] {
                let page = try await client.get("\(Self.page)?\(item)=\(hostile)")
                #expect(page.status == .ok)
                #expect(!page.text.contains("<script"))
            }
            let long = String(repeating: "9", count: 6000)
            #expect(try await client.get("\(Self.page)?traffic=\(long)").status == .ok)
            for query in [
                "traffic=1%25&traffic=2%25", "share.=1%25", "shares=1", "status=paused&confirmation=x", "traffic=%zz",
            ] {
                #expect(try await client.get("\(Self.page)?\(query)").status == .badRequest, "\(query)")
            }
            #expect(try await client.get("/experiments/none?status=paused").status == .notFound)
            #expect(try await client.get("\(Self.page)/patch").status == .badRequest)
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            for path in [Self.page, Self.page + "/patch"] {
                let foreign = try await client.get("\(path)?status=paused", [site: "cross-site"])
                #expect(foreign.status == .forbidden)
            }
        }
        #expect(try folder.text("button.yaml") == Self.button)
    }

    @Test("Git applies the patch, which has the paths of the repository")
    func patches() async throws {
        let repository = try TestRepository()
        for (name, text) in Self.files { try repository.write(text, to: "shop/Experiments/\(name)") }
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        let folder = repository.path + "/shop/Experiments"
        try await routes(folder).test { client async throws in
            let patch = try await client.get("\(Self.page)/patch?\(Self.change)")
            #expect(patch.status == .ok)
            #expect(patch.headers[.contentType] == "text/x-diff; charset=utf-8")
            #expect(patch.headers[.contentDisposition] == "attachment; filename=\"button.patch\"")
            #expect(patch.text.contains("+++ b/shop/Experiments/button.yaml\n"))
            #expect(try repository.git(["status", "--porcelain"]).isEmpty)
            try repository.git(["apply"], input: patch.text)
        }
        let plan = try Plan.load(folder: folder)
        let experiment = try #require(plan.experiments.first { $0.key == "button" })
        #expect(experiment.status == .paused)
        #expect(experiment.traffic == .constant(500_000))
        #expect(experiment.variants.map(\.bucketCount) == [300_000, 700_000])
        #expect(try repository.git(["diff", "--name-only"]) == "shop/Experiments/button.yaml")
    }

    @Test("The bearer of a token that may edit confirms a change, which is then a commit in the bearer's name")
    func writes() async throws {
        let repository = try TestRepository()
        for (name, text) in Self.files { try repository.write(text, to: "shop/\(name)") }
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        var routes = try routes(repository.path + "/shop", mayWrite: true, tokens: Self.tokens)
        let logger = Logger(label: "editing", factory: { _ in SwiftLogNoOpLogHandler() })
        let tokens = routes.allot.tokens
        // Reads what was written.
        routes.allot = AllotService(try DefinitionsReloader(folder: repository.path + "/shop", logger: logger))
        routes.allot.tokens = tokens
        try await routes.test { client async throws in
            let link = "\(Self.page)?status=paused"
            let read = try await client.get(link, Self.bearer(Self.reader)).text
            #expect(!read.contains(#"aria-label="Write the change""#))
            let page = try await client.get(link, Self.bearer(Self.ada)).text
            let confirmed = try PageForm(#"aria-label="Write the change""#, in: page).encoded
            // Reading wrote nothing.
            #expect(try repository.git(["status", "--porcelain"]).isEmpty)
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            var foreign = Self.bearer(Self.ada)
            foreign[site] = "cross-site"
            let other = confirmed.replacing(PageForm.encoded("paused"), with: PageForm.encoded("draft"))
            let refusals: [(form: String, headers: HTTPFields, status: HTTPResponse.Status)] = [
                (confirmed, [:], .unauthorized), (confirmed, Self.bearer(Self.reader), .unauthorized),
                (confirmed, foreign, .forbidden), (other, Self.bearer(Self.ada), .conflict),
                ("status=paused", Self.bearer(Self.ada), .badRequest), ("", Self.bearer(Self.ada), .badRequest),
            ]
            for (form, headers, status) in refusals {
                #expect(try await client.postForm(Self.page, form, headers).status == status, "\(form)")
            }
            #expect(try repository.text("shop/button.yaml") == Self.button)
            let written = try await client.postForm(Self.page, confirmed, Self.bearer(Self.ada))
            #expect(written.status == .ok)
            #expect(written.text.contains("Written to <code>button.yaml</code>"))
            // The page is that of the new plan.
            #expect(written.text.contains("<dt>Status</dt><dd>paused</dd>"))
            #expect(!written.text.contains(repository.path))
            #expect(try await client.postForm(Self.page, confirmed, Self.bearer(Self.ada)).status == .conflict)
        }
        #expect(
            try repository.text("shop/button.yaml") == Self.button.replacing("status: running", with: "status: paused"))
        #expect(
            try repository.git(["log", "-1", "--format=%an %ae %s"])
                == "Ada ada@example.com Edit button: status: paused")
        #expect(try repository.git(["status", "--porcelain"]).isEmpty)
    }

    @Test("Without the option, or without tokens, a change is tried out and never written")
    func off() async throws {
        let folder = try TemporaryFolder(Self.files)
        let tested = [
            try routes(folder.path, tokens: Self.tokens), try routes(folder.path, mayWrite: true),
        ]
        for routes in tested {
            try await routes.test { client async throws in
                let page = try await client.get("\(Self.page)?status=paused", Self.bearer(Self.ada)).text
                #expect(page.contains("<code>button.yaml</code></h3>"))
                #expect(!page.contains(#"aria-label="Write the change""#))
                let refused = try await client.postForm(
                    Self.page, "status=paused&confirmation=x", Self.bearer(Self.ada))
                #expect(refused.status == .methodNotAllowed)
            }
        }
        // Pages of an application have no folder.
        try await TestedRoutes().test { client async throws in
            #expect(try await !client.get(Self.page).text.contains("Try a change"))
            try await client.get("\(Self.page)?status=paused").expectFailure(.badRequest, "no folder")
            #expect(try await client.get("\(Self.page)/patch?status=paused").status == .notFound)
        }
        #expect(try folder.text("button.yaml") == Self.button)
    }

    @Test("Who is signed in downloads the exposures as CSV from the page of the experiment")
    func exports() async throws {
        try await TestedRoutes.testExposures { allot in
            let tokens = Self.tokens + "exposures token-of-exposures-00001\n"
            allot.tokens = AccessTokenStore(try AccessTokens(parsing: tokens, name: "tokens"))
        } _: { client, _ in
            var browser: HTTPFields = [.accept: "text/html"]
            let password = Data("ada:\(Self.reader)".utf8).base64EncodedString()
            browser[.authorization] = "Basic \(password)"
            #expect(try await !client.get("/experiments/box", browser).text.contains("Download CSV"))
            let stored = try await client.post(
                "/exposures", Event.batch([Event.text("u-1")]), Self.bearer("token-of-exposures-00001"))
            #expect(stored.status == .ok)
            let page = try await client.get(Self.page, browser).text
            let link = try #require(page.firstMatch(of: /href="\.\.\/([^"]+)">Download CSV/)).output.1
            #expect(link == "exposures?experiment=button&amp;salt=button")
            let uri = "/\(link.replacing("&amp;", with: "&"))"
            let export = try await client.get(uri, browser)
            #expect(export.status == .ok)
            #expect(export.text.contains("\nu-1,button,button,green,"))
            #expect(export.headers[.contentDisposition] == "attachment; filename=\"button-exposures.csv\"")
            // Without the password a browser is asked for it; others take no password.
            let refused = try await client.get(uri, [.accept: "text/html"])
            #expect(refused.headers[.wwwAuthenticate] == "Basic realm=\"allot\", charset=\"UTF-8\"")
            let counts = try await client.get("\(Self.page)/exposures", browser)
            #expect(counts.status == .unauthorized)
        }
    }
}
