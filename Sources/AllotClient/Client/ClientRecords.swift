import AllotConfiguration

import struct Foundation.Date

/// Reads and writes a client's records, and turns what goes wrong into events.
struct ClientRecords: Sendable {
    let store: any ConfigurationStore
    let signatures: ClientOptions.Signatures

    /// A configuration that was kept; `nil` when there is none that can be used.
    func configuration(
        _ kind: StoreRecord.Kind, user: String?, _ events: inout [ConfigurationEvent]
    ) -> StoredConfiguration? {
        let record = StoreRecord(kind, user: user)
        do throws(StoreError) {
            guard let bytes = try store.read(record) else { return nil }
            let stored = try StoredConfiguration(record: bytes, user: user)
            if let rejection = signatures.rejection(of: stored.body, signature: stored.signature) {
                guard case .required = signatures else {
                    events.append(.usedUnverified(ConfigurationUser(user, attributes: stored.attributes), rejection))
                    return stored
                }
                throw StoreError(.corrupt, "the stored configuration counts as absent: \(rejection)")
            }
            return stored
        } catch {
            events.append(.storeFailed(error))
            return nil
        }
    }

    /// When the server was asked for a user; nothing known when that cannot be read.
    func schedule(user: String?, _ events: inout [ConfigurationEvent]) -> FetchSchedule {
        do throws(StoreError) {
            guard let bytes = try store.read(StoreRecord(.schedule, user: user)) else { return FetchSchedule() }
            return try FetchSchedule(record: bytes)
        } catch {
            events.append(.storeFailed(error))
            return FetchSchedule()
        }
    }

    /// What was overridden on this device; nothing when that cannot be read.
    func overrides(_ events: inout [ConfigurationEvent]) -> LocalOverrides {
        do throws(StoreError) {
            guard let bytes = try store.read(StoreRecord(.overrides, user: nil)) else { return LocalOverrides() }
            return try LocalOverrides(record: bytes)
        } catch {
            events.append(.storeFailed(error))
            return LocalOverrides()
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
