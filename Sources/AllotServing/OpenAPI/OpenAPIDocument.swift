import AllotConfiguration
import AllotCore

extension AllotService {
    /// `/openapi.json`: the description of all routes in OpenAPI 3.1. The file `openapi.json` describes those that a
    /// server can have; the document leaves out others, and adds what the table knows: scopes, and the answers of all
    /// requests.
    func openAPIRoute(of table: [Route]) -> Route {
        let path = "/openapi.json"
        let document = described(table + [Route("GET", path, nil) { _ in HTTPAnswer(json: [:]) }])
        @Sendable func version(server: String) -> (bytes: [UInt8], tag: EntityTag) {
            var json = document
            json["servers"] = [["url": .string(server)]]
            let bytes = JSONValue.object(json).canonicalBytes
            return (bytes, EntityTag(revision: "openapi", fingerprint: FNV1a.hash64(bytes).hexadecimal))
        }
        // Made once for the usual place, as anybody may ask for it.
        let usual = version(server: "/")
        return Route("GET", path, nil) { request in
            let (bytes, tag) = request.mount.isEmpty ? usual : version(server: request.mount)
            return try HTTPAnswer(to: request, tag, cacheControl: "public, max-age=3600") { bytes }
        }
    }

    /// The document except for the address of the server. Each route has to be in `openapi.json`.
    private func described(_ routes: [Route]) -> JSONObject {
        guard let file = try? JSONValue(parsing: PackageResources.openapi_json),
            case .object(var json) = file.inserting(openAPIValues), let described = json["paths"],
            case .object(var components)? = json["components"], let shared = components["responses"]
        else { preconditionFailure("openapi.json is not JSON, or has no paths or responses") }
        var paths: JSONValue = [:]
        for route in routes {
            let (path, method) = (route.path, route.method.lowercased())
            guard case .object(let operation)? = described[[path, method]] else {
                preconditionFailure("openapi.json does not describe \(route.method) \(path)")
            }
            paths = paths.merging([path: [method: .object(completed(operation, of: route, shared))]])
        }
        if tokens == nil { components["securitySchemes"] = [:] }
        json["components"] = .object(components)
        json["paths"] = paths
        return json
    }

    /// The values of the names that stand in `openapi.json` in double braces.
    private var openAPIValues: JSONObject {
        [
            "attributeCount": .int(limits.attributeCount),
            // The attributes and the targeting key.
            "contextCount": .int(min(limits.attributeCount, .max - 1) + 1), "exposureCount": .int(limits.exposureCount),
            "exposureIDLength": .int(ExposureMessage.maximumIDLength),
            "exposureNoteLength": .int(ExposureMessage.maximumNoteLength), "keyPattern": .string("^\(Salt.pattern)$"),
            "saltLength": .int(HashScheme.maximumSaltLength), "unitLength": .int(UnitContract.maximumLength),
            "version": .string(AllotVersion.number),
        ]
    }

    private func completed(_ operation: JSONObject, of route: Route, _ shared: JSONValue) -> JSONObject {
        var (operation, answers) = (operation, JSONObject())
        if case .object(let own)? = operation["responses"] { answers = own }
        var others = [
            ("400", "BadRequest"), ("408", "Timeout"), ("413", "LargeBody"), ("414", "LongTarget"),
            ("417", "Expectation"), ("431", "LongHeaders"), ("500", "Fault"), ("501", "NotImplemented"),
            ("503", "Unavailable"),
        ]
        if operation["requestBody"] != nil { others.append(("415", "OtherType")) }
        // None of another origin may send a form of a page.
        if route.body == .form { others.append(("403", "Forbidden")) }
        if let scope = route.scope, tokens != nil {
            others += [("401", "Unauthorized"), ("403", "Forbidden")]
            operation["security"] = .array(route.caller.securitySchemes.map { [$0: [.string(scope.rawValue)]] })
        }
        for (status, name) in others where answers[status] == nil {
            answers[status] = ["$ref": .string("#/components/responses/\(name)")]
        }
        // Readers get failures as pages in place of JSON; a server without pages has no page of any answer.
        let hasPages = pages != nil && !route.isForApps
        for answer in answers.members where !hasPages || answer.key >= "400" {
            var described: JSONValue? = answer.value
            if hasPages {
                guard case .string(let reference)? = answer.value[["$ref"]] else { continue }
                described = shared[[reference.split(separator: "/").last.map(String.init) ?? ""]]
            }
            guard case .object(var object)? = described, case .object(var content)? = object["content"] else {
                continue
            }
            content["text/html"] = hasPages ? ["schema": ["type": "string"]] : nil
            object["content"] = .object(content)
            answers[answer.key] = .object(object)
        }
        operation["responses"] = .object(answers)
        return operation
    }
}

extension JSONValue {
    /// The value with `values` in place of `{{name}}`; a text that is nothing else becomes the value itself.
    fileprivate func inserting(_ values: JSONObject) -> JSONValue {
        switch self {
        case .object(let object):
            return .object(JSONObject(object.members.map { (key: $0.key, value: $0.value.inserting(values)) }))
        case .array(let elements): return .array(elements.map { $0.inserting(values) })
        // Most texts have no brace, and are not searched for each name.
        case .string(let text) where text.utf8.contains(UInt8(ascii: "{")):
            if let value = values.members.first(where: { text == "{{\($0.key)}}" })?.value { return value }
            return .string(values.members.reduce(text) { $0.replacing("{{\($1.key)}}", with: $1.value.canonicalText) })
        default: return self
        }
    }
}

extension RouteCaller {
    fileprivate var securitySchemes: [String] {
        ["bearer", "apiKey"] + (self == .eventSource ? ["accessToken"] : self == .person ? ["basic"] : [])
    }
}
