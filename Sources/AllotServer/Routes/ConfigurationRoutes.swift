import Allot
import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// `/activeconfig/user/{id}` and `/active_config`: the configuration of a user in MSActiveConfig's exchange format.
struct ConfigurationRoutes<Context: RequestContext>: Sendable {
    private let environment: RouteEnvironment<Context>
    private let configurations: ConfigurationService
    private let responses: ConditionalResponse

    init(_ environment: RouteEnvironment<Context>) {
        self.environment = environment
        configurations = environment.allot.configurations
        responses = ConditionalResponse(cacheControl: configurations.lifetime.usualHeader)
    }

    func add(to group: RouterGroup<Context>) {
        let places: [(path: String, unit: SubjectReading.UnitPlace)] = [
            ("\(ServicePath.configuration)/:id", .path), (ServicePath.configuration, .absent),
            (ServicePath.configurationByQuery, .query),
        ]
        for (path, unit) in places {
            environment.route(.get, path, .configuration, on: group) { request, context in
                guard environment.attributes != nil else {
                    return try configurations.withConfiguration(of: request.uri.string, unit: unit) {
                        try response(request, $0)
                    }
                }
                var bytes: [UInt8] = []
                let target = try environment.reading.subjects.target(request.uri.string, unit: unit, into: &bytes)
                return try await answer(target.subject(bytes), request, context)
            }
        }
        environment.route(.post, "\(ServicePath.configuration)/:id", .configuration, on: group) { request, context in
            let body = try await environment.reading.json(request, limit: environment.allot.limits.bodyBytes)
            let subject = try environment.reading.subjects.typedSubject(request.uri.string, body: body)
            return try await answer(subject, request, context)
        }
    }

    private func answer(_ subject: Subject, _ request: Request, _ context: Context) async throws -> Response {
        try response(request, configurations.decide(await environment.completed(subject, request, context)))
    }

    private func response(_ request: Request, _ configuration: DecidedConfiguration) throws -> Response {
        try responses.make(
            request, configuration.tag, cacheControl: configuration.ownCacheControl,
            signature: { body in try configuration.signature { Array(body.readableBytesView) } },
            {
                var body = ByteBuffer()
                configuration.write { bound, fill in
                    _ = body.writeWithUnsafeMutableBytes(minimumWritableBytes: bound, fill)
                }
                return body
            })
    }
}
