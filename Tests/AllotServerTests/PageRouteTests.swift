import AllotConfiguration
import AllotDefinitions
import AllotPageRoutes
import AllotServer
import AllotServing
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

/// How pages are served: who gets them, with which headers, and where they are mounted.
struct PageRouteTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    private static let token = "token-of-explanations-03"

    private static func basic(_ credentials: String) -> HTTPFields {
        var fields = browser
        fields[.authorization] = "Basic " + Data(credentials.utf8).base64EncodedString()
        return fields
    }

    @Test("Pages load nothing, run nothing and are not kept", arguments: ["/", "/explain/user-1"])
    func headers(path: String) async throws {
        let headers = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
            "Vary": "Accept, Accept-Encoding",
            "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
                + "base-uri 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ]
        try await TestedRoutes().test { client async throws in
            let page = try await client.get(path, Self.browser)
            #expect(page.status == .ok)
            for (name, value) in headers {
                let field = try #require(HTTPField.Name(name))
                #expect(page.headers[field] == value, "\(name)")
            }
            #expect(!page.text.contains("<script"))
            #expect(!page.text.contains("style=\""))
        }
    }

    @Test("Browsers are asked for a password, and any user name with the token will do")
    func passwords() async throws {
        var routes = try TestedRoutes()
        routes.allot.tokens = AccessTokenStore(
            try AccessTokens(
                parsing: "explain \(Self.token)\nconfiguration token-of-configurations-1", name: "tokens"))
        try await routes.test { client async throws in
            for path in ["/", "/explain/user-1"] {
                for headers in [Self.browser, Self.basic("ada:wrong"), Self.basic(Self.token), Self.basic("ada:")] {
                    let refused = try await client.get(path, headers)
                    #expect(refused.status == .unauthorized)
                    #expect(refused.headers[.wwwAuthenticate] == "Basic realm=\"allot\", charset=\"UTF-8\"")
                    #expect(refused.text.contains("<h1>Not signed in</h1>"))
                    #expect(!refused.text.contains("Revision"))
                }
                for user in ["", "ada", "a b"] {
                    #expect(try await client.get(path, Self.basic("\(user):\(Self.token)")).status == .ok)
                }
                #expect(try await client.get(path, [.authorization: "Bearer \(Self.token)"]).status == .ok)
                let other = try await client.get(path, Self.basic("ada:token-of-configurations-1"))
                #expect(other.status == .unauthorized)
                #expect(other.text.contains("the scope explain"))
                let program = try await client.get(path)
                #expect(program.headers[.wwwAuthenticate] == "Bearer realm=\"allot\"")
                try program.expectFailure(.unauthorized, "Bearer TOKEN")
            }
            // Routes for programs take no password, so that no page of another origin can use a browser's.
            #expect(
                try await client.get("/activeconfig/user/a", Self.basic("a:token-of-configurations-1")).status
                    == .unauthorized)
            #expect(try await client.get("/style.css").status == .ok)
        }
    }

    @Test(
        "The stylesheet and the icon are kept by browsers",
        arguments: [("/style.css", "text/css; charset=utf-8"), ("/favicon.svg", "image/svg+xml")])
    func assets(path: String, type: String) async throws {
        try await TestedRoutes().test { client async throws in
            let asset = try await client.get(path)
            #expect(asset.headers[.contentType] == type)
            #expect(asset.headers[.cacheControl] == "public, max-age=86400")
            let tag = try #require(asset.headers[.eTag])
            #expect(try await client.get(path + "?x", [.ifNoneMatch: tag]).status == .notModified)
            #expect(try await client.get("/", Self.browser).text.contains("href=\"\(path.dropFirst())"))
        }
    }

    @Test("Pages are compressed for browsers that accept it", arguments: ["/", "/nope", "/explain/user-1"])
    func compression(path: String) async throws {
        var allot = try TestedRoutes().allot
        allot.pages = PageRoutes()
        let routes = AllotRoutes(allot)
        func answer(_ coding: String) async -> HTTPAnswer {
            await routes.answer(
                ServiceRequest(
                    method: "GET", target: path, headers: [("Accept", "text/html"), ("Accept-Encoding", coding)]))
        }
        let (plain, packed) = (await answer("identity"), await answer("gzip, br"))
        #expect(plain.header("Content-Encoding") == nil)
        #expect(packed.header("Content-Encoding") == "gzip")
        #expect(packed.header("Vary") == "Accept, Accept-Encoding")
        #expect(packed.body.count < plain.body.count)
        #expect(try Gunzip.bytes(packed.body) == plain.body)
    }

    @Test("A failure is a page for people, and JSON for programs")
    func failures() async throws {
        try await TestedRoutes().test { client async throws in
            for path in ["/layers/nothing%3C", "/holdouts/nothing%3C"] {
                let page = try await client.get(path, Self.browser)
                #expect(page.status == .notFound)
                #expect(page.text.contains("nothing&lt;"))
                try await client.get(path).expectFailure(.notFound, "nothing<")
            }
            #expect(try await client.get("/?page=0", Self.browser).text.contains("Page is &quot;0&quot;"))
            try await client.get("/?pages=1").expectFailure(.badRequest, "unknown item")
            let dialect = try await client.get("/experiments/button?dialect=nope")
            #expect(try dialect.message()?.hasPrefix("there is no dialect \"nope\"; there are duckdb, ") == true)
            let twice = try await client.get("/experiments/button?status=draft&status=paused")
            #expect(try twice.message() == #""status" is given twice; keep one"#)
        }
    }

    @Test(
        "Every path answers a browser with a page: an unknown one with the nearest pages",
        arguments: [
            ("/experiments/buton", "../experiments/button"), ("/experiments", "./"), ("/experiments/", "../"),
            ("/experiments/button/exposure", "../../experiments/button"), ("/layers", "layers/checkout"),
            ("/layers/", "../layers/checkout"), ("/layers/chekout", "../layers/checkout"),
            ("/holdouts/", "../holdouts/h2-2026"), ("/holdout/h2-2025", "../holdouts/h2-2026"),
            ("/settings?setting=Page.Colour", "settings?setting=Page.Color"), ("/setings", "settings"),
            ("/unit/user-1", "../units"), ("/buton", "experiments/button"), ("/Checkout", "layers/checkout"),
            ("/nope/a/b", "../../"), ("/nope/%ff", "../"),
        ])
    func unknownPaths(path: String, link: String) async throws {
        let plan = try Fixture.plan(["layers.yaml": "checkout: {}", "holdouts.yaml": "h2-2026: { share: 2% }"])
        var allot = try TestedRoutes(plan).allot
        allot.pages = PageRoutes()
        let routes = AllotRoutes(allot)
        for mount in ["", "/ab"] {
            var request = ServiceRequest(method: "GET", target: mount + path)
            let data = await routes.answer(request, below: mount)
            #expect(data.header("Content-Type") == "application/json")
            request.headers.append(("Accept", "text/html"))
            let answer = await routes.answer(request, below: mount)
            #expect(answer.status == 404 && data.status == 404)
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(page.contains("<li><a href=\"\(link)\">"), "\(page)")
        }
    }

    @Test("A page for a reader without a token names nothing of the definitions, and apps get JSON in any case")
    func strangers() async throws {
        var allot = try TestedRoutes().allot
        allot.pages = PageRoutes()
        allot.tokens = AccessTokenStore(try AccessTokens(parsing: "explain \(Self.token)", name: "tokens"))
        let routes = AllotRoutes(allot)
        var request = ServiceRequest(method: "GET", target: "/buton", headers: [("Accept", "text/html")])
        let stranger = String(decoding: await routes.answer(request).body, as: UTF8.self)
        #expect(stranger.contains("<h1>Not found</h1>"))
        for text in ["Revision", "experiments/button", allot.plans.current.plan.revision] {
            #expect(!stranger.contains(text))
        }
        request.headers.append(("Authorization", "Bearer \(Self.token)"))
        let reader = String(decoding: await routes.answer(request).body, as: UTF8.self)
        #expect(reader.contains("Revision") && reader.contains("experiments/button"))
        // The last one is the answer of a method that the path does not have.
        for (target, type) in [
            ("/metrics", "text/html; charset=utf-8"), ("/health", "text/html; charset=utf-8"),
            ("/activeconfig/user/a", "application/json"), ("/ofrep/v1/evaluate/flags", "application/json"),
        ] {
            let browser = ServiceRequest(method: "GET", target: target, headers: [("Accept", "text/html")])
            let answer = await routes.answer(browser)
            #expect(answer.status >= 400)
            #expect(answer.header("Content-Type") == type, "\(target)")
        }
    }

    @Test(
        "The number of a page is read in one way; an empty one is the first",
        arguments: ["/", "/layers/checkout", "/settings"])
    func pageNumbers(path: String) async throws {
        let plan = try Fixture.plan(["layers.yaml": "checkout: {}"])
        try await TestedRoutes(plan).test { client async throws in
            for number in ["", "1", "1000000"] {
                #expect(try await client.get("\(path)?page=\(number)", Self.browser).status == .ok, "\(number)")
            }
            for number in ["0", "01", "+1", "1000001", "x"] {
                try await client.get("\(path)?page=\(number)").expectFailure(.badRequest, "from 1 to 1000000")
            }
        }
    }

    @Test("A search for the key of an experiment leads to its page, wherever the pages are mounted")
    func searches() async throws {
        let routes = try TestedRoutes()
        let router = Router()
        router.addAllotPages(routes.allot)
        router.group("ab").addAllotPages(routes.allot)
        try await Application(router: router).test(.router) { client async throws in
            for (path, location) in [
                ("/?text=button", "experiments/button"), ("/?text=+button+&status=all", "experiments/button"),
                ("/ab?text=button", "./ab/experiments/button"), ("/ab/?text=button", "experiments/button"),
            ] {
                let answer = try await client.get(path, Self.browser)
                #expect(answer.status == .seeOther, "\(path)")
                #expect(answer.headers[.location] == location, "\(path)")
                #expect(answer.headers[.cacheControl] == "no-store")
                #expect(answer.headers[.vary] == "Accept")
                #expect(answer.text.isEmpty)
            }
            #expect(try await client.get("/?text=butto", Self.browser).status == .ok)
            let page = try await client.get("/experiments/buton", Self.browser).text
            #expect(page.contains("There is no experiment &quot;buton&quot;; did you mean &quot;button&quot;?</p>"))
            let document = try await client.get("/openapi.json").json()
            #expect(document["paths"]?["/"]?["get"]?["responses"]?["303"] != nil)
        }
    }

    @Test("Each order that is documented sorts the overview")
    func orders() async throws {
        try await TestedRoutes().test { client async throws in
            let document = try await client.get("/openapi.json").json()
            guard case .array(let parameters)? = document["paths"]?["/"]?["get"]?["parameters"],
                case .array(let orders)? = parameters.first(where: { $0["name"] == "sort" })?["schema"]?["enum"]
            else { throw CancellationError() }
            #expect(orders.count == 18)
            for order in orders {
                let text = try #require(order.text)
                #expect(try await client.get("/?sort=\(text)", Self.browser).status == .ok, "\(text)")
            }
        }
    }

    @Test("Pages show the warnings of the current definitions", arguments: ["/", "/experiments/button"])
    func warnings(path: String) async throws {
        let routes = try TestedRoutes()
        let warning = DefinitionProblem(
            severity: .warning, file: "F/button.yaml", position: SourcePosition(line: 4, column: 2),
            message: "<unusual>; fix it", path: nil)
        try await routes.test { client async throws in
            for warnings in [[], [warning], []] {
                routes.allot.plans.replace(with: routes.plan, warnings: warnings, loadedAt: Fixture.instant)
                let page = try await client.get(path, Self.browser).text
                #expect(page.contains("button.yaml:4:2") == !warnings.isEmpty)
                #expect(page.contains(": &lt;unusual&gt;; fix it</li>") == !warnings.isEmpty)
            }
        }
    }

    @Test("In a group the links stay in the group, other paths are the router's, and without pages browsers get data")
    func mounting() async throws {
        let routes = try TestedRoutes()
        let router = Router()
        router.get("/") { _, _ in "the shop" }
        router.group("ab").addAllotPages(routes.allot)
        router.group("other").addAllot(routes.allot)
        try await Application(router: router).test(.router) { client async throws in
            #expect(try await client.get("/").text == "the shop")
            #expect(try await client.get("/health/live").bytes.isEmpty)
            let answer = try await client.post("/other/health/live", "{}")
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "GET, HEAD, OPTIONS")
            for (path, root) in [("/ab", "./ab/"), ("/ab/", "")] {
                let page = try await client.get(path, Self.browser).text
                #expect(page.contains("href=\"\(root)experiments/button\""))
                #expect(page.contains("href=\"\(root)style.css?"))
            }
            for path in ["/other/", "/other/style.css"] {
                #expect(try await client.get(path, Self.browser).status == .notFound)
            }
            let explanation = try await client.get("/other/explain/user-1", Self.browser)
            #expect(explanation.headers[.contentType] == "application/json")
            try await client.get("/other/explain/user-1?experiment=x", Self.browser).expectFailure(.notFound, "\"x\"")
            let document = try await client.get("/other/openapi.json").json()
            #expect(document["paths"]?["/"] == nil)
            let content = document["paths"]?["/explain/{id}"]?["get"]?["responses"]?["200"]?["content"]
            #expect(content?["application/json"] != nil)
            #expect(content?["text/html"] == nil)
        }
    }
}
