import Synchronization

/// A store that forgets everything when the process ends.
public final class MemoryStore: ConfigurationStore {
    private let records = Mutex<[StoreRecord: [UInt8]]>([:])

    /// An empty store.
    public init() {}

    public func read(_ record: StoreRecord) -> [UInt8]? {
        records.withLock { $0[record] }
    }

    public func write(_ bytes: [UInt8], _ record: StoreRecord) {
        records.withLock { $0[record] = bytes }
    }

    public func remove(_ record: StoreRecord) {
        records.withLock { $0[record] = nil }
    }
}
