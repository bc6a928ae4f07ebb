import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// Describes the routes that were added as one document of OpenAPI 3.1, so that no route can be missing in it.
struct OpenAPIDocument {
    /// The document except for the address of the server.
    private let json: JSONObject

    /// The document as it is served below one path.
    struct Version: Sendable {
        let bytes: [UInt8]
        let tag: EntityTag
    }

    /// - Parameters:
    ///   - limits: what one request may send.
    ///   - hasTokens: whether the server requires tokens.
    init(_ routes: [RouteTable.Route], limits: RequestLimits, hasTokens: Bool) {
        let responses = Self.object(OpenAPIText.responses)
        var paths = JSONObject()
        for route in routes {
            var path = JSONObject()
            if case .object(let others)? = paths[route.pattern.description] { path = others }
            path[route.method.rawValue.lowercased()] = .object(Self.operation(route, responses, hasTokens: hasTokens))
            paths[route.pattern.description] = .object(path)
        }
        var json = Self.object(OpenAPIText.document)
        json["paths"] = .object(paths)
        json["components"] = [
            "headers": .object(Self.object(OpenAPIText.headers)),
            "parameters": .object(Self.object(OpenAPIText.parameters(limits))),
            "requestBodies": .object(Self.object(OpenAPIText.requestBodies(limits))),
            "responses": .object(responses),
            "schemas": .object(Self.object(OpenAPIText.schemas(limits))),
            "securitySchemes": .object(hasTokens ? Self.object(OpenAPIText.securitySchemes) : [:]),
        ]
        self.json = json
    }

    /// The document below the path where the routes are mounted.
    func version(server: String) -> Version {
        var json = json
        json["servers"] = [["url": .string(server)]]
        let bytes = JSONValue.object(json).canonicalBytes
        return Version(
            bytes: bytes, tag: EntityTag(revision: "openapi", fingerprint: FNV1a.hash64(bytes).hexadecimal))
    }

    /// An operation with what its route adds to its text: who may send it, and the answers that every request can get.
    ///
    /// - Parameter shared: the answers that are described once.
    private static func operation(_ route: RouteTable.Route, _ shared: JSONObject, hasTokens: Bool) -> JSONObject {
        var operation = object(route.operation.text)
        var answers = JSONObject()
        if case .object(let own)? = operation["responses"] { answers = own }
        var others = [
            ("400", "BadRequest"), ("408", "Timeout"), ("413", "LargeBody"), ("414", "LongTarget"),
            ("417", "Expectation"), ("431", "LongHeaders"), ("500", "Fault"), ("501", "NotImplemented"),
            ("503", "Unavailable"),
        ]
        if operation["requestBody"] != nil { others.append(("415", "OtherType")) }
        if route.takesForms { others.append(("403", "Forbidden")) }
        if let scope = route.scope, hasTokens {
            others += [("401", "Unauthorized"), ("403", "Forbidden")]
            let schemes = ["bearer", "apiKey"] + route.caller.furtherSchemes
            operation["security"] = .array(schemes.map { [$0: [.string(scope.rawValue)]] })
        }
        for (status, name) in others where answers[status] == nil {
            answers[status] = ["$ref": .string("#/components/responses/\(name)")]
        }
        if case .person = route.caller { addPages(to: &answers, shared) }
        operation["responses"] = .object(answers)
        return operation
    }

    /// Describes failures as pages, which people get in place of JSON.
    private static func addPages(to answers: inout JSONObject, _ shared: JSONObject) {
        for answer in answers.members where answer.key >= "400" {
            guard case .object(let reference) = answer.value, case .string(let path)? = reference["$ref"],
                let name = path.split(separator: "/").last, case .object(var failure)? = shared[String(name)],
                case .object(var content)? = failure["content"]
            else { continue }
            content["text/html"] = ["schema": ["type": "string"]]
            failure["content"] = .object(content)
            answers[answer.key] = .object(failure)
        }
    }

    /// The object that a text of this folder is.
    private static func object(_ text: String) -> JSONObject {
        guard case .object(let object)? = try? JSONValue(parsing: Array(text.utf8)) else {
            preconditionFailure("a part of the OpenAPI document is not an object: \(text.prefix(60))")
        }
        return object
    }
}

extension RouteCaller {
    /// The names of the security schemes that only some callers need.
    fileprivate var furtherSchemes: [String] {
        switch self {
        case .program: []
        case .eventSource: ["accessToken"]
        case .person: ["basic"]
        }
    }
}

/// `/openapi.json`: the description of all routes.
struct OpenAPIRoute<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    private static var path: RouterPath { "/openapi.json" }

    /// Adds the route. It describes the routes that were added before it, and itself.
    func add(to group: RouterGroup<Context>) {
        let own = RouteTable.Route(method: .get, pattern: Self.path, scope: nil, operation: .openAPI)
        let document = OpenAPIDocument(
            environment.table.routes + [own], limits: environment.allot.limits,
            hasTokens: environment.allot.tokens != nil)
        // Made once for the usual place, as anybody may ask for it.
        let usual = document.version(server: "/")
        let responses = ConditionalResponse(cacheControl: "public, max-age=3600")
        environment.route(own.method, own.pattern.description, own.scope, own.operation, on: group) { request, _ in
            // The routes may be mounted below a path.
            let server = request.uri.path.split(separator: "/").dropLast(Self.path.count).joined(separator: "/")
            let version = server.isEmpty ? usual : document.version(server: "/" + server)
            return try responses.make(request.head, version.tag) { ByteBuffer(bytes: version.bytes) }.response
        }
    }
}
