import AllotConfiguration
import AllotCore
import AllotSigning

/// Answers requests for configurations: with an entity tag, a lifetime, and a signature if there is a signer.
struct ConfigurationAnswers: Sendable {
    private let allot: AllotService
    /// The seconds between two fetches; `nil` if clients choose.
    private let interval: Int64?
    /// `Cache-Control` of an answer without a boundary nearby.
    private let usualControl: String

    init(_ allot: AllotService) {
        self.allot = allot
        interval = allot.fetchInterval.flatMap { $0 < .zero ? nil : $0.components.seconds }
        usualControl = Self.cacheControl(interval)
    }

    private static func cacheControl(_ seconds: Int64?) -> String {
        "private" + (seconds.map { ", max-age=\($0)" } ?? "")
    }

    /// Decides for a unit of whom all is in the request's target, as in nearly every request.
    func answer(_ request: ServiceRequest, unit place: AllotService.UnitPlace) throws -> HTTPAnswer {
        let (active, now) = (allot.plans.current, allot.now())
        return try active.withScratch(at: now) { scratch in
            scratch.attributes.removeAll()
            let subject = try allot.target(request.target, unit: place, into: &scratch.attributes.bytes)
            var unread: [Range<Int>] = []
            for (name, value) in subject.attributes where !scratch.attributes.setUntyped(name: name, value: value) {
                unread.append(name)
            }
            if let unit = subject.unit { scratch.attributes.setUnit(unit) }
            let header =
                unread.isEmpty ? nil : scratch.unreadHeader(unread, among: subject.attributes.lazy.map { $0.name })
            return try answer(request, active, scratch.decide(at: now), unread: header, now)
        }
    }

    /// Decides for a subject of any form. The header about unread attributes is about those that the client sent.
    func answer(_ request: ServiceRequest, for subject: Subject, sent: Subject) throws -> HTTPAnswer {
        let (active, now) = (allot.plans.current, allot.now())
        return try active.withScratch(at: now) { scratch in
            let header = scratch.unreadHeader(of: sent)
            return try answer(request, active, scratch.decide(subject, at: now), unread: header, now)
        }
    }

    private func answer(
        _ request: ServiceRequest, _ active: ActivePlan, _ decided: SubjectDecisions, unread: String?, _ now: Instant
    ) throws -> HTTPAnswer {
        let boundary = active.plan.nextBoundary(after: now)
        var control = usualControl
        if let boundary, let interval {
            // Rounded down, so that the answer is out of date before it is wrong.
            let left = boundary.seconds - now.seconds - (boundary.nanoseconds < now.nanoseconds ? 1 : 0)
            if left < interval { control = Self.cacheControl(max(left, 0)) }
        }
        let key = allot.signer?.current
        var answer = try HTTPAnswer(
            to: request, EntityTag(revision: active.plan.revision, fingerprint: decided.fingerprint),
            cacheControl: control,
            // Stated apart, so that a schedule never lengthens the interval that a client chose. Rounded up, so that a
            // client that waits as long asks after it.
            boundary: boundary.map { String($0.seconds - now.seconds + ($0.nanoseconds > now.nanoseconds ? 1 : 0)) },
            signature: { body in
                guard let key else { return nil }
                do throws(SignatureError) {
                    return try active.signatures.signature(of: decided.fingerprint, by: key) { body }
                } catch {
                    throw RequestFailure(.internalServerError, "the configuration cannot be signed: \(error.message)")
                }
            },
            {
                var body: [UInt8] = []
                active.plan.writeConfiguration(of: decided) { bound, fill in
                    body = [UInt8](unsafeUninitializedCapacity: bound) { $1 = fill(UnsafeMutableRawBufferPointer($0)) }
                }
                return body
            })
        if let unread { answer.headers.append((ServiceHeader.unread, unread)) }
        return answer
    }
}

extension AllotService {
    /// `/activeconfig/user/{id}` and `/active_config`: the configuration of a user in MSActiveConfig's exchange format.
    func configurationRoutes(_ answers: ConfigurationAnswers) -> [Route] {
        func route(_ path: String, _ unit: AllotService.UnitPlace) -> Route {
            let complete: Route.Handler = { request in
                var bytes: [UInt8] = []
                let sent = try target(request.target, unit: unit, into: &bytes).subject(bytes)
                return try answers.answer(request, for: try await request.completing(sent), sent: sent)
            }
            return Route("GET", path, .configuration, direct: { try answers.answer($0, unit: unit) }, complete)
        }
        let user = "\(ServicePath.configuration)/{id}"
        let typed = Route("POST", user, .configuration, body: .json(limit: limits.bodyBytes)) { request in
            let sent = try typedSubject(request)
            return try answers.answer(request, for: try await request.completing(sent), sent: sent)
        }
        return [
            route(user, .path), route(ServicePath.configuration, .absent),
            route(ServicePath.configurationByQuery, .query), typed,
        ]
    }
}
