import AllotConfiguration

import struct Foundation.Date
public import struct Foundation.URL

extension ConfigurationClient {
    /// Asks the server for the configuration of the current user, unless it was asked within the minimum interval, or
    /// within the interval that the server has set. After a boundary, such as the start of an experiment, it is asked
    /// in any case.
    ///
    /// The response is stored; ``ClientOptions/activation`` determines when it becomes the current configuration.
    /// Concurrent calls for the same user share one request. A request that fails temporarily is repeated according to
    /// ``ClientOptions/retry``. After an error, the current configuration stays.
    @discardableResult
    public func refresh() async throws(RefreshError) -> RefreshResult { try await refresh(limit: nil) }

    /// Asks the server as ``refresh()`` does, unless it sent or confirmed the configuration within the given time. No
    /// other interval applies.
    @discardableResult
    public func refresh(ifOlderThan age: Duration) async throws(RefreshError) -> RefreshResult {
        try await refresh(limit: age.inSeconds)
    }

    private enum Start: Sendable {
        case notDue(isChanged: Bool)
        case throttled(until: Date)
        case waiting(RequestInFlight, AsyncStream<RequestInFlight.Response>)
    }

    private func refresh(limit: Double?) async throws(RefreshError) -> RefreshResult {
        switch note({ start(limit, &$0) }) {
        case .notDue(let isChanged): return RefreshResult(.notDue, isChanged: isChanged)
        case .throttled(let date): throw .throttled(until: date)
        case .waiting(let request, let place): return try await request.response(place).get()
        }
    }

    private func start(_ limit: Double?, _ state: inout ClientState) -> Start {
        let user = state.user
        if let inFlight = state.requests[user], let place = inFlight.join() { return .waiting(inFlight, place) }
        let now = options.clock.now()
        if let date = state.schedule.waitUntil(now: now) { return .throttled(until: date) }
        let own = options.minimumInterval.inSeconds
        let usual = own > 0 ? state.schedule.limit(own: own) : 0
        guard state.latest == nil || state.schedule.isDue(limit ?? usual, for: user, now: now) else {
            return .notDue(isChanged: state.fetched.map { isChange($0, state) } ?? false)
        }
        let inFlight = RequestInFlight()
        guard let place = inFlight.join() else { preconditionFailure("a new request has not ended") }
        state.requests[user] = inFlight
        let request = DownloadRequest(user: user, entityTag: state.latest?.entityTag)
        inFlight.start { [self] in
            let response = await fetch(request, inFlight)
            note { if $0.requests[user] === inFlight { $0.requests[user] = nil } }
            return response
        }
        return .waiting(inFlight, place)
    }

    /// A fetched configuration as apps see it, without reporting exposures, and how it differs from the current one.
    private func compared(
        _ fetched: StoredConfiguration, _ state: ClientState
    ) -> (configuration: Configuration, change: ConfigurationChange) {
        let next = state.snapshot(of: ActiveConfiguration(fetched), recorder: nil)
        return (next, ConfigurationChange(from: hub.current, to: next))
    }

    private func isChange(_ fetched: StoredConfiguration, _ state: ClientState) -> Bool {
        !compared(fetched, state).change.isEmpty
    }

    // MARK: Requests

    private func fetch(_ first: DownloadRequest, _ inFlight: RequestInFlight) async -> RequestInFlight.Response {
        var request = first
        var failures = 0
        while true {
            do throws(RequestError) {
                let answer = try await downloader.download(request)
                guard !Task.isCancelled else { return .failure(.cancelled) }
                if let outcome = receive(answer, request, inFlight) { return outcome }
                // The configuration that the request named is no longer current: request it without an entity tag.
                request = DownloadRequest(user: request.user)
            } catch {
                guard !Task.isCancelled, error.kind != .cancelled else { return .failure(.cancelled) }
                failures += 1
                inFlight.noteFailure(.failed(error))
                let delay = delay(after: error, failures: failures)
                note { state in
                    state.events.append(.failed(request.user, error, retryIn: delay))
                    guard let seconds = error.retryAfter else { return }
                    // Also for calls after this request was abandoned, and for the user of now. Of a user who was
                    // forgotten meanwhile nothing is stored.
                    let own = state.requests[request.user] == nil ? [] : [request.user]
                    let others = state.user.hasID(of: request.user) ? [] : [state.user]
                    for user in own + others {
                        changeSchedule(of: user, &state) { $0.refuse(for: seconds, now: options.clock.now()) }
                    }
                }
                guard let delay else { return .failure(.failed(error)) }
                guard (try? await options.clock.sleep(delay)) != nil else { return .failure(.cancelled) }
            }
        }
    }

    private func delay(after error: RequestError, failures: Int) -> Duration? {
        let (retry, requested) = (options.retry, error.retryAfter)
        guard error.isTemporary, failures < retry.attempts, requested ?? 0 <= retry.longestDelay.inSeconds else {
            return nil
        }
        return .seconds(retry.delay(afterFailures: failures, requested: requested, random: options.clock.random()))
    }

    // MARK: Responses

    private func receive(_ answer: DownloadAnswer, _ request: DownloadRequest, _ inFlight: RequestInFlight)
        -> RequestInFlight.Response?
    {
        guard let body = answer.body else { return confirm(answer, request, inFlight) }
        let rejection = options.signatures.rejection(of: body, signature: answer.signature)
        if let rejection, !options.allowsInvalidSignatures { return reject(rejection, request.user) }
        let document: ConfigurationDocument
        do throws(ConfigurationDocumentError) {
            document = try ConfigurationDocument(parsing: body)
        } catch { return reject(.malformed(error), request.user) }
        guard !document.sections.isEmpty else { return reject(.empty, request.user) }
        return update { state in
            let user = request.user
            guard isWanted(user, inFlight, &state) else { return .failure(.superseded) }
            // Another process may have stored a later one; and what is current need not be stored.
            let own = user == state.user ? state.latest?.number : nil
            let number = 1 + max(own ?? 0, records.latest(user: user.id)?.number ?? 0)
            let stored = StoredConfiguration(
                user: user.id, number: number, attributes: user.attributes, body: body, document: document,
                entityTag: answer.entityTag, signature: answer.signature, server: records.server,
                fetchedAt: options.clock.now())
            if let rejection { state.events.append(.usedUnverified(user, rejection)) }
            return accept(stored, answer, user, &state)
        }
    }

    /// Whether a response may still be used: its request was not replaced, and the user's attributes are the same.
    private func isWanted(_ user: ConfigurationUser, _ inFlight: RequestInFlight, _ state: inout ClientState) -> Bool {
        guard state.requests[user] === inFlight, user == state.user || !user.hasID(of: state.user) else {
            state.events.append(.superseded(user))
            return false
        }
        return true
    }

    private func reject(_ rejection: Rejection, _ user: ConfigurationUser) -> RequestInFlight.Response {
        note { $0.events.append(.rejected(user, rejection)) }
        return .failure(.rejected(rejection))
    }

    private func accept(
        _ stored: StoredConfiguration, _ answer: DownloadAnswer, _ user: ConfigurationUser, _ state: inout ClientState
    ) -> RequestInFlight.Response {
        guard user == state.user else {
            let error = records.write(stored.record, .fetched, user: user.id, &state.events)
            if error == nil {
                note(answer, for: user, at: stored.fetchedAt, &state)
                state.events.append(.storedForOtherUser(user))
            }
            return .success(RefreshResult(.fetched, isChanged: false, storeError: error))
        }
        let (fetched, change) = compared(stored, state)
        state.events.append(.fetched(fetched, change))
        if options.activation == .whenFetched {
            state.fetched = nil
            state.active = ActiveConfiguration(stored)
            state.next = (state.snapshot(recorder: recorder), change)
        } else {
            state.fetched = stored
        }
        let error = storeLatest(&state)
        note(answer, for: user, at: stored.fetchedAt, &state)
        return .success(RefreshResult(.fetched, isChanged: !change.isEmpty, storeError: error))
    }

    /// Handles a confirmation of the current configuration. Returns `nil` if the confirmed one is no longer current.
    private func confirm(_ answer: DownloadAnswer, _ request: DownloadRequest, _ inFlight: RequestInFlight)
        -> RequestInFlight.Response?
    {
        guard let tag = request.entityTag else {
            let error = RequestError(
                .status(304),
                "the server answered \"not modified\" to a request without an entity tag; check the server")
            note { $0.events.append(.failed(request.user, error, retryIn: nil)) }
            return .failure(.failed(error))
        }
        let now = options.clock.now()
        return update { state -> RequestInFlight.Response? in
            let user = request.user
            guard isWanted(user, inFlight, &state) else { return .failure(.superseded) }
            guard user == state.user else {
                // The next run must ask for what it does not find.
                if records.latest(user: user.id)?.entityTag == tag { note(answer, for: user, at: now, &state) }
                state.events.append(.unchanged(user))
                return .success(RefreshResult(.unchanged, isChanged: false))
            }
            guard var latest = state.latest, latest.entityTag == tag else { return nil }
            let isOutdated = latest.attributes != user.attributes || latest.server != records.server
            latest.confirm(for: user, at: now)
            latest.server = records.server
            if state.fetched != nil { state.fetched = latest } else { state.active = ActiveConfiguration(latest) }
            if isOutdated || !state.isLatestStored { storeLatest(&state) }
            note(answer, for: user, at: now, &state)
            state.events.append(.unchanged(user))
            let isChanged = state.fetched.map { isChange($0, state) } ?? false
            return .success(RefreshResult(.unchanged, isChanged: isChanged))
        }
    }

    @discardableResult
    private func storeLatest(_ state: inout ClientState) -> StoreError? {
        var error: StoreError?
        if let fetched = state.fetched {
            error = records.write(fetched.record, .fetched, user: fetched.user, &state.events)
        } else if let active = state.active.stored {
            error = records.keep(active, &state.events)
        }
        state.isLatestStored = error == nil
        return error
    }

    // MARK: Schedule

    private func note(_ answer: DownloadAnswer, for user: ConfigurationUser, at date: Date, _ state: inout ClientState)
    {
        changeSchedule(of: user, &state) { $0.succeed(for: user, answer, now: date) }
    }

    /// Changes when the server may be asked for a user, and stores it for the next run.
    private func changeSchedule(
        of user: ConfigurationUser, _ state: inout ClientState, _ change: (inout FetchSchedule) -> Void
    ) {
        let isCurrent = state.user.hasID(of: user)
        var schedule = isCurrent ? state.schedule : records.schedule(user: user.id, &state.events)
        change(&schedule)
        schedule.server = records.server
        if isCurrent {
            state.schedule = schedule
            // The next run must ask for what it does not find.
            if !state.isLatestStored { schedule.succeededAt = nil }
        }
        if records.write(schedule.record, .schedule, user: user.id, &state.events) == nil {
            records.noteUse(of: user, &state)
        }
    }
}

extension ConfigurationClient {
    /// Makes the latest fetched configuration the current one, if it is not yet. Returns whether that changed anything
    /// for the app: a value, an assignment, or a member of `meta` other than its creation time and revision.
    @discardableResult
    public func activate() -> Bool { activate(for: nil) }

    /// Asks the server as ``refresh()`` does, and activates the response. Returns whether that changed anything for the
    /// app. If the user changes meanwhile, the response is stored for when the former user returns.
    @discardableResult
    public func fetchAndActivate() async throws(RefreshError) -> Bool {
        let before = hub.current
        let result = try await refresh()
        // A configuration that is activated when fetched is the current one by then.
        guard options.activation != .whenFetched else { return result.outcome == .fetched && result.isChanged }
        return activate(for: before.user)
    }

    /// Activates as ``activate()`` does, if the given user is the current one; `nil` for any user.
    @discardableResult
    package func activate(for user: ConfigurationUser?) -> Bool {
        update { state in
            guard let fetched = state.fetched, user == nil || user == state.user else { return false }
            state.fetched = nil
            state.active = ActiveConfiguration(fetched)
            if records.keep(fetched, &state.events) == nil { state.isLatestStored = true }
            let next = state.snapshot(recorder: recorder)
            let change = ConfigurationChange(from: hub.current, to: next)
            state.next = (next, change)
            return !change.isEmpty
        }
    }
}

extension ConfigurationClient {
    /// Starts a client as ``init(server:app:token:user:options:exposures:)`` does, and reads the store in the
    /// background.
    @concurrent
    public static func open(
        server: URL, app: String, token: AccessToken? = nil, user: ConfigurationUser = .none,
        options: ClientOptions = ClientOptions(), exposures: ExposureOptions? = ExposureOptions()
    ) async -> ConfigurationClient {
        ConfigurationClient(server: server, app: app, token: token, user: user, options: options, exposures: exposures)
    }

    /// Asks the server as ``refresh()`` does and, if it answers in time, makes the latest configuration the current
    /// one: for the start of an app, which waits no longer than the limit.
    ///
    /// A download that is late continues. Its configuration is stored; ``ClientOptions/activation`` determines when it
    /// becomes the current one, by default at the next start of the app. Nor does a cancellation of the caller's task
    /// end the download.
    ///
    /// - Parameter limit: the maximal time to wait, at most a day.
    /// - Returns: the configuration with which the app starts, and why it is that one.
    @discardableResult
    public func refresh(within limit: Duration) async -> TimedRefresh {
        let user = hub.current.user
        let (ends, end) = AsyncStream.makeStream(of: Result<RefreshResult, RefreshError>?.self)
        Task {
            do throws(RefreshError) {
                end.yield(.success(try await refresh()))
            } catch { end.yield(.failure(error)) }
        }
        let limiter = Task { [options] in
            try? await options.clock.sleep(min(max(limit, .zero), .seconds(RetryPolicy.longestServerDelay)))
            end.yield(nil)
        }
        defer { limiter.cancel() }
        var iterator = ends.makeAsyncIterator()
        guard let first = await iterator.next() else { return .failed(.cancelled, current.origin) }
        switch first {
        case .success(let result)?:
            activate(for: user)
            return .inTime(result)
        case .failure(let error)?: return .failed(error, current.origin)
        case nil: return .late(current.origin, after: note { $0.requests[user]?.failure })
        }
    }
}
