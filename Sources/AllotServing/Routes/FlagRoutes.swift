import AllotConfiguration
import AllotCore
import Synchronization

extension AllotService {
    /// The OpenFeature Remote Evaluation Protocol, version 0.3: each setting is a flag.
    var flagRoutes: [Route] {
        let (path, body) = ("/ofrep/v1/evaluate/flags", Route.Body.json(limit: limits.bodyBytes))
        return [
            Route("POST", "\(path)/{key}", .configuration, body: body) { try await single($0) },
            Route("POST", path, .configuration, body: body) { try await bulk($0) },
        ]
    }

    private func single(_ request: ServiceRequest) async throws -> HTTPAnswer {
        // One that cannot be decoded stands in the answer as it was sent.
        let key = try flagged(.parseError, request.capture.map(String.init)) { try request.component() }
        let active = plans.current
        guard let flag = active.flags[key] else {
            throw RequestFailure.flag(
                .flagNotFound, "there is no setting \(QuotedText(key)); a flag's key is Section.Setting", key: key)
        }
        let subject = try await subject(request, key: key) { active.plan.attributeNames(of: flag.comparingExperiments) }
        let now = self.now()
        let decisions = active.withScratch(at: now) { $0.decide(flag.comparingExperiments, for: subject, at: now) }
        return HTTPAnswer(json: .object(flag.answer(decisions, active.plan, at: now)))
    }

    private func bulk(_ request: ServiceRequest) async throws -> HTTPAnswer {
        // A stream of events has reported a change to the client, if that is why the client asks.
        let change = try flagged(.parseError, nil) { try AnnouncedChange(query(request.target).items) }
        let announced = change.map { ($0, present: plans.present) }
        let active = announced?.present.active ?? plans.current
        let subject = try await subject(request, key: nil) { active.plan.attributes.names }
        let now = self.now()
        if let (change, present) = announced,
            let delay = plans.announced.withLock({ $0.delay(for: change, present, at: now) })
        {
            throw RequestFailure.lateFlags(askAgainIn: delay)
        }
        let decided = active.withScratch(at: now) { $0.decide(subject, at: now) }
        let events = request.mount + ServicePath.events
        // The path of the events is in the answer, and differs where the routes are mounted below another path.
        let mount =
            UTF8Order.areEqual(events, ServicePath.events) ? "" : "-" + FNV1a.hash64(Array(events.utf8)).hexadecimal
        let tag = EntityTag(revision: active.plan.revision, fingerprint: decided.fingerprint + mount)
        return try HTTPAnswer(to: request, tag) {
            let answers = active.flags.flags.map { flag in
                flag.answer(flag.comparingExperiments.map { decided.decisions[$0] }, active.plan, at: now)
            }
            let body: JSONValue = [
                "eventStreams": [["endpoint": ["requestUri": .string(events)], "type": "sse"]],
                "flags": .array(answers.map(JSONValue.object)),
                "metadata": ["configurationRevision": .string(active.plan.revision)],
            ]
            return body.canonicalBytes
        }
    }

    /// The result of `body`, whose failures become those of OFREP with a code.
    private func flagged<Value>(_ code: FlagErrorCode, _ key: String?, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as RequestFailure where failure.code == .badRequest {
            throw RequestFailure.flag(code, failure.message, key: key)
        }
    }

    /// The subject of `{"context": {"targetingKey": …}}`. The key may be missing where nothing reads the user's ID.
    private func subject(
        _ request: ServiceRequest, key: String?, attributes read: () -> [String]
    ) async throws -> Subject {
        let body = try flagged(.parseError, key) { try request.json() }
        guard case .object(let object)? = body, case .object(let attributes)? = object["context"] else {
            throw RequestFailure.flag(
                .invalidContext, #"there is no context; send {"context": {"targetingKey": …}}"#, key: key)
        }
        var id: String?
        switch attributes["targetingKey"] {
        case .string(let text): id = text
        case nil: break
        default:
            throw RequestFailure.flag(
                .invalidContext, "targetingKey is not a string; send the user's ID in quotes", key: key)
        }
        if let id, let user = attributes[Subject.defaultUnit], !Self.isUser(user, id) {
            throw RequestFailure.flag(
                .invalidContext, "user_id is not the targetingKey, which is the user's ID; leave user_id out", key: key)
        }
        let named = attributes.members.filter { $0.key != "targetingKey" && $0.key != Subject.defaultUnit }
        let given = try flagged(.invalidContext, key) {
            try self.subject(id: id, JSONObject(named.map { (key: $0.key, value: $0.value) }))
        }
        // The application around the routes may know the user.
        let subject = try await request.completing(given)
        guard subject.value(of: Subject.defaultUnit) != nil || !read().contains(Subject.defaultUnit) else {
            throw RequestFailure.flag(
                .targetingKeyMissing, "the context has no targetingKey; send the user's ID", key: key)
        }
        return subject
    }

    /// Whether a value of the attribute `user_id` is a user's ID; null stands for no value.
    private static func isUser(_ value: JSONValue, _ id: String) -> Bool {
        switch value {
        case .null: true
        case .string(let text): UTF8Order.areEqual(text, id)
        case .number(let number): UnitID.digits(of: number).map { UTF8Order.areEqual($0, id) } ?? false
        default: false
        }
    }
}
