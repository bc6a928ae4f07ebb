import AllotConfiguration

/// Reads and writes a client's records, and reports failures as events.
struct ClientRecords: Sendable {
    let store: any ConfigurationStore
    let options: ClientOptions

    /// A stored configuration. Returns `nil` if there is none that can be used.
    func configuration(
        _ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]
    ) -> StoredConfiguration? {
        let stored = read(StoreRecord(kind, user: user), &events) { bytes throws(StoreError) in
            try StoredConfiguration(record: bytes, user: user)
        }
        guard let stored, let rejection = options.signatures.rejection(of: stored.body, signature: stored.signature)
        else {
            return stored
        }
        if case .required = options.signatures {
            events.append(.storeFailed(StoreError(.corrupt, "the stored configuration is not used: \(rejection)")))
            return nil
        }
        events.append(.usedUnverified(ConfigurationUser(user, attributes: stored.attributes), rejection))
        return stored
    }

    /// The latest stored response for a user. Returns `nil` if there is none.
    func latest(user: String?) -> StoredConfiguration? {
        // What cannot be read is reported when it is used.
        var events: [ConfigurationEvent] = []
        return [StoreRecord.Kind.fetched, .active].compactMap { configuration($0, user: user, &events) }
            .max { $0.number < $1.number }
    }

    /// When the server was asked for a user; empty if that cannot be read.
    func schedule(user: String?, _ events: inout [ConfigurationEvent]) -> FetchSchedule {
        read(StoreRecord(.schedule, user: user), &events) { bytes throws(StoreError) in
            try FetchSchedule(record: bytes)
        } ?? FetchSchedule()
    }

    /// The overrides on this device; none if they cannot be read.
    func overrides(_ events: inout [ConfigurationEvent]) -> LocalOverrides {
        read(StoreRecord(.overrides, user: nil), &events) { bytes throws(StoreError) in
            try LocalOverrides(record: bytes)
        } ?? LocalOverrides()
    }

    /// Reads a record. Returns `nil` if it does not exist, or cannot be used, which is an event.
    private func read<Value>(
        _ record: StoreRecord, _ events: inout [ConfigurationEvent],
        _ parse: ([UInt8]) throws(StoreError) -> Value
    ) -> Value? {
        var value: Value?
        attempt(&events) { () throws(StoreError) in value = try store.read(record).map(parse) }
        return value
    }

    /// Writes a record. Returns the error if that fails, which is also an event.
    @discardableResult
    func write(
        _ bytes: [UInt8], _ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]
    ) -> StoreError? {
        attempt(&events) { () throws(StoreError) in try store.write(bytes, StoreRecord(kind, user: user)) }
    }

    /// Removes a record. Returns the error if that fails, which is also an event.
    @discardableResult
    func remove(_ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]) -> StoreError? {
        attempt(&events) { () throws(StoreError) in try store.remove(StoreRecord(kind, user: user)) }
    }

    /// Stores a configuration that became active, which need not be stored as fetched any more. Returns the error if
    /// that fails.
    @discardableResult
    func keep(_ stored: StoredConfiguration, _ events: inout [ConfigurationEvent]) -> StoreError? {
        let error = write(stored.record, .active, user: stored.user, &events)
        if error == nil { remove(.fetched, user: stored.user, &events) }
        return error
    }

    /// Stores the overrides on this device. Returns the error if that fails.
    @discardableResult
    func keep(_ overrides: LocalOverrides, _ events: inout [ConfigurationEvent]) -> StoreError? {
        guard overrides.isEmpty, overrides.issued == nil else {
            return write(overrides.record, .overrides, user: nil, &events)
        }
        return remove(.overrides, user: nil, &events)
    }

    @discardableResult
    private func attempt(
        _ events: inout [ConfigurationEvent], _ operation: () throws(StoreError) -> Void
    ) -> StoreError? {
        do throws(StoreError) {
            try operation()
            return nil
        } catch {
            events.append(.storeFailed(error))
            return error
        }
    }
}

// MARK: Starting

extension ClientRecords {
    /// Removes overrides that have expired.
    func dropExpiredOverrides(_ state: inout ClientState) {
        guard let expires = state.overrides.expires, options.clock.now() >= expires else { return }
        state.overrides.reset()
        keep(state.overrides, &state.events)
    }

    /// Loads what is stored for the current user, else for no user, else what is bundled with the app.
    func load(_ state: inout ClientState) {
        let id = state.user.id
        let former = state.schedule
        state.schedule = schedule(user: id, &state.events)
        state.isLatestStored = true
        // A server that asked for a delay is the same for all users.
        state.schedule.takeRefusal(of: former)
        state.fetched = configuration(.fetched, user: id, &state.events)
        let active = configuration(.active, user: id, &state.events)
        if let fetched = state.fetched, let active, fetched.isOlder(than: active) {
            // It was activated, but could not be removed.
            state.fetched = nil
        }
        if options.activation != .byCall, let fetched = state.fetched {
            state.fetched = nil
            state.active = ActiveConfiguration(confirmed(fetched, state))
            keep(fetched, &state.events)
        } else if let active {
            state.active = ActiveConfiguration(confirmed(active, state))
        } else {
            state.active = substitute(state.user, &state.events)
        }
    }

    /// A stored configuration with the time at which the server last confirmed it.
    private func confirmed(_ stored: StoredConfiguration, _ state: ClientState) -> StoredConfiguration {
        guard let date = state.schedule.succeededAt, state.schedule.isFor(state.user), date > stored.fetchedAt,
            state.fetched == nil
        else { return stored }
        var confirmed = stored
        confirmed.fetchedAt = date
        return confirmed
    }

    /// Removes what is stored for a user, and what the state has of it. Returns the first error.
    func forget(_ user: ConfigurationUser, _ state: inout ClientState) -> StoreError? {
        var first: StoreError?
        for kind in StoreRecord.Kind.ofUsers {
            let error = remove(kind, user: user.id, &state.events)
            first = first ?? error
        }
        let isCurrent = state.user.hasID(of: user)
        if isCurrent {
            let former = state.schedule
            state.schedule = FetchSchedule()
            state.schedule.takeRefusal(of: former)
            state.isLatestStored = true
            state.fetched = nil
        }
        if isCurrent || user.id == nil && state.active.provenance.isGeneric {
            state.active = substitute(state.user, &state.events)
        }
        return first
    }

    /// The configuration of a user for whom nothing is stored.
    private func substitute(_ user: ConfigurationUser, _ events: inout [ConfigurationEvent]) -> ActiveConfiguration {
        if user.id != nil {
            for kind in [StoreRecord.Kind.fetched, .active] where kind == .active || options.activation != .byCall {
                if let stored = configuration(kind, user: nil, &events) {
                    return ActiveConfiguration(stored, isGeneric: true)
                }
            }
        }
        guard let bootstrap = options.bootstrap else { return .none }
        do {
            let document = try bootstrap()
            guard !document.sections.isEmpty else { throw Rejection.empty }
            return ActiveConfiguration(document.impersonal, origin: .bootstrap)
        } catch {
            events.append(.bootstrapFailed("\(error)"))
            return .none
        }
    }
}

extension ConfigurationDocument {
    /// The members of `meta` that say what was decided for one user.
    var personalMembers: [String] {
        [MetaKey.assignments, MetaKey.holdouts].filter { meta[$0] != nil }
    }

    /// The document without its ``personalMembers``: of a document that is bundled with an app, they would count every
    /// user as the one for whom it was saved.
    fileprivate var impersonal: ConfigurationDocument {
        var common = meta
        for name in personalMembers { common[name] = nil }
        return ConfigurationDocument(sections: sections, meta: common)
    }
}

extension ClientOptions.Signatures {
    /// Why a body with its signature is not trusted. Returns `nil` if it is, or need not be signed.
    func rejection(of body: [UInt8], signature: String?) -> Rejection? {
        let verifier: any SignatureVerifier
        switch self {
        case .unchecked: return nil
        case .required(let pinned), .reported(let pinned): verifier = pinned
        }
        guard let signature else { return .unsigned }
        do throws(SignatureError) {
            try verifier.verify(try DetachedSignature(signature), payload: body)
            return nil
        } catch {
            return .signature(error)
        }
    }
}
