import Allot
import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// `/activeconfig/user/{id}` and `/active_config`: the configuration of a user in MSActiveConfig's exchange format.
struct ConfigurationRoutes<Context: RequestContext>: Sendable {
    private let environment: RouteEnvironment<Context>
    private let responses: ConditionalResponse

    /// How MSActiveConfig's clients write that there is no user.
    private static var noUser: StaticString { "(null)" }

    init(_ environment: RouteEnvironment<Context>) {
        self.environment = environment
        responses = ConditionalResponse(maximumAge: environment.allot.fetchInterval)
    }

    func add(to group: RouterGroup<Context>) {
        group.route(.get, "\(ServicePath.configuration)/:id") { request, context in
            try environment.authorization.require(.configuration, request)
            guard environment.attributes != nil else { return try answer(request) }
            let id = try environment.reading.lastPathComponent(request)
            return try await answer(
                environment.reading.subject(id: user(id), environment.reading.queryItems(request)), request, context)
        }
        group.route(.get, ServicePath.configuration) { request, context in
            try environment.authorization.require(.configuration, request)
            return try await answer(
                environment.reading.subject(id: nil, environment.reading.queryItems(request)), request, context)
        }
        group.route(.get, ServicePath.configurationByQuery) { request, context in
            try environment.authorization.require(.configuration, request)
            var items = try environment.reading.queryItems(request)
            let ids = items.filter { $0.name == ServicePath.userQueryItem }
            guard ids.count <= 1 else { throw RequestFailure(.badRequest, "userID is given twice; keep one") }
            items.removeAll { $0.name == ServicePath.userQueryItem }
            return try await answer(
                environment.reading.subject(id: ids.first.flatMap { user($0.value) }, items), request, context)
        }
        group.route(.post, "\(ServicePath.configuration)/:id") { request, context in
            try environment.authorization.require(.configuration, request)
            let id = try environment.reading.lastPathComponent(request)
            let body = try await environment.reading.json(request, limit: environment.allot.limits.bodyBytes)
            return try await answer(environment.reading.subject(id: user(id), body ?? .object([:])), request, context)
        }
    }

    private func user(_ id: String) -> String? {
        id.isEmpty || id == "\(Self.noUser)" ? nil : id
    }

    /// The answer for a user of whom all is in the request's target: nearly every request.
    private func answer(_ request: Request) throws -> Response {
        let active = environment.allot.plans.current
        let now = environment.allot.now()
        return try active.withScratch(at: now) { scratch in
            try environment.reading.fill(&scratch, request, noUser: Self.noUser)
            scratch.evaluator.evaluate(scratch.buffer, at: now)
            let decided = scratch.evaluator.decided(scratch.buffer)
            scratch.count(decided.decisions)
            return try response(request, active, decided)
        }
    }

    private func answer(_ subject: Subject, _ request: Request, _ context: Context) async throws -> Response {
        let subject = try await environment.completed(subject, request, context)
        let active = environment.allot.plans.current
        return try response(request, active, active.decide(subject, at: environment.allot.now()))
    }

    private func response(_ request: Request, _ active: ActivePlan, _ decided: SubjectDecisions) throws -> Response {
        let tag = EntityTag(revision: active.plan.revision, fingerprint: decided.fingerprint)
        return try responses.make(request, tag, signature: signature(active, decided)) {
            var body = ByteBuffer()
            active.plan.writeConfiguration(of: decided) { bound, fill in
                _ = body.writeWithUnsafeMutableBytes(minimumWritableBytes: bound, fill)
            }
            return body
        }
    }

    /// What signs the configuration, if configurations are signed.
    private func signature(
        _ active: ActivePlan, _ decided: SubjectDecisions
    ) -> ((ByteBuffer) throws -> String)? {
        guard let key = environment.allot.signer?.current else { return nil }
        return { body in
            do throws(SignatureError) {
                return try active.signatures.signature(of: decided.fingerprint, by: key) {
                    Array(body.readableBytesView)
                }
            } catch {
                throw RequestFailure(.internalServerError, "the configuration cannot be signed: \(error.message)")
            }
        }
    }
}
