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
        case throttled(RefreshError)
        case waiting(Flight, UInt64)
    }

    private func refresh(limit: Double?) async throws(RefreshError) -> RefreshResult {
        switch note({ start(limit, &$0) }) {
        case .notDue(let isChanged): return RefreshResult(.notDue, isChanged: isChanged)
        case .throttled(let error): throw error
        case .waiting(let flight, let number): return try await flight.answer(number).get()
        }
    }

    private func start(_ limit: Double?, _ state: inout ClientState) -> Start {
        let user = state.user
        if let flight = state.flights[user], let number = flight.join() { return .waiting(flight, number) }
        let now = options.now()
        if let date = state.schedule.waitUntil(now: now) { return .throttled(.throttled(until: date)) }
        let limit = limit ?? state.schedule.interval ?? options.minimumInterval.inSeconds
        guard state.latest == nil || state.schedule.isDue(limit, for: user, now: now) else {
            let fetched = state.fetched.map { state.snapshot(of: ActiveConfiguration($0), recorder: nil) }
            return .notDue(isChanged: fetched.map { !ConfigurationChange(from: hub.current, to: $0).isEmpty } ?? false)
        }
        let flight = Flight()
        guard let number = flight.join() else { return .throttled(.cancelled) }
        state.flights[user] = flight
        let request = DownloadRequest(user: user, entityTag: state.latest?.entityTag)
        flight.start { [self] in
            let answer = await fetch(request)
            note { if $0.flights[user] === flight { $0.flights[user] = nil } }
            return answer
        }
        return .waiting(flight, number)
    }

    // MARK: Asking

    private func fetch(_ request: DownloadRequest) async -> Flight.Answer {
        for failures in 1... {
            do throws(DownloadError) {
                return receive(try await downloader.download(request), request)
            } catch {
                guard !Task.isCancelled, error.kind != .cancelled else { return .failure(.cancelled) }
                let delay = wait(after: error, failures: failures)
                note { state in
                    state.events.append(.failed(request.user, error, retryIn: delay))
                    if delay == nil, let seconds = error.retryAfter { refuse(for: seconds, request.user, &state) }
                }
                guard let delay else { return .failure(.failed(error)) }
                guard (try? await options.sleep(.seconds(delay))) != nil else { return .failure(.cancelled) }
            }
        }
        return .failure(.cancelled)
    }

    /// In how many seconds a request is made again; `nil` for not.
    private func wait(after error: DownloadError, failures: Int) -> Double? {
        guard error.isTemporary, failures < options.retry.attempts else { return nil }
        let delay = options.retry.delay(afterFailures: failures, random: options.random())
        guard let asked = error.retryAfter else { return delay }
        return asked <= options.retry.longestDelay.inSeconds ? max(asked, delay) : nil
    }

    /// The server asked to be left alone.
    private func refuse(for seconds: Double, _ user: ConfigurationUser, _ state: inout ClientState) {
        changeSchedule(of: user, &state) { $0.refuse(for: seconds, now: options.now()) }
    }

    // MARK: Answers

    private func receive(_ answer: DownloadAnswer, _ request: DownloadRequest) -> Flight.Answer {
        guard let body = answer.body else { return confirm(answer, request) }
        if let rejection = options.signatures.rejection(of: body, signature: answer.signature) {
            guard case .reported = options.signatures else { return reject(rejection, request.user) }
            note { $0.events.append(.usedUnverified(request.user, rejection)) }
        }
        let document: ConfigurationDocument
        do throws(ConfigurationDocumentError) {
            document = try ConfigurationDocument(parsing: body)
        } catch {
            return reject(.malformed(error), request.user)
        }
        guard !document.sections.isEmpty else { return reject(.empty, request.user) }
        let stored = StoredConfiguration(
            user: request.user.id, body: body, document: document, answer: answer, fetchedAt: options.now())
        return update { accept(stored, interval: answer.interval, request.user, &$0) }
    }

    private func reject(_ rejection: Rejection, _ user: ConfigurationUser) -> Flight.Answer {
        note { $0.events.append(.rejected(user, rejection)) }
        return .failure(.rejected(rejection))
    }

    private func accept(
        _ stored: StoredConfiguration, interval: Double?, _ user: ConfigurationUser, _ state: inout ClientState
    ) -> Flight.Answer {
        guard user == state.user || !user.hasID(of: state.user) else {
            state.events.append(.superseded(user))
            return .failure(.superseded)
        }
        changeSchedule(of: user, &state) { $0.succeed(for: user, interval: interval, now: stored.fetchedAt) }
        guard user == state.user else {
            let error = records.write(stored.record, .fetched, user: user.id, &state.events)
            state.events.append(.storedForOtherUser(user))
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
        return .success(RefreshResult(.fetched, isChanged: !change.isEmpty, storeError: error))
    }

    /// The server says that the client has the configuration already.
    private func confirm(_ answer: DownloadAnswer, _ request: DownloadRequest) -> Flight.Answer {
        guard request.entityTag != nil else {
            let error = DownloadError(
                .status(304), "the server says that nothing has changed, and was not asked whether it has")
            note { $0.events.append(.failed(request.user, error, retryIn: nil)) }
            return .failure(.failed(error))
        }
        let now = options.now()
        return update { state in
            let user = request.user
            changeSchedule(of: user, &state) { $0.succeed(for: user, interval: answer.interval, now: now) }
            state.events.append(.unchanged(user))
            guard user == state.user else { return .success(RefreshResult(.unchanged, isChanged: false)) }
            if var fetched = state.fetched {
                fetched.confirm(at: now)
                state.fetched = fetched
                let change = ConfigurationChange(
                    from: hub.current, to: state.snapshot(of: ActiveConfiguration(fetched), recorder: nil))
                return .success(RefreshResult(.unchanged, isChanged: !change.isEmpty))
            }
            if var active = state.active.stored, !state.active.isGeneric {
                active.confirm(at: now)
                state.active = ActiveConfiguration(active)
            }
            return .success(RefreshResult(.unchanged, isChanged: false))
        }
    }

    /// Changes and keeps when the server may be asked for a user.
    private func changeSchedule(
        of user: ConfigurationUser, _ state: inout ClientState, _ change: (inout FetchSchedule) -> Void
    ) {
        let isCurrent = state.user.hasID(of: user)
        var schedule = isCurrent ? state.schedule : records.schedule(user: user.id, &state.events)
        change(&schedule)
        if isCurrent { state.schedule = schedule }
        records.write(schedule.record, .schedule, user: user.id, &state.events)
    }
}

extension StoredConfiguration {
    /// The server has confirmed it.
    fileprivate mutating func confirm(at date: Date) {
        fetchedAt = date
        origin = .remote
    }
}
