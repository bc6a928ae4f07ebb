import AllotConfiguration

struct ClientRecords: Sendable {
    let store: any ConfigurationStore
    let options: ClientOptions
    /// The name of the client's server; `nil` if a downloader of the app's own requests configurations.
    let server: String?
    let files: StoredFiles

    init(store: any ConfigurationStore, options: ClientOptions, server: String?) {
        (self.store, self.options, self.server) = (store, options, server)
        files = StoredFiles(store)
    }

    /// Whether a record with the name of a server may be used. Version 0.1.0 wrote none.
    private func isOwn(_ name: String?) -> Bool { name == nil || server == nil || name == server }

    func configuration(
        _ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]
    ) -> StoredConfiguration? {
        let stored = read(StoreRecord(kind, user: user), &events) { bytes throws(StoreError) in
            try StoredConfiguration(record: bytes, user: user)
        }
        guard let stored, isOwn(stored.server) else { return nil }
        guard let rejection = options.signatures.rejection(of: stored.body, signature: stored.signature)
        else { return stored }
        guard options.allowsInvalidSignatures else {
            events.append(.storeFailed(StoreError(.corrupt, "the stored configuration is not used: \(rejection)")))
            return nil
        }
        events.append(.usedUnverified(ConfigurationUser(user, attributes: stored.attributes), rejection))
        return stored
    }

    func latest(user: String?) -> StoredConfiguration? {
        // What cannot be read is reported when it is used.
        var events: [ConfigurationEvent] = []
        return [StoreRecord.Kind.fetched, .active].compactMap { configuration($0, user: user, &events) }
            .max { $0.number < $1.number }
    }

    /// When the client's server was asked for a user; empty if that cannot be read.
    func schedule(user: String?, _ events: inout [ConfigurationEvent]) -> FetchSchedule {
        let schedule = read(StoreRecord(.schedule, user: user), &events, FetchSchedule.init(record:))
        return schedule.flatMap { isOwn($0.server) ? $0 : nil } ?? FetchSchedule()
    }

    func overrides(_ events: inout [ConfigurationEvent]) -> LocalOverrides {
        read(StoreRecord(.overrides, user: nil), &events, LocalOverrides.init(record:)) ?? LocalOverrides()
    }

    /// Reads a record. Returns `nil` if it does not exist, or cannot be used, which is an event.
    private func read<Value>(
        _ record: StoreRecord, _ events: inout [ConfigurationEvent], _ parse: ([UInt8]) throws(StoreError) -> Value
    ) -> Value? {
        var value: Value?
        attempt(&events) { () throws(StoreError) in value = try store.read(record).map(parse) }
        return value
    }

    /// Writes a record; `nil` removes it.
    @discardableResult
    func write(
        _ bytes: [UInt8]?, _ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]
    ) -> StoreError? {
        if kind == .active || kind == .fetched { files.noteChangeOfConfigurations() }
        let record = StoreRecord(kind, user: user)
        return attempt(&events) { () throws(StoreError) in
            if let bytes { try store.write(bytes, record) } else { try store.remove(record) }
        }
    }

    /// Stores a configuration that became active, and need not be stored as fetched any more. Returns the error.
    @discardableResult
    func keep(_ stored: StoredConfiguration, _ events: inout [ConfigurationEvent]) -> StoreError? {
        let error = write(stored.record, .active, user: stored.user, &events)
        if error == nil { write(nil, .fetched, user: stored.user, &events) }
        return error
    }

    @discardableResult
    func keep(_ overrides: LocalOverrides, _ events: inout [ConfigurationEvent]) -> StoreError? {
        let record = overrides.isEmpty && overrides.issued == nil ? nil : overrides.record
        return write(record, .overrides, user: nil, &events)
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

// MARK: Files

extension ClientRecords {
    func removeUnusedFiles(_ state: inout ClientState) {
        let events = files.removeUnused { filesInUse(state) }
        state.events += events
    }

    /// The SHA-256 of the files that configurations name. Returns `nil` if a stored configuration cannot be read now.
    private func filesInUse(_ state: ClientState) -> Set<String>? {
        var files: Set<ConfigurationFile> = []
        func collect(_ sections: JSONObject?) { sections.map(JSONValue.object)?.collectFiles(&files) }
        collect(state.active.document.sections)
        collect(state.fetched?.document.sections)
        collect(state.overrides.values)
        for variant in state.overrides.variants.values { collect(variant.values) }
        // What cannot be read is reported when it is used.
        var events: [ConfigurationEvent] = []
        for user in users(&events).map(\.id) + [nil] {
            for kind in [StoreRecord.Kind.active, .fetched] {
                do throws(StoreError) {
                    guard let record = try store.read(StoreRecord(kind, user: user)) else { continue }
                    collect(try StoredConfiguration(record: record, user: user).document.sections)
                } catch {
                    // A corrupt one is never used.
                    guard error.kind == .corrupt else { return nil }
                }
            }
        }
        return Set(files.compactMap(\.sha256))
    }
}

// MARK: Starting

extension ClientRecords {
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
        // An app that starts without a user may set the one of the last run next.
        if id != nil, state.latest != nil { noteUse(of: state.user, &state) }
    }

    private func confirmed(_ stored: StoredConfiguration, _ state: ClientState) -> StoredConfiguration {
        guard let date = state.schedule.succeededAt, state.schedule.isFor(state.user), date > stored.fetchedAt,
            state.fetched == nil
        else { return stored }
        var confirmed = stored
        confirmed.fetchedAt = date
        return confirmed
    }

    func forget(_ user: ConfigurationUser, _ state: inout ClientState) -> StoreError? {
        var first = removeAll(of: user, &state.events)
        let known = users(&state.events)
        let others = known.filter { !$0.hasID(of: user) }
        if others.count < known.count {
            let error = keep(others, &state.events)
            first = first ?? error
        }
        let isCurrent = state.user.hasID(of: user)
        if isCurrent {
            state.schedule = FetchSchedule(refusedAt: state.schedule.refusedAt, retryAfter: state.schedule.retryAfter)
            state.isLatestStored = true
            state.fetched = nil
        }
        if isCurrent || user.id == nil && state.active.provenance.isGeneric {
            state.active = substitute(state.user, &state.events)
        }
        return first
    }

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

// MARK: Former users

extension ClientRecords {
    /// Notes that a user's records are in use. Removes the records of former users beyond ``ClientOptions/keptUsers``,
    /// the least recently used first. Those of the current user, and of no user, stay in any case.
    func noteUse(of user: ConfigurationUser, _ state: inout ClientState) {
        let known = users(&state.events)
        var kept = known.filter { !$0.hasID(of: user) } + (user.id == nil ? [] : [user])
        var excess = kept.count { !$0.hasID(of: state.user) } - max(options.keptUsers, 0)
        if excess > 0 {
            kept.removeAll { former in
                guard excess > 0, !former.hasID(of: state.user), removeAll(of: former, &state.events) == nil else {
                    return false
                }
                excess -= 1
                // Otherwise their responses would be stored, and not be found here.
                state.requests = state.requests.filter { !$0.key.hasID(of: former) }
                return true
            }
        }
        let isUnchanged = kept.count == known.count && zip(kept, known).allSatisfy { $0.hasID(of: $1) }
        if !isUnchanged { keep(kept, &state.events) }
    }

    /// The users of whom there are records, without their attributes, in the order of their last use.
    private func users(_ events: inout [ConfigurationEvent]) -> [ConfigurationUser] {
        read(StoreRecord(.users, user: nil), &events) { bytes throws(StoreError) -> [String] in
            let consequence = "the stored list of users is corrupt, and their records are kept"
            return try JSONObject(record: bytes, consequence: consequence).texts(Self.usersMember) ?? []
        }?.map { ConfigurationUser($0) } ?? []
    }

    @discardableResult
    private func keep(_ users: [ConfigurationUser], _ events: inout [ConfigurationEvent]) -> StoreError? {
        let ids = users.compactMap(\.id)
        let record = ids.isEmpty ? nil : CheckedRecord.encode([Self.usersMember: .strings(ids)])
        return write(record, .users, user: nil, &events)
    }

    private static let usersMember = "users"

    private func removeAll(of user: ConfigurationUser, _ events: inout [ConfigurationEvent]) -> StoreError? {
        StoreRecord.Kind.ofUsers.compactMap { write(nil, $0, user: user.id, &events) }.first
    }
}

extension ConfigurationDocument {
    /// The members of `meta` that say what was decided for one user. Contents decide, not presence: the generic
    /// configuration has empty assignments, or those of experiments without a unit, which are everyone's.
    var personalMembers: [String] {
        [MetaKey.assignments, MetaKey.holdouts].filter { name in
            switch meta[name] {
            case nil, .null?: false
            case .array(let elements)?: !elements.isEmpty
            case .object(let object)?: object.members.contains { !Self.isCommon($0.value) }
            default: true
            }
        }
    }

    /// The document without the decisions for one user, which would count every user as that one.
    fileprivate var impersonal: ConfigurationDocument {
        let everyones = (meta.object(MetaKey.assignments)?.members ?? []).filter { Self.isCommon($0.value) }
        var common = meta
        common[MetaKey.assignments] =
            everyones.isEmpty ? nil : .object(JSONObject(everyones.map { ($0.key, $0.value) }))
        common[MetaKey.holdouts] = nil
        return ConfigurationDocument(sections: sections, meta: common)
    }

    private static func isCommon(_ assignment: JSONValue) -> Bool {
        assignment.asObject?.text(AssignmentKey.unit) == UnitContract.noUnit
    }
}

extension ClientOptions.Signatures {
    /// The reason not to trust a body with its signature. Returns `nil` if it is trusted, or need not be signed.
    func rejection(of body: [UInt8], signature: String?) -> Rejection? {
        guard case .required(let verifier) = self else { return nil }
        guard let signature else { return .unsigned }
        do throws(SignatureError) {
            try verifier.verify(try DetachedSignature(signature), payload: body)
            return nil
        } catch { return .signature(error) }
    }
}
