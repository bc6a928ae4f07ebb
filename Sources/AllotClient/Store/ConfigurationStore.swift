import AllotConfiguration
import AllotFiles

public import struct Foundation.URL

/// Stores what the client must remember between runs of the app: a few named records of bytes.
///
/// The client writes and reads whole records and checks what it reads; a store need not understand them. It is called
/// from any thread. ``FileStore`` stores records on disk, ``MemoryStore`` in memory for tests.
public protocol ConfigurationStore: Sendable {
    /// The bytes of a record; `nil` if it does not exist.
    func read(_ record: StoreRecord) throws(StoreError) -> [UInt8]?

    /// Replaces a record as a whole or not at all: after a crash in the middle the former one is there.
    func write(_ bytes: [UInt8], _ record: StoreRecord) throws(StoreError)

    /// Removes a record, if it exists.
    func remove(_ record: StoreRecord) throws(StoreError)

    /// The folder in which exposures wait until they are sent, of a client that is started with a server's URL; `nil`
    /// keeps them in memory only, where they are lost when the process ends. A store that decorates another one returns
    /// that one's folder.
    var exposureFolder: URL? { get }
}

/// The name of a record.
public struct StoreRecord: Sendable, Hashable {
    /// The contents of a record.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The configuration that was active last.
        case active
        /// The configuration that was fetched last and is not active yet.
        case fetched
        /// When the server was last asked, and when it may be asked again.
        case schedule
        /// The overrides on this device, for all users.
        case overrides
        /// The users of whom there are records, in the order of their last use.
        case users
        /// The bytes of a file that a configuration names; see ``StoreRecord/file(_:)``.
        case file
        /// The files of which there are records, in the order in which they were stored.
        case files

        static let ofUsers: [Kind] = [.active, .fetched, .schedule]
    }

    /// The contents.
    public let kind: Kind
    /// The ID of the record's user; `nil` for no user. IDs are equal if their bytes are.
    public var user: String? { userKey?.text }
    private let userKey: UTF8Key?
    /// The SHA-256 of a file's bytes, as 64 hexadecimal digits in lower case; `nil` for any other record.
    public private(set) var sha256: String?

    /// Names a record, for tests of a store.
    public init(_ kind: Kind, user: String?) { (self.kind, userKey) = (kind, user.map(UTF8Key.init)) }

    /// Names the record of a file, which has at most 64 MiB and belongs to no user.
    public static func file(_ sha256: String) -> StoreRecord {
        var record = StoreRecord(.file, user: nil)
        record.sha256 = sha256
        return record
    }

    var isOfFiles: Bool { kind == .file || kind == .files }
}

/// A failure of a store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The record exists but cannot be read.
        case unreadable
        /// The record was read but makes no sense; it is not used.
        case corrupt
        /// The record cannot be written or removed.
        case unwritable
    }

    /// The kind of failure.
    public let kind: Kind
    /// The place, what happened, and what to do. Events contain it, so it has no IDs of users.
    public let description: String

    /// Creates an error, for stores of your own; the description has no IDs of users.
    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

/// A store that forgets everything when the process ends.
public final class MemoryStore: ConfigurationStore {
    private let records = Lock<[StoreRecord: [UInt8]]>([:])

    /// An empty store.
    public init() {}
    /// `nil`: exposures are kept in memory as well.
    public var exposureFolder: URL? { nil }
    /// The bytes of a record; `nil` if it does not exist.
    public func read(_ record: StoreRecord) -> [UInt8]? { records.withLock { $0[record] } }
    /// Replaces a record.
    public func write(_ bytes: [UInt8], _ record: StoreRecord) { records.withLock { $0[record] = bytes } }
    /// Removes a record, if it exists.
    public func remove(_ record: StoreRecord) { records.withLock { $0[record] = nil } }
}

/// The names of records' files: ASCII in lower case, since file systems fold case and normalise other characters. An ID
/// whose name would be too long is hashed; the client checks whose a record is.
enum StoreFileName {
    /// The maximal length of an escaped ID: names stay below 143 bytes, the limit of encrypted file systems.
    static let longestEscapedID = 96

    /// The name of a record. An escaped ID has no ".", so that the name without one belongs to no user.
    static func name(_ record: StoreRecord) -> String {
        if let hash = record.sha256 { return "\(record.kind.rawValue).sha256-\(escaped(hash))" }
        guard let user = record.user else { return record.kind.rawValue }
        let escaped = escaped(user)
        if escaped.utf8.count <= longestEscapedID { return "\(record.kind.rawValue).user-\(escaped)" }
        return "\(record.kind.rawValue).hash-\(FNV1a.hash128(Array(user.utf8)).hexadecimal)"
    }

    /// A text with all bytes except lower-case letters, digits, "-" and "_" as `%xx`.
    static func escaped(_ text: String) -> String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return text.percentEncoded { ($0.isOfPlainName || $0 == UInt8(ascii: "-")) && !capitals.contains($0) }
            .lowercased()
    }
}
