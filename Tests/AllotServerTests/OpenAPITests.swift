import AllotConfiguration
import AllotDefinitions
import AllotPageRoutes
import AllotServer
import AllotSigning
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import AllotServing

/// The document of all routes, compared with what the routes do.
struct OpenAPITests {
    /// One documented operation.
    private struct Operation {
        let path: String
        let method: HTTPRequest.Method
        let json: JSONValue
        /// Its parameters, each with its references resolved.
        let parameters: [JSONValue]
        /// The example of its body.
        let body: JSONValue?

        var name: String { "\(method.rawValue) \(path)" }

        func parameters(in place: String) -> [JSONValue] {
            parameters.filter { $0["in"]?.text == place }
        }

        /// A target for which all parts of the path have their examples, with no query.
        var target: String {
            get throws {
                try parameters(in: "path").reduce(path) { path, parameter in
                    let name = try #require(parameter["name"]?.text)
                    return path.replacing("{\(name)}", with: try #require(parameter["example"]?.text))
                }
            }
        }

        /// The scope that it requires.
        var scope: String? { json["security"]?[0]?["bearer"]?[0]?.text }
    }

    private static let tokens = """
        configuration token-of-configuration-1
        exposures token-of-exposures-00001
        explain token-of-explanations-001
        metrics token-of-metrics-00000001
        override token-of-overrides-00001
        """

    private static func members(_ value: JSONValue?) throws -> [JSONObject.Member] {
        guard case .object(let object) = try #require(value) else { throw CocoaError(.coderInvalidValue) }
        return object.members
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue] {
        guard case .array(let elements)? = value else { return [] }
        return elements
    }

    /// The value at a path of names, with a slash between them.
    private static func member(_ path: Substring, of document: JSONValue) -> JSONValue? {
        path.split(separator: "/").reduce(document) { value, name in value?[String(name)] }
    }

    /// What a value stands for, if it is a reference.
    private static func resolved(_ value: JSONValue, in document: JSONValue) throws -> JSONValue {
        guard let reference = value["$ref"]?.text else { return value }
        #expect(reference.hasPrefix("#/"))
        return try #require(member(reference.dropFirst(2), of: document), "\(reference) does not exist")
    }

    private static func operations(_ document: JSONValue) throws -> [Operation] {
        try members(document["paths"]).flatMap { path in
            try members(path.value).map { method in
                let body = try method.value["requestBody"].map { try resolved($0, in: document) }
                return Operation(
                    path: path.key, method: try #require(HTTPRequest.Method(method.key.uppercased())),
                    json: method.value,
                    parameters: try elements(method.value["parameters"]).map { try resolved($0, in: document) },
                    body: body?["content"]?["application/json"]?["example"])
            }
        }
    }

    /// Tests all operations of routes that require tokens.
    private func test(_ body: @Sendable (any TestClientProtocol, JSONValue) async throws -> Void) async throws {
        // The examples are those of the sample definitions.
        let plan = try Fixture.plan([
            "base.json": Fixture.base.replacing(
                #""config_sections": {"#,
                with: #""config_sections": {"Checkout": {"settings": {"Steps": {"value": 3}}},"#),
            "layers.yaml": "checkout: {}", "holdouts.yaml": "h2-2026: { share: 2% }",
            "short-checkout.yaml": """
            status: running
            variants: [{ key: one-step, overrides: { Checkout: { Steps: 1 } } }]
            """,
        ])
        try await TestedRoutes.testExposures(plan) { allot in
            allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.tokens, name: "tokens"))
        } _: { client, _ in
            try await body(client, try await client.get("/openapi.json").json())
        }
    }

    private func token(of scope: String) throws -> String {
        let line = Self.tokens.split(separator: "\n").first { $0.hasPrefix(scope + " ") }
        return String(try #require(line).dropFirst(scope.count + 1))
    }

    private func send(
        _ operation: Operation, _ client: any TestClientProtocol, query: String = "", token: String? = nil
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        if operation.body != nil { headers[.contentType] = "application/json" }
        headers[.authorization] = token.map { "Bearer \($0)" }
        return try await client.executeRequest(
            uri: operation.target + query, method: operation.method, headers: headers,
            body: operation.body.map { ByteBuffer(bytes: $0.canonicalBytes) })
    }

    @Test("The methods of each documented path are those that it has")
    func methodsAreDocumented() async throws {
        try await test { client, document in
            let operations = try Self.operations(document)
            for (path, operations) in Dictionary(grouping: operations, by: \.path) {
                let options = try await client.send(.options, try #require(operations.first).target)
                var expected = Set(operations.map(\.method.rawValue) + ["OPTIONS"])
                if expected.contains("GET") { expected.insert("HEAD") }
                let allowed = try #require(options.headers[.allow]).split(separator: ", ").map(String.init)
                #expect(Set(allowed) == expected, "\(path)")
            }
        }
    }

    @Test("Each documented operation accepts its example from senders of its scope only")
    func examplesAreAccepted() async throws {
        try await test { client, document in
            let scopes = ["configuration", "exposures", "explain", "metrics", "override"]
            // The stream of events does not end.
            for operation in try Self.operations(document) where operation.path != "/events" {
                let own = try operation.scope.map { try token(of: $0) }
                let answer = try await send(operation, client, token: own)
                #expect(answer.status == .ok, "\(operation.name): \(answer.text)")
                let answers = try #require(operation.json["responses"])
                let type = try #require(answer.headers[.contentType]).prefix { $0 != ";" }
                let documented = try Self.resolved(try #require(answers["200"]), in: document)
                #expect(documented["content"]?[String(type)] != nil, "\(operation.name) \(type)")
                for header in try documented["headers"].map({ try Self.members($0) }) ?? [] {
                    let isRequired = try Self.resolved(header.value, in: document)["required"] == true
                    let field = try #require(HTTPField.Name(header.key))
                    #expect(!isRequired || answer.headers[field] != nil, "\(operation.name) \(header.key)")
                }
                guard let scope = operation.scope else { continue }
                #expect(try await send(operation, client).status == .unauthorized, "\(operation.name)")
                for other in scopes where other != scope {
                    let refused = try await send(operation, client, token: token(of: other))
                    #expect(refused.status == .forbidden, "\(operation.name)")
                }
            }
        }
    }

    @Test("The items of queries are those that are documented")
    func queriesAreDocumented() async throws {
        try await test { client, document in
            for operation in try Self.operations(document) {
                let names = operation.parameters(in: "query").compactMap { $0["name"]?.text }
                // OFREP may get further items.
                let isOpen = names.contains("attributes") || names.contains("flagConfigEtag")
                guard !names.isEmpty, !isOpen else { continue }
                let own = try operation.scope.map { try token(of: $0) }
                let answer = try await send(operation, client, query: "?unknown-item=1", token: own)
                try answer.expectFailure(.badRequest, "it takes " + names.sorted().joined(separator: ", "))
            }
        }
    }

    @Test("What a server without tokens forbids, the forms of pages of other origins, is documented")
    func foreignForms() async throws {
        let folder = try TemporaryFolder()
        var routes = try TestedRoutes()
        routes.proposals = ChangeProposals(folder: folder.path, limits: DefinitionLimits())
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        try await routes.test { client async throws in
            let document = try await client.get("/openapi.json").json()
            var forbidden: [String] = []
            // The stream of events does not end.
            for operation in try Self.operations(document) where operation.path != "/events" {
                let answer = try await client.send(operation.method, operation.target, [site: "cross-site"])
                if answer.status == .forbidden { forbidden.append(operation.name) }
                let isDocumented = operation.json["responses"]?["403"] != nil
                #expect(isDocumented == (answer.status == .forbidden), "\(operation.name)")
            }
            #expect(forbidden == ["POST /settings"])
        }
    }

    @Test("The document is whole: references exist, names are unique, parts of paths are described")
    func documentIsWhole() async throws {
        @Sendable func check(_ value: JSONValue, _ document: JSONValue) throws {
            switch value {
            case .object(let object):
                _ = try Self.resolved(value, in: document)
                for member in object.members { try check(member.value, document) }
            case .array(let elements): for element in elements { try check(element, document) }
            default: break
            }
        }
        try await test { _, document in
            #expect(document["openapi"] == "3.1.0")
            #expect(document["info"]?["version"]?.text != nil)
            try check(document, document)
            let operations = try Self.operations(document)
            let names = operations.compactMap { $0.json["operationId"]?.text }
            #expect(names.count == operations.count)
            #expect(Set(names).count == names.count)
            let tags = Self.elements(document["tags"]).compactMap { $0["name"]?.text }
            for operation in operations {
                #expect(operation.json["summary"]?.text != nil)
                #expect(tags.contains(operation.json["tags"]?[0]?.text ?? ""))
                let places = operation.parameters.map { "\($0["in"]?.text ?? "") \($0["name"]?.text ?? "")" }
                #expect(Set(places).count == places.count, "\(operation.path): \(places)")
                let parts = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
                    .map { String($0.dropFirst().dropLast()) }
                #expect(operation.parameters(in: "path").compactMap { $0["name"]?.text } == parts)
                #expect(operation.parameters(in: "path").allSatisfy { $0["required"] == true })
                for answer in try Self.members(operation.json["responses"]) {
                    #expect(Int(answer.key).map { (100...599).contains($0) } == true)
                    #expect(try Self.resolved(answer.value, in: document)["description"]?.text != nil)
                }
            }
        }
    }

    @Test("The document needs no token, may be kept, and names where the routes are mounted")
    func documentIsServed() async throws {
        var routes = try TestedRoutes()
        routes.allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.tokens, name: "tokens"))
        let router = Router()
        router.group("ab/c").addAllot(routes.allot)
        try await Application(router: router).test(.router) { client async throws in
            let answer = try await client.get("/ab/c/openapi.json")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.cacheControl] == "public, max-age=3600")
            let document = try answer.json()
            #expect(document["servers"] == [["url": "/ab/c"]])
            let again = try await client.get("/ab/c/openapi.json", [.ifNoneMatch: try #require(answer.headers[.eTag])])
            #expect(again.status == .notModified)
        }
        try await routes.test { client async throws in
            let document = try await client.get("/openapi.json").json()
            #expect(document["servers"] == [["url": "/"]])
        }
    }

    @Test("The document says the server's limits")
    func limits() async throws {
        var limits = RequestLimits()
        (limits.attributeCount, limits.exposureCount) = (7, 5)
        try await TestedRoutes.testExposures { allot in
            allot.limits = limits
        } _: { client, _ in
            let document = try await client.get("/openapi.json").json()
            let expected: [(path: String, value: JSONValue)] = [
                ("schemas/Attributes/maxProperties", 7), ("schemas/Exposures/maxItems", 5),
                ("schemas/Key/pattern", "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"), ("schemas/UnitID/maxLength", 1024),
                ("schemas/UnitID/description", "At most 1024 bytes of UTF-8."), ("schemas/Salt/maxLength", 1024),
                ("schemas/Exposure/properties/id/maxLength", 128),
                ("schemas/Exposure/properties/revision/maxLength", 64),
            ]
            for (path, value) in expected {
                #expect(Self.member("components/\(path)", of: document) == value, "\(path)")
            }
            let page = Self.member("components/parameters/PageNumber/schema/anyOf", of: document)
            #expect(page?[0]?["maximum"] == 1_000_000)
            let content = Self.member("components/requestBodies/Context/content", of: document)
            let context = content?["application/json"]?["schema"]?["properties"]?["context"]
            #expect(context?["maxProperties"] == 8)
            let description = Self.member("components/parameters/Attributes/description", of: document)?.text
            #expect(description?.contains("At most 7, each once") == true)
        }
    }

    /// The scopes of the routes in the article's table, by method and path: `GET /units/{}`.
    private static func article() throws -> [String: String] {
        let path = URL(filePath: #filePath)
            .appending(path: "../../../Sources/AllotServer/AllotServer.docc/OverHTTP.md")
        var scopes: [String: String] = [:]
        for line in try String(contentsOf: path.standardizedFileURL, encoding: .utf8).split(separator: "\n") {
            let cells = line.split(separator: "|")
            guard line.hasPrefix("| `"), cells.count > 2 else { continue }
            var (methods, isComplete) = ([String](), false)
            for span in cells[0].matches(of: /`([A-Z]+\b)? ?(\/[^?`]*)?[^`]*`/) {
                if let method = span.1 {
                    methods = (isComplete ? [] : methods) + [String(method)]
                    isComplete = false
                }
                guard let path = span.2 else { continue }
                isComplete = true
                let pattern = Self.pattern(String(path))
                for method in methods {
                    for path in [pattern.prefix { $0 != "[" }, pattern.filter { $0 != "[" && $0 != "]" }[...]] {
                        scopes["\(method) \(path)"] = cells[1].filter { $0 != "`" && $0 != " " }
                    }
                }
            }
        }
        return scopes
    }

    /// A path whose names are left out.
    private static func pattern(_ path: String) -> String { path.replacing(/\{[^}]+\}/, with: "{}") }

    @Test("The rows of the one table are those of openapi.json and of the article, and labels of the metrics")
    func tableIsDescribed() async throws {
        let path = URL(filePath: #filePath).appending(path: "../../../Sources/AllotServing/OpenAPI/openapi.json")
        let file = try JSONValue(parsing: Array(Data(contentsOf: path.standardizedFileURL)))
        let folder = try TemporaryFolder()
        let proposals = ChangeProposals(folder: folder.path, limits: DefinitionLimits(), mayWrite: true)
        try await TestedRoutes.testExposures(proposals: proposals) { allot in
            allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.tokens, name: "tokens"))
            allot.signer = ConfigurationSigner(try SigningKey.generate(.es256))
        } _: { client, allot in
            var allot = allot
            allot.pages = PageRoutes(proposals: proposals)
            let table = AllotRoutes(allot).table
            let names = table.map { "\($0.method) \($0.path)" }
            #expect(try names.sorted() == Self.operations(file).map(\.name).sorted())
            for operation in try Self.operations(file) {
                let row = table.first { "\($0.method) \($0.path)" == operation.name }
                let items = operation.parameters(in: "query").compactMap { $0["name"]?.text }
                if let query = row?.query { #expect(query.sorted() == items.sorted(), "\(operation.name)") }
            }
            let scopes = table.map { ("\($0.method) \(Self.pattern($0.path))", $0.scope?.rawValue ?? "") }
            #expect(try Self.article() == Dictionary(uniqueKeysWithValues: scopes))
            let metrics = try await client.get("/metrics", [.authorization: "Bearer \(token(of: "metrics"))"]).text
            for route in table {
                let labels = #"{method="\#(route.method)",route="\#(route.path)",status="200"}"#
                #expect(metrics.contains("allot_http_requests_total" + labels))
            }
            let document = try await client.get("/openapi.json").json()
            #expect(try Self.operations(document).map(\.name) == Self.operations(file).map(\.name))
            #expect(!document.canonicalText.contains("{{"))
        }
    }

    @Test("What a server does not have is not found, and not in its document")
    func absentRoutesAreNotDocumented() async throws {
        var routes = try TestedRoutes()
        routes.allot.metrics = nil
        try await routes.test { client async throws in
            let document = try await client.get("/openapi.json").json()
            let paths = try Self.members(document["paths"]).map(\.key)
            for path in ["/metrics", "/exposures"] {
                #expect(!paths.contains(path))
                #expect(try await client.get(path).status == .notFound)
            }
            #expect(paths.contains("/events"))
            // Nor tokens, if it requires none.
            let operations = try Self.operations(document)
            #expect(operations.allSatisfy { $0.json["security"] == nil })
            #expect(try Self.members(document["components"]?["securitySchemes"]).isEmpty)
        }
    }
}
