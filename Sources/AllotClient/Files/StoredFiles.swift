import AllotConfiguration
import AllotFiles

/// The files that a client keeps in its store: one record for each, and one that lists them, which is written before a
/// file, and after a file was removed, so that after a crash no file stays without a name.
final class StoredFiles: Sendable {
    /// The most bytes of all files together; the oldest ones are removed first.
    static let sizeLimit = 4 * FileStore.sizeLimit

    private let store: any ConfigurationStore
    /// Whether a configuration was stored or removed since the files that none of them names were removed.
    private let isStale = Lock(false)
    private let changing = Lock(())

    init(_ store: any ConfigurationStore) { self.store = store }
    func noteChangeOfConfigurations() { isStale.withLock { $0 = true } }

    /// The bytes of a file. Returns `nil` if they are not stored, or are damaged, which is an event.
    func bytes(_ file: FileChecksum, _ events: inout [ConfigurationEvent]) -> [UInt8]? {
        do throws(StoreError) {
            guard let bytes = try store.read(.file(file.sha256)) else { return nil }
            if file.fits(bytes) { return bytes }
            throw StoreError(.corrupt, "a stored file is corrupt and is not used: its bytes do not have its SHA-256")
        } catch {
            events.append(.storeFailed(error))
            return nil
        }
    }

    /// Stores a file of at most ``FileStore/sizeLimit`` bytes. Returns the events of failures.
    func keep(_ bytes: [UInt8], _ file: FileChecksum) -> [ConfigurationEvent] {
        change { known throws(StoreError) in
            var remaining = known.filter { $0.sha256 != file.sha256 } + [file]
            while remaining.reduce(0, { $0 + $1.size }) > Self.sizeLimit {
                try store.remove(.file(remaining.removeFirst().sha256))
            }
            try write(remaining)
            try store.write(bytes, .file(file.sha256))
        }
    }

    /// Removes the files that no configuration names any more, if one was stored or removed since the last call.
    /// `names` returns `nil` if the names cannot be said now. Returns the events of failures.
    func removeUnused(_ names: () -> Set<String>?) -> [ConfigurationEvent] {
        let wasStale = isStale.withLock { isStale in
            defer { isStale = false }
            return isStale
        }
        guard wasStale else { return [] }
        return change { known throws(StoreError) in
            guard !known.isEmpty, let names = names() else { return }
            let remaining = known.filter { names.contains($0.sha256) }
            guard remaining.count < known.count else { return }
            for file in known where !names.contains(file.sha256) { try store.remove(.file(file.sha256)) }
            try write(remaining)
        }
    }

    private static let list = StoreRecord(.files, user: nil)
    private static let filesMember = "files"

    private func change(_ body: ([FileChecksum]) throws(StoreError) -> Void) -> [ConfigurationEvent] {
        changing.withLock { _ -> [ConfigurationEvent] in
            var events: [ConfigurationEvent] = []
            guard let known = known(&events) else { return events }
            do throws(StoreError) {
                try body(known)
            } catch { events.append(.storeFailed(error)) }
            return events
        }
    }

    private func known(_ events: inout [ConfigurationEvent]) -> [FileChecksum]? {
        do throws(StoreError) {
            guard let record = try store.read(Self.list) else { return [] }
            let list = try JSONObject(
                record: record, consequence: "the stored list of files is corrupt, and another one is begun")
            return (list[Self.filesMember]?.asArray ?? []).compactMap(FileChecksum.init)
        } catch {
            events.append(.storeFailed(error))
            return error.kind == .corrupt ? [] : nil
        }
    }

    private func write(_ files: [FileChecksum]) throws(StoreError) {
        if files.isEmpty { return try store.remove(Self.list) }
        try store.write(CheckedRecord.encode([Self.filesMember: .array(files.map(\.json))]), Self.list)
    }
}

extension FileChecksum {
    fileprivate var json: JSONValue { ["sha256": sha256.json, "size": size.json] }

    fileprivate init?(_ json: JSONValue) {
        guard let members = json.asObject, let size = members["size"]?.integer, let hash = members.text("sha256"),
            (0...FileStore.sizeLimit).contains(size), SettingFormat.Member.isSHA256(hash)
        else { return nil }
        self.init(size: size, sha256: hash)
    }
}
