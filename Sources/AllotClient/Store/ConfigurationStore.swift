import AllotConfiguration
import Synchronization

/// Keeps what the client must remember between runs of the app: a few named records of bytes.
///
/// The client writes and reads each record whole, and checks what it reads; a store need not understand it. It is called
/// from any thread. ``FileStore`` is one on disk, ``MemoryStore`` one for tests.
public protocol ConfigurationStore: Sendable {
    /// The bytes of a record; `nil` when there is none.
    func read(_ record: StoreRecord) throws(StoreError) -> [UInt8]?

    /// Replaces a record, whole or not at all: a crash in the middle leaves the former.
    func write(_ bytes: [UInt8], _ record: StoreRecord) throws(StoreError)

    /// Removes a record; without effect when there is none.
    func remove(_ record: StoreRecord) throws(StoreError)
}

/// Which record.
public struct StoreRecord: Sendable, Hashable {
    /// What a record holds.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The configuration that was last in force.
        case active
        /// The configuration that was last fetched and is not in force yet.
        case fetched
        /// When the server was last asked, and when it may be asked again.
        case schedule
        /// What was overridden on this device, for all users.
        case overrides
    }

    /// What it holds.
    public let kind: Kind
    /// The ID of the user whose it is; `nil` for the one of no user. Equal when the bytes are.
    public let user: String?

    /// Names a record.
    public init(_ kind: Kind, user: String?) {
        self.kind = kind
        self.user = user
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.user.map(UTF8Key.init) == right.user.map(UTF8Key.init)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(user.map(UTF8Key.init))
    }
}

/// Why a store has failed.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Sendable, Hashable {
        /// The record is there and cannot be read.
        case unreadable
        /// The record was read and makes no sense; it counts as absent.
        case corrupt
        /// The record cannot be written or removed.
        case unwritable
    }

    /// What went wrong.
    public let kind: Kind
    /// Where, what, and what to do.
    public let message: String

    /// Describes a failure.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

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
