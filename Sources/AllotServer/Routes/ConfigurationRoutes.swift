import Allot
import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// `/activeconfig/user/{id}` and `/active_config`: the configuration of a user in MSActiveConfig's exchange format.
struct ConfigurationRoutes<Context: RequestContext>: Sendable {
    private let allot: AllotService
    private let reading: RequestReading
    private let subjects: SubjectSource<Context>

    /// How MSActiveConfig's clients write that there is no user.
    private static var noUser: StaticString { "(null)" }

    init(_ allot: AllotService, attributes: AttributeSource<Context>?) {
        self.allot = allot
        reading = RequestReading(limits: allot.limits, bodies: allot.bodies)
        subjects = SubjectSource(reading: reading, attributes: attributes)
    }

    func add(to group: RouterGroup<Context>) {
        let authorization = Authorization(tokens: allot.tokens)
        group.route(.get, "activeconfig/user/:id") { request, context in
            try authorization.require(.configuration, request)
            guard subjects.attributes != nil else { return try answer(request) }
            let id = try reading.lastPathComponent(request)
            return try await answer(reading.subject(id: user(id), reading.queryItems(request)), request, context)
        }
        group.route(.get, "activeconfig/user") { request, context in
            try authorization.require(.configuration, request)
            return try await answer(reading.subject(id: nil, reading.queryItems(request)), request, context)
        }
        group.route(.get, "active_config") { request, context in
            try authorization.require(.configuration, request)
            var items = try reading.queryItems(request)
            let ids = items.filter { $0.name == "userID" }
            guard ids.count <= 1 else { throw RequestFailure(.badRequest, "userID is given twice; keep one") }
            items.removeAll { $0.name == "userID" }
            return try await answer(reading.subject(id: ids.first.flatMap { user($0.value) }, items), request, context)
        }
        group.route(.post, "activeconfig/user/:id") { request, context in
            try authorization.require(.configuration, request)
            let id = try reading.lastPathComponent(request)
            let body = try await reading.json(request, limit: allot.limits.bodyBytes)
            return try await answer(reading.subject(id: user(id), body ?? .object([:])), request, context)
        }
    }

    private func user(_ id: String) -> String? {
        id.isEmpty || id == "\(Self.noUser)" ? nil : id
    }

    /// The answer for a user of whom all is in the request's target: nearly every request.
    private func answer(_ request: Request) throws -> Response {
        let active = allot.plans.current
        let now = allot.now()
        return try active.withScratch(at: now) { scratch in
            try reading.fill(&scratch, request, noUser: Self.noUser)
            scratch.evaluator.evaluate(scratch.form, at: now)
            let decided = scratch.evaluator.decided(scratch.form)
            scratch.count(decided.decisions)
            return response(request, active, decided)
        }
    }

    private func answer(_ subject: Subject, _ request: Request, _ context: Context) async throws -> Response {
        let subject = try await subjects.completed(subject, request, context)
        let active = allot.plans.current
        return response(request, active, active.decide(subject, at: allot.now()))
    }

    private func response(_ request: Request, _ active: ActivePlan, _ decided: SubjectDecisions) -> Response {
        let tag = EntityTag(revision: active.plan.revision, fingerprint: decided.fingerprint)
        return ConditionalResponse.make(request, tag) {
            var body = ByteBuffer()
            active.plan.writeConfiguration(of: decided) { bound, fill in
                _ = body.writeWithUnsafeMutableBytes(minimumWritableBytes: bound, fill)
            }
            return body
        }
    }
}
