import AllotConfiguration
import AllotCore
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// The description of the routes that were added, as one document of OpenAPI 3.1.
///
/// `openapi.json` describes all routes that a server can have. The document leaves out the others, and adds what a
/// route knows: who may send the request, and the answers that all requests can get.
struct OpenAPIDocument {
    /// The document except for the address of the server.
    private let json: JSONObject

    /// The document as it is served below one path.
    struct Version: Sendable {
        let bytes: [UInt8]
        let tag: EntityTag
    }

    /// The content of `openapi.json`, which is a part of the program.
    private static let file: JSONValue = {
        do {
            return try JSONValue(parsing: PackageResources.openapi_json)
        } catch {
            preconditionFailure("openapi.json: \(error)")
        }
    }()

    /// - Parameters:
    ///   - routes: the routes to describe. Each has to be in `openapi.json`.
    ///   - limits: the limits of one request.
    ///   - hasTokens: whether the server requires tokens.
    init(_ routes: [RouteTable.Route], limits: RequestLimits, hasTokens: Bool) {
        guard case .object(var json) = Self.file.inserting(Self.values(limits)), let described = json["paths"],
            case .object(var components)? = json["components"], case .object(let answers)? = components["responses"]
        else { preconditionFailure("openapi.json has no paths, or no responses") }
        var paths: JSONValue = [:]
        for route in routes {
            let (path, method) = (route.pattern.description, route.method.rawValue.lowercased())
            guard case .object(let operation)? = described[[path, method]] else {
                preconditionFailure("openapi.json does not describe \(route.method) \(path)")
            }
            let completed = Self.complete(operation, of: route, answers, hasTokens: hasTokens)
            paths = paths.merging([path: [method: .object(completed)]])
        }
        if !hasTokens { components["securitySchemes"] = [:] }
        json["components"] = .object(components)
        json["paths"] = paths
        self.json = json
    }

    /// The values of the names that stand in `openapi.json` in double braces.
    private static func values(_ limits: RequestLimits) -> JSONObject {
        [
            "attributeCount": .int(limits.attributeCount),
            // The attributes and the targeting key.
            "contextCount": .int(min(limits.attributeCount, .max - 1) + 1),
            "exposureCount": .int(limits.exposureCount),
            "exposureIDLength": .int(ExposureMessage.maximumIDLength),
            "exposureNoteLength": .int(ExposureMessage.maximumNoteLength),
            "keyPattern": .string("^\(Salt.pattern)$"),
            "saltLength": .int(HashScheme.maximumSaltLength),
            "unitLength": .int(UnitContract.maximumLength),
            "version": .string(AllotVersion.number),
        ]
    }

    /// The document below the path where the routes are mounted.
    func version(server: String) -> Version {
        var json = json
        json["servers"] = [["url": .string(server)]]
        let bytes = JSONValue.object(json).canonicalBytes
        return Version(
            bytes: bytes, tag: EntityTag(revision: "openapi", fingerprint: FNV1a.hash64(bytes).hexadecimal))
    }

    /// Completes an operation with what its route knows.
    ///
    /// - Parameters:
    ///   - operation: the operation in `openapi.json`.
    ///   - route: the route of the operation.
    ///   - shared: the answers that are described once.
    ///   - hasTokens: whether the server requires tokens.
    private static func complete(
        _ operation: JSONObject, of route: RouteTable.Route, _ shared: JSONObject, hasTokens: Bool
    ) -> JSONObject {
        var operation = operation
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
        if route.caller == .person { addPages(to: &answers, shared) } else { removePages(from: &answers) }
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

    /// Leaves out the page of an answer, which a server without pages does not have.
    private static func removePages(from answers: inout JSONObject) {
        for answer in answers.members {
            guard case .object(var described) = answer.value, case .object(var content)? = described["content"],
                content["text/html"] != nil
            else { continue }
            content["text/html"] = nil
            described["content"] = .object(content)
            answers[answer.key] = .object(described)
        }
    }
}

extension JSONValue {
    /// The value with `values` in place of `{{name}}`; a text that is nothing else becomes the value itself.
    fileprivate func inserting(_ values: JSONObject) -> JSONValue {
        switch self {
        case .object(let object):
            return .object(JSONObject(object.members.map { (key: $0.key, value: $0.value.inserting(values)) }))
        case .array(let elements):
            return .array(elements.map { $0.inserting(values) })
        // Most texts have no brace, and are not searched for each name.
        case .string(let text) where text.utf8.contains(UInt8(ascii: "{")):
            if let value = values.members.first(where: { text == "{{\($0.key)}}" })?.value { return value }
            return .string(values.members.reduce(text) { $0.replacing("{{\($1.key)}}", with: $1.value.canonicalText) })
        default:
            return self
        }
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

    /// Adds the route, which describes itself and the routes that were added before it.
    func add(to group: RouterGroup<Context>) {
        let own = RouteTable.Route(method: .get, pattern: Self.path, scope: nil)
        let document = OpenAPIDocument(
            environment.table.routes + [own], limits: environment.allot.limits,
            hasTokens: environment.allot.tokens != nil)
        // Made once for the usual place, as anybody may ask for it.
        let usual = document.version(server: "/")
        let responses = ConditionalResponse(cacheControl: "public, max-age=3600")
        environment.route(own.method, own.pattern.description, own.scope, on: group) { request, _ in
            // The routes may be mounted below a path.
            let server = request.uri.path.split(separator: "/").dropLast(Self.path.count).joined(separator: "/")
            let version = server.isEmpty ? usual : document.version(server: "/" + server)
            return try responses.make(request.head, version.tag) { ByteBuffer(bytes: version.bytes) }.response
        }
    }
}
