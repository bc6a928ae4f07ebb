public import AllotConfiguration
public import AllotCore

/// Answers requests for configurations: with an entity tag, with how long the answer may be kept, with 304 to clients
/// that have it already, and signed if there is a signer. `Sendable`.
///
/// ```swift
/// import Allot
///
/// let configurations = ConfigurationService(PlanStore(try Plan.load(folder: "Experiments"), loadedAt: .now))
/// let first = configurations.answer(to: "/activeconfig/user/user-42?country=DE")
/// let tag = first.headers.first { $0.name == "ETag" }?.value
/// let second = configurations.answer(to: "/activeconfig/user/user-42?country=DE", ifNoneMatch: tag)
/// print(first.status, second.status)  // 200 304
/// ```
public struct ConfigurationService: Sendable {
    /// The store of the current plan.
    public let plans: PlanStore
    /// Signs the configurations; without it they are not signed. The signature is over the bytes of the body, in
    /// the header `DetachedSignature/headerName`.
    public let signer: ConfigurationSigner?
    /// The limits of what one request may send.
    public let limits: RequestLimits
    package let lifetime: CacheLifetime
    private let reading: SubjectReading

    /// Answers with the plans of a store.
    ///
    /// - Parameters:
    ///   - plans: the store of the current plan.
    ///   - fetchInterval: how long a client may use a configuration before it fetches again, in whole seconds
    ///     (`max-age` of `Cache-Control`); never past the plan's next boundary. If it is `nil` or negative, clients
    ///     choose. The time until the boundary is in a header of its own in any case, `Allot-Boundary`.
    ///   - signer: signs the configurations.
    ///   - limits: the limits of what one request may send.
    public init(
        _ plans: PlanStore, fetchInterval: Duration? = nil, signer: ConfigurationSigner? = nil,
        limits: RequestLimits = RequestLimits()
    ) {
        self.plans = plans
        self.signer = signer
        self.limits = limits
        lifetime = CacheLifetime(fetchInterval)
        reading = SubjectReading(limits: limits)
    }

    /// The answer to `GET /activeconfig/user/{id}?name=value` or `GET /active_config?userID={id}`, below any prefix.
    ///
    /// - Parameters:
    ///   - target: the path and the query as the request has them. Without an ID, or with the ID `(null)`, the answer
    ///     is the generic configuration.
    ///   - ifNoneMatch: the header `If-None-Match` of the request.
    ///   - attributes: what the application knows of the user: takes precedence over what the client says, and may
    ///     contain `user_id`.
    public func answer(to target: String, ifNoneMatch: String? = nil, attributes: JSONObject = [:]) -> HTTPAnswer {
        HTTPAnswer(catching: {
            let unit = try Self.unit(of: target)
            guard !attributes.members.isEmpty else {
                return try withConfiguration(of: target, unit: unit) { try $0.answer(ifNoneMatch: ifNoneMatch) }
            }
            var bytes: [UInt8] = []
            let sent = try reading.target(target, unit: unit, into: &bytes).subject(bytes)
            return try decide(sent.adding(attributes), sent: sent).answer(ifNoneMatch: ifNoneMatch)
        })
    }

    /// The answer to `POST /activeconfig/user/{id}` with a body `{"attributes": {…}}`, below any prefix.
    ///
    /// - Parameters:
    ///   - target: the path as the request has it.
    ///   - body: the bytes of the body; the caller keeps them within `limits`.
    ///   - ifNoneMatch: the header `If-None-Match` of the request.
    ///   - attributes: what the application knows of the user, as for `GET`.
    public func answer(
        to target: String, body: [UInt8], ifNoneMatch: String? = nil, attributes: JSONObject = [:]
    ) -> HTTPAnswer {
        HTTPAnswer(catching: {
            guard try Self.unit(of: target) == .path else { throw Self.notFound }
            let sent = try reading.typedSubject(target, body: JSONBody.parse(body))
            return try decide(sent.adding(attributes), sent: sent).answer(ifNoneMatch: ifNoneMatch)
        })
    }

    /// The configuration of a unit that the application knows, for a route of its own such as `/v2/config` with a
    /// session.
    ///
    /// - Parameters:
    ///   - subject: the unit and its attributes.
    ///   - ifNoneMatch: the header `If-None-Match` of the request.
    public func answer(for subject: Subject, ifNoneMatch: String? = nil) -> HTTPAnswer {
        HTTPAnswer(catching: { try decide(subject, sent: Subject()).answer(ifNoneMatch: ifNoneMatch) })
    }

    private static func unit(of target: String) throws(RequestFailure) -> SubjectReading.UnitPlace {
        var path = target.prefix { $0 != "?" && $0 != "#" }
        while path.last == "/" { path.removeLast() }
        if path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex).hasSuffix(ServicePath.configuration) {
            return .path
        }
        if path.hasSuffix(ServicePath.configuration) { return .absent }
        if path.hasSuffix(ServicePath.configurationByQuery) { return .query }
        throw notFound
    }

    private static let notFound = RequestFailure(
        .notFound, "there is no configuration here; request \(ServicePath.configuration)/ID?name=value")

    // MARK: Decisions

    /// Decides for a user of whom all is in the request's target, as in nearly every request.
    package func withConfiguration<Result: Sendable>(
        of target: String, unit place: SubjectReading.UnitPlace, _ body: (DecidedConfiguration) throws -> Result
    ) throws -> Result {
        let (active, now) = (plans.current, plans.clock.now())
        return try active.withScratch(at: now) { scratch in
            scratch.attributes.removeAll()
            let subject = try reading.target(target, unit: place, into: &scratch.attributes.bytes)
            var unread: [Range<Int>] = []
            for (name, value) in subject.attributes {
                let isRead = scratch.attributes.setUntyped(name: name, value: value)
                guard !isRead else { continue }
                unread.append(name)
            }
            if let unit = subject.unit { scratch.attributes.setUnit(unit) }
            let header =
                unread.isEmpty ? nil : scratch.unreadHeader(unread, among: subject.attributes.lazy.map { $0.name })
            return try body(configuration(active, scratch.decide(at: now), unread: header, now))
        }
    }

    /// Decides for a subject of any form.
    ///
    /// - Parameter sent: the subject as the client sent it: nothing is said of what the application knows of it.
    package func decide(_ subject: Subject, sent: Subject) -> DecidedConfiguration {
        let (active, now) = (plans.current, plans.clock.now())
        return active.withScratch(at: now) { scratch in
            let header = scratch.unreadHeader(of: sent)
            return configuration(active, scratch.decide(subject, at: now), unread: header, now)
        }
    }

    private func configuration(
        _ active: ActivePlan, _ decided: SubjectDecisions, unread: String?, _ now: Instant
    ) -> DecidedConfiguration {
        let boundary = active.plan.nextBoundary(after: now)
        return DecidedConfiguration(
            active: active, decided: decided, unread: unread, key: signer?.current,
            ownCacheControl: lifetime.header(until: boundary, at: now), usualCacheControl: lifetime.usualHeader,
            boundary: boundary.map { CacheLifetime.boundaryHeader($0, at: now) })
    }
}

extension Subject {
    /// The subject with what the application knows of it, which takes precedence.
    fileprivate func adding(_ attributes: JSONObject) -> Subject {
        var subject = self
        for member in attributes.members { subject.setTyped(member.key, member.value) }
        return subject
    }
}
