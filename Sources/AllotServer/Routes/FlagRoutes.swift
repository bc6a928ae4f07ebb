import AllotConfiguration
import AllotCore
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// The OpenFeature Remote Evaluation Protocol, version 0.3: each setting is a flag.
struct FlagRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    let responses = ConditionalResponse()

    private static var path: String { "ofrep/v1/evaluate/flags" }

    func add(to group: RouterGroup<Context>) {
        environment.route(.post, "\(Self.path)/:key", .configuration, on: group, single)
        environment.route(.post, "\(Self.path)", .configuration, on: group, bulk)
    }

    private func single(_ request: Request, _ context: Context) async throws -> Response {
        let key = try key(context)
        let active = environment.allot.plans.current
        guard let flag = active.flags[key] else {
            throw RequestFailure.flag(
                .flagNotFound, "there is no setting \(QuotedText(key)); a flag's key is Section.Setting", key: key)
        }
        let subject = try await subject(request, context, key: key) {
            active.plan.attributeNames(of: flag.comparingExperiments)
        }
        let decisions = active.decide(flag.comparingExperiments, for: subject, at: environment.allot.now())
        return .json(.object(flag.answer(decisions, active.plan)))
    }

    /// The key in the path. One that cannot be decoded stands in the answer as it was sent.
    private func key(_ context: Context) throws -> String {
        do {
            return try environment.reading.pathComponent("key", context)
        } catch let failure as RequestFailure where failure.status == .badRequest {
            throw RequestFailure.flag(.parseError, failure.message, key: context.parameters.get("key"))
        }
    }

    private func bulk(_ request: Request, _ context: Context) async throws -> Response {
        let plans = environment.allot.plans
        let announced = try announced(request).map { ($0, present: plans.present) }
        let active = announced?.present.active ?? plans.current
        let subject = try await subject(request, context, key: nil) { active.plan.attributes.names }
        if let (change, present) = announced, let delay = plans.delay(for: change, present) {
            throw RequestFailure.lateFlags(askAgainIn: delay)
        }
        let decided = active.decide(subject, at: environment.allot.now())
        let events = Self.events(request)
        // The path of the events is in the answer, and differs where the routes are mounted below another path.
        let mount =
            UTF8Order.areEqual(events, ServicePath.events) ? "" : "-" + FNV1a.hash64(Array(events.utf8)).hexadecimal
        let tag = EntityTag(revision: active.plan.revision, fingerprint: decided.fingerprint + mount)
        return try responses.make(request.head, tag) {
            let answers = active.flags.flags.map { flag in
                flag.answer(flag.comparingExperiments.map { decided.decisions[$0] }, active.plan)
            }
            let body: JSONValue = [
                "eventStreams": [["endpoint": ["requestUri": .string(events)], "type": "sse"]],
                "flags": .array(answers.map(JSONValue.object)),
                "metadata": ["configurationRevision": .string(active.plan.revision)],
            ]
            return ByteBuffer(bytes: body.canonicalBytes)
        }.response
    }

    /// The change that a stream of events has reported to a client, if that is why the client asks.
    private func announced(_ request: Request) throws -> AnnouncedChange? {
        do {
            return try AnnouncedChange(environment.reading.subjects.query(request.uri.string).items)
        } catch let failure as RequestFailure where failure.status == .badRequest {
            throw RequestFailure.flag(.parseError, failure.message, key: nil)
        }
    }

    /// The path of the event stream, which is mounted where the route of a request is.
    private static func events(_ request: Request) -> String {
        let own = path.split(separator: "/").count
        return request.uri.path.split(separator: "/").dropLast(own).map { "/" + $0 }.joined() + ServicePath.events
    }

    /// The subject of `{"context": {"targetingKey": …}}`. The key may be missing where nothing reads the user's ID.
    ///
    /// - Parameter attributes: the names of those that the decisions read.
    private func subject(
        _ request: Request, _ context: Context, key: String?, attributes read: () -> [String]
    ) async throws -> Subject {
        let body: JSONValue?
        do {
            body = try await environment.reading.json(request, limit: environment.allot.limits.bodyBytes)
        } catch let failure as RequestFailure where failure.status == .badRequest {
            throw RequestFailure.flag(.parseError, failure.message, key: key)
        }
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
        let subject: Subject
        do {
            let named = attributes.members.lazy
                .filter { $0.key != "targetingKey" && $0.key != Subject.defaultUnit }
                .map { (key: $0.key, value: $0.value) }
            let given = try environment.reading.subjects.subject(id: id, JSONObject(named))
            // The application around the routes may know the user.
            subject = try await environment.completed(given, request, context)
        } catch let failure as RequestFailure where failure.status == .badRequest {
            throw RequestFailure.flag(.invalidContext, failure.message, key: key)
        }
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
