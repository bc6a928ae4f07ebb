import GRDB

/// The reason why exposures are not stored, or cannot be read. `Sendable`.
public enum ExposureStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The location cannot be used as a store.
    case cannotOpen(String)
    /// An exposure cannot be stored as it is; none of the batch is stored.
    case refused(String)
    /// Too many exposures wait to be stored; none of the batch is stored.
    case overloaded
    /// The store is shut down.
    case closed
    /// The store could not be read or written; none of the batch is acknowledged. A later attempt may succeed.
    case storage(String)
    /// The store is damaged: something in it is not what was written. No exposure is stored in it any more.
    case damaged(String)

    /// The fault and its fix.
    public var description: String {
        switch self {
        case .cannotOpen(let message), .refused(let message), .storage(let message), .damaged(let message): message
        case .overloaded: "too many exposures wait to be stored; send them again later"
        case .closed: "the store of exposures is closed; open it again"
        }
    }
}

extension ExposureStoreError {
    /// The message of SQLite about a file, and the fix.
    static func explanation(_ path: String, _ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(path): \(error)" }
        let fix =
            switch error.resultCode {
            case .SQLITE_FULL: "make room on its disk"
            case .SQLITE_IOERR: "check its disk, the room on it and its quota"
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: "make the file and its folder writable"
            case .SQLITE_CANTOPEN: "check that its folder exists and is writable"
            case .SQLITE_BUSY, .SQLITE_LOCKED: "stop the other process that writes it"
            case .SQLITE_CORRUPT: "the file is damaged: move it away or restore it from a copy"
            case .SQLITE_NOTADB:
                "this is not an SQLite file, such as CSV, or its start is damaged: name the store, or restore it"
            default: "check the file and its disk"
            }
        return "\(path): \(error.message ?? "SQLite error") (\(error.extendedResultCode.rawValue)); \(fix)"
    }
}
