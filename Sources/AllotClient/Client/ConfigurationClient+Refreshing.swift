import AllotConfiguration

import struct Foundation.Date

extension ConfigurationClient {
    /// Asks the server for the configuration of the user in force, unless it was asked within the minimum interval, or
    /// within the one that the server itself has named.
    ///
    /// What comes is kept, and in force when ``ClientOptions/activation`` says so. There is one request under way for a user:
    /// who calls meanwhile gets its answer. A request that fails for a time is made again as ``ClientOptions/retry`` says.
    ///
    /// - Throws: ``RefreshError``; what was in force stays in force.
    @discardableResult
    public func refresh() async throws(RefreshError) -> RefreshResult {
        try await refresh(limit: nil)
    }

    /// The same, unless the server gave or confirmed the configuration within this time, whatever the intervals are.
    @discardableResult
    public func refresh(ifOlderThan age: Duration) async throws(RefreshError) -> RefreshResult {
        try await refresh(limit: age.inSeconds)
    }

    private enum Start: Sendable {
        case notDue(isChanged: Bool)
        case throttled(until: Date)
        case waiting(RequestInFlight, UInt64)
    }

    private func refresh(limit: Double?) async throws(RefreshError) -> RefreshResult {
        switch note({ start(limit, &$0) }) {
        case .notDue(let isChanged): return RefreshResult(.notDue, isChanged: isChanged)
        case .throttled(let date): throw .throttled(until: date)
        case .waiting(let flight, let number): return try await flight.answer(number).get()
        }
    }

    private func start(_ limit: Double?, _ state: inout ClientState) -> Start {
        let user = state.user
        if let flight = state.flights[user], let number = flight.join() { return .waiting(flight, number) }
        let now = options.now()
        if let date = state.schedule.waitUntil(now: now) { return .throttled(until: date) }
        guard state.latest == nil || state.schedule.isDue(limit ?? usualLimit(state), for: user, now: now) else {
            let fetched = state.fetched.map { state.snapshot(of: ActiveConfiguration($0), recorder: nil) }
            return .notDue(isChanged: fetched.map { !ConfigurationChange(from: hub.current, to: $0).isEmpty } ?? false)
        }
        let (flight, number) = RequestInFlight.begin()
        state.flights[user] = flight
        let request = DownloadRequest(user: user, entityTag: state.latest?.entityTag)
        flight.start { [self] in
            let answer = await fetch(request, flight)
            note { if $0.flights[user] === flight { $0.flights[user] = nil } }
            return answer
        }
        return .waiting(flight, number)
    }

    /// How old, in seconds, the last answer is when the server is asked again.
    private func usualLimit(_ state: ClientState) -> Double {
        let own = options.minimumInterval.inSeconds
        return own > 0 ? state.schedule.interval ?? own : 0
    }

    // MARK: Asking

    private func fetch(_ first: DownloadRequest, _ flight: RequestInFlight) async -> RequestInFlight.Answer {
        var request = first
        var failures = 0
        while true {
            do throws(RequestError) {
                let answer = try await downloader.download(request)
                guard !Task.isCancelled else { return .failure(.cancelled) }
                if let outcome = receive(answer, request, flight) { return outcome }
                // What the server was asked about is in force no more: ask for all of it.
                request = DownloadRequest(user: request.user)
            } catch {
                guard !Task.isCancelled, error.kind != .cancelled else { return .failure(.cancelled) }
                failures += 1
                let delay = delay(after: error, failures: failures)
                note { state in
                    state.events.append(.failed(request.user, error, retryIn: delay))
                    guard let seconds = error.retryAfter else { return }
                    // Also for who calls after this request has been given up.
                    changeSchedule(of: request.user, &state) { $0.refuse(for: seconds, now: options.now()) }
                }
                guard let delay else { return .failure(.failed(error)) }
                guard (try? await options.sleep(delay)) != nil else { return .failure(.cancelled) }
            }
        }
    }

    /// The delay before a request is repeated; `nil` if it is not repeated.
    private func delay(after error: RequestError, failures: Int) -> Duration? {
        guard error.isTemporary, failures < options.retry.attempts else { return nil }
        guard error.retryAfter ?? 0 <= options.retry.longestDelay.inSeconds else { return nil }
        let seconds = options.retry.delay(
            afterFailures: failures, requested: error.retryAfter, random: options.random())
        return .seconds(seconds)
    }

    // MARK: Answers

    /// What an answer comes to; `nil` if it says that something is unchanged that is in force no more.
    private func receive(_ answer: DownloadAnswer, _ request: DownloadRequest, _ flight: RequestInFlight)
        -> RequestInFlight.Answer?
    {
        guard let body = answer.body else { return confirm(answer, request, flight) }
        let rejection = options.signatures.rejection(of: body, signature: answer.signature)
        if let rejection {
            guard case .reported = options.signatures else { return reject(rejection, request.user) }
        }
        let document: ConfigurationDocument
        do throws(ConfigurationDocumentError) {
            document = try ConfigurationDocument(parsing: body)
        } catch {
            return reject(.malformed(error), request.user)
        }
        guard !document.sections.isEmpty else { return reject(.empty, request.user) }
        let stored = StoredConfiguration(
            user: request.user, body: body, document: document, answer: answer, fetchedAt: options.now())
        return update { state in
            guard isWanted(request.user, flight, &state) else { return .failure(.superseded) }
            if let rejection { state.events.append(.usedUnverified(request.user, rejection)) }
            return accept(stored, interval: answer.interval, request.user, &state)
        }
    }

    /// Whether an answer may still be used: no other request has taken the place of this one, nor is more known of its user.
    private func isWanted(_ user: ConfigurationUser, _ flight: RequestInFlight, _ state: inout ClientState) -> Bool {
        guard state.flights[user] === flight, user == state.user || !user.hasID(of: state.user) else {
            state.events.append(.superseded(user))
            return false
        }
        return true
    }

    private func reject(_ rejection: Rejection, _ user: ConfigurationUser) -> RequestInFlight.Answer {
        note { $0.events.append(.rejected(user, rejection)) }
        return .failure(.rejected(rejection))
    }

    private func accept(
        _ stored: StoredConfiguration, interval: Double?, _ user: ConfigurationUser, _ state: inout ClientState
    ) -> RequestInFlight.Answer {
        guard user == state.user else {
            let error = records.write(stored.record, .fetched, user: user.id, &state.events)
            if error == nil {
                note(success: user, interval: interval, at: stored.fetchedAt, &state)
                state.events.append(.storedForOtherUser(user))
            }
            return .success(RefreshResult(.fetched, isChanged: false, storeError: error))
        }
        let active = ActiveConfiguration(stored)
        let next = state.snapshot(of: active, recorder: recorder)
        let change = ConfigurationChange(from: hub.current, to: next)
        state.events.append(.fetched(user, isChanged: !change.isEmpty))
        let error: StoreError?
        if options.activation == .whenFetched {
            state.fetched = nil
            state.active = active
            state.next = (next, change)
            error = records.keep(stored, &state.events)
        } else {
            state.fetched = stored
            error = records.write(stored.record, .fetched, user: user.id, &state.events)
        }
        // Behind the configuration: who has lost it must ask again.
        note(success: user, interval: interval, at: stored.fetchedAt, isKept: error == nil, &state)
        return .success(RefreshResult(.fetched, isChanged: !change.isEmpty, storeError: error))
    }

    /// The server says that the client has the configuration already; `nil` if it has not any more.
    private func confirm(_ answer: DownloadAnswer, _ request: DownloadRequest, _ flight: RequestInFlight)
        -> RequestInFlight.Answer?
    {
        guard let tag = request.entityTag else {
            let error = RequestError(
                .status(304), "the server says that nothing has changed, and was not asked whether it has")
            note { $0.events.append(.failed(request.user, error, retryIn: nil)) }
            return .failure(.failed(error))
        }
        let now = options.now()
        return update { state -> RequestInFlight.Answer? in
            let user = request.user
            guard isWanted(user, flight, &state) else { return .failure(.superseded) }
            guard user == state.user else {
                note(success: user, interval: answer.interval, at: now, &state)
                state.events.append(.unchanged(user))
                return .success(RefreshResult(.unchanged, isChanged: false))
            }
            guard state.latest?.entityTag == tag else { return nil }
            note(success: user, interval: answer.interval ?? state.schedule.interval, at: now, &state)
            state.events.append(.unchanged(user))
            if var fetched = state.fetched {
                fetched.confirm(at: now)
                state.fetched = fetched
                let change = ConfigurationChange(
                    from: hub.current, to: state.snapshot(of: ActiveConfiguration(fetched), recorder: nil))
                return .success(RefreshResult(.unchanged, isChanged: !change.isEmpty))
            }
            if var active = state.active.stored {
                active.confirm(at: now)
                state.active = ActiveConfiguration(active)
            }
            return .success(RefreshResult(.unchanged, isChanged: false))
        }
    }

    // MARK: Schedule

    /// The server gave or confirmed a user's configuration.
    private func note(
        success user: ConfigurationUser, interval: Double?, at date: Date, isKept: Bool = true,
        _ state: inout ClientState
    ) {
        changeSchedule(of: user, isKept: isKept, &state) { $0.succeed(for: user, interval: interval, now: date) }
    }

    /// Changes, and keeps for the next run, when the server may be asked for a user.
    private func changeSchedule(
        of user: ConfigurationUser, isKept: Bool = true, _ state: inout ClientState,
        _ change: (inout FetchSchedule) -> Void
    ) {
        let isCurrent = state.user.hasID(of: user)
        var schedule = isCurrent ? state.schedule : records.schedule(user: user.id, &state.events)
        change(&schedule)
        if isCurrent { state.schedule = schedule }
        if isKept { records.write(schedule.record, .schedule, user: user.id, &state.events) }
    }
}

extension ConfigurationClient {
    /// Puts in force what was fetched last, if it is not yet; returns whether that changed anything for the app: a value, an
    /// assignment, or another member of `meta` than when and from what the configuration was made.
    @discardableResult
    public func activate() -> Bool {
        activate(for: nil)
    }

    /// Asks the server as ``refresh()`` does, and puts in force what was fetched; returns whether that changed anything for
    /// the app. If the user is changed meanwhile, what was fetched is kept for when the former comes back.
    ///
    /// - Throws: ``RefreshError``; nothing is put in force then.
    @discardableResult
    public func fetchAndActivate() async throws(RefreshError) -> Bool {
        let before = hub.current
        let result = try await refresh()
        // What is in force as soon as it is fetched has changed by then.
        guard options.activation != .whenFetched else { return result.outcome == .fetched && result.isChanged }
        return activate(for: before.user)
    }

    /// - Parameter user: does nothing unless this user is in force; `nil` for any.
    private func activate(for user: ConfigurationUser?) -> Bool {
        update { state in
            guard let fetched = state.fetched, user == nil || user == state.user else { return false }
            state.fetched = nil
            state.active = ActiveConfiguration(fetched)
            records.keep(fetched, &state.events)
            let next = state.snapshot(recorder: recorder)
            let change = ConfigurationChange(from: hub.current, to: next)
            state.next = (next, change)
            return !change.isEmpty
        }
    }
}
