import AllotConfiguration

/// Reads and writes a client's records, and reports failures as events.
struct ClientRecords: Sendable {
    let store: any ConfigurationStore
    let signatures: ClientOptions.Signatures

    /// A stored configuration. Returns `nil` if there is none that can be used.
    func configuration(
        _ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]
    ) -> StoredConfiguration? {
        let stored = read(StoreRecord(kind, user: user), &events) { bytes throws(StoreError) in
            try StoredConfiguration(record: bytes, user: user)
        }
        guard let stored, let rejection = signatures.rejection(of: stored.body, signature: stored.signature) else {
            return stored
        }
        if case .required = signatures {
            events.append(.storeFailed(StoreError(.corrupt, "the stored configuration is not used: \(rejection)")))
            return nil
        }
        events.append(.usedUnverified(ConfigurationUser(user, attributes: stored.attributes), rejection))
        return stored
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
