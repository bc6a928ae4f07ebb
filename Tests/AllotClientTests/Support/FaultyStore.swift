import AllotClient
import Synchronization

import struct Foundation.URL

/// A store that fails as a test says.
final class FaultyStore: ConfigurationStore {
    let memory = MemoryStore()
    let exposureFolder: URL? = nil
    private let state = Mutex((failsToWrite: false, failsToRead: false, damage: Damage?.none))

    /// Changes a record's bytes on their way out.
    typealias Damage = @Sendable (StoreRecord, [UInt8]) -> [UInt8]

    func failWriting(_ fails: Bool = true) { state.withLock { $0.failsToWrite = fails } }
    func failReading(_ fails: Bool = true) { state.withLock { $0.failsToRead = fails } }
    func damage(_ damage: @escaping Damage) { state.withLock { $0.damage = damage } }

    func read(_ record: StoreRecord) throws(StoreError) -> [UInt8]? {
        let (fails, damage) = state.withLock { ($0.failsToRead, $0.damage) }
        if fails { throw StoreError(.unreadable, "the disk is broken") }
        return memory.read(record).map { damage?(record, $0) ?? $0 }
    }

    func write(_ bytes: [UInt8], _ record: StoreRecord) throws(StoreError) {
        if state.withLock({ $0.failsToWrite }) { throw StoreError(.unwritable, "no space left on device") }
        memory.write(bytes, record)
    }

    func remove(_ record: StoreRecord) throws(StoreError) {
        if state.withLock({ $0.failsToWrite }) { throw StoreError(.unwritable, "read-only file system") }
        memory.remove(record)
    }
}
