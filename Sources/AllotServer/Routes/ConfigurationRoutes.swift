import Allot
import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// `/activeconfig/user/{id}` and `/active_config`: the configuration of a user in MSActiveConfig's exchange format.
struct ConfigurationRoutes<Context: RequestContext>: Sendable {
    private let environment: RouteEnvironment<Context>
    private let responses: ConditionalResponse

    init(_ environment: RouteEnvironment<Context>) {
        self.environment = environment
        responses = ConditionalResponse(maximumAge: environment.allot.fetchInterval)
    }

    func add(to group: RouterGroup<Context>) {
        let places: [(path: String, unit: SubjectReading.UnitPlace)] = [
            ("\(ServicePath.configuration)/:id", .path), (ServicePath.configuration, .absent),
            (ServicePath.configurationByQuery, .query),
        ]
        for (path, unit) in places {
            environment.route(.get, path, .configuration, on: group) { request, context in
                guard environment.attributes != nil else { return try answer(request, unit: unit) }
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

    /// The answer for a user of whom all is in the request's target, as in nearly every request.
    private func answer(_ request: Request, unit: SubjectReading.UnitPlace) throws -> Response {
        let active = environment.allot.plans.current
        let now = environment.allot.now()
        return try active.withScratch(at: now) { scratch in
            scratch.attributes.removeAll()
            let target = try environment.reading.subjects.target(
                request.uri.string, unit: unit, into: &scratch.attributes.bytes)
            for (name, value) in target.attributes { scratch.attributes.setUntyped(name: name, value: value) }
            if let unit = target.unit { scratch.attributes.setUnit(unit) }
            return try response(request, active, scratch.decide(at: now))
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
