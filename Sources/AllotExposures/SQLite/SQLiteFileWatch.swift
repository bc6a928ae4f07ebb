import AllotFiles

/// Notices that the files of a store are no longer those that were opened: SQLite goes on writing into files that have
/// no name any more.
struct SQLiteFileWatch {
    private let files: [(path: String, identity: FileIdentity?)]
    /// The reason why nothing is stored any more.
    private var failure: String?

    /// Watches the files of an open store after a first write.
    init(_ path: String) { files = Self.paths(of: path).map { ($0, FileIdentity(path: $0)) } }

    static func paths(of path: String) -> [String] { ["", "-wal", "-shm"].map { path + $0 } }

    /// - Throws: ``ExposureStoreError/storage(_:)`` if a file is not the one that was opened, and ever after.
    mutating func check() throws(ExposureStoreError) {
        if failure == nil, let file = files.first(where: { FileIdentity(path: $0.path) != $0.identity }) {
            failure = """
                \(file.path) was removed, renamed or replaced while it was in use, and nothing is stored any more; put \
                all files of the store back, or move them away, and start the server again
                """
        }
        if let failure { throw .storage(failure) }
    }
}
