import AllotConfiguration
import Synchronization

/// A store that forgets everything when the process ends.
public final class MemoryStore: ConfigurationStore {
    private struct Key: Hashable {
        let kind: StoreRecord.Kind
        let user: UTF8Key?

        init(_ record: StoreRecord) {
            kind = record.kind
            user = record.user.map(UTF8Key.init)
        }
    }

    private let records = Mutex<[Key: [UInt8]]>([:])

    /// An empty store.
    public init() {}

    public func read(_ record: StoreRecord) -> [UInt8]? {
        records.withLock { $0[Key(record)] }
    }

    public func write(_ bytes: [UInt8], _ record: StoreRecord) {
        records.withLock { $0[Key(record)] = bytes }
    }

    public func remove(_ record: StoreRecord) {
        records.withLock { $0[Key(record)] = nil }
    }
}
