import AllotConfiguration

/// Reads and writes a client's records, and turns what goes wrong into events.
struct ClientRecords: Sendable {
    let store: any ConfigurationStore
    let signatures: ClientOptions.Signatures

    /// A configuration that was kept; `nil` when there is none that can be used.
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
            let error = StoreError(.corrupt, "the stored configuration counts as absent: \(rejection)")
            events.append(.storeFailed(error))
            return nil
        }
        events.append(.usedUnverified(ConfigurationUser(user, attributes: stored.attributes), rejection))
        return stored
    }

    /// When the server was asked for a user; nothing known when that cannot be read.
    func schedule(user: String?, _ events: inout [ConfigurationEvent]) -> FetchSchedule {
        read(StoreRecord(.schedule, user: user), &events) { bytes throws(StoreError) in
            try FetchSchedule(record: bytes)
        } ?? FetchSchedule()
    }

    /// What was overridden on this device; nothing when that cannot be read.
    func overrides(_ events: inout [ConfigurationEvent]) -> LocalOverrides {
        read(StoreRecord(.overrides, user: nil), &events) { bytes throws(StoreError) in
            try LocalOverrides(record: bytes)
        } ?? LocalOverrides()
    }

    /// Reads a record; `nil` when there is none, and when it cannot be used, which is an event.
    private func read<Value>(
        _ record: StoreRecord, _ events: inout [ConfigurationEvent],
        _ parse: ([UInt8]) throws(StoreError) -> Value
    ) -> Value? {
        do throws(StoreError) {
            guard let bytes = try store.read(record) else { return nil }
            return try parse(bytes)
        } catch {
            events.append(.storeFailed(error))
            return nil
        }
    }

    /// Writes a record; the error if it cannot be, which is an event too.
    @discardableResult
    func write(
        _ bytes: [UInt8], _ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]
    ) -> StoreError? {
        do throws(StoreError) {
            try store.write(bytes, StoreRecord(kind, user: user))
            return nil
        } catch {
            events.append(.storeFailed(error))
            return error
        }
    }

    /// Keeps what came into force; it need not be kept as fetched any more. The error if it cannot be kept.
    @discardableResult
    func keep(_ stored: StoredConfiguration, _ events: inout [ConfigurationEvent]) -> StoreError? {
        let error = write(stored.record, .active, user: stored.user, &events)
        if error == nil { remove(.fetched, user: stored.user, &events) }
        return error
    }

    /// Keeps what was overridden on this device. The error if it cannot be kept.
    @discardableResult
    func keep(_ overrides: LocalOverrides, _ events: inout [ConfigurationEvent]) -> StoreError? {
        guard overrides.isEmpty, overrides.issued == nil else {
            return write(overrides.record, .overrides, user: nil, &events)
        }
        return remove(.overrides, user: nil, &events)
    }

    /// Removes a record. The error if it cannot be removed.
    @discardableResult
    func remove(_ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]) -> StoreError? {
        do throws(StoreError) {
            try store.remove(StoreRecord(kind, user: user))
            return nil
        } catch {
            events.append(.storeFailed(error))
            return error
        }
    }
}

extension ClientOptions.Signatures {
    /// What is to be said against a body and its signature; `nil` when nothing is, or nobody asks.
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
