import AllotFiles
public import Foundation

/// A store in a folder: one file for each record, which is replaced as a whole or not at all.
///
/// Processes may share a folder. The folder is created when something is first written, for the current user only (mode
/// 0700). Temporary files of processes that were killed while they wrote are removed when something is first written;
/// other files in the folder are not touched.
public final class FileStore: ConfigurationStore {
    /// The maximal size of a record, 64 MiB.
    static let sizeLimit = 64 << 20

    package let folder: URL
    private let files: DurableFolder?
    private let isTidy = Lock(false)

    /// A store in a folder of its own, which need not exist, and is not read or written yet. With another URL than that
    /// of a file, all operations of the store fail.
    public init(folder: URL) {
        self.folder = folder
        var path = folder.absoluteURL.path(percentEncoded: false)
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        // The system would cut a path with a zero byte there.
        files = folder.isFileURL && path.hasPrefix("/") && !path.utf8.contains(0) ? DurableFolder(path: path) : nil
    }

    /// A store where the platform keeps an app's data: on Apple's platforms in Application Support (on tvOS, where only
    /// Caches can be written, in Caches), elsewhere in `XDG_DATA_HOME` or `~/.local/share`; there in
    /// `NAME/configuration`, where "/", and "." at the start of the name, are escaped as in URLs.
    public convenience init(app: String) {
        #if os(tvOS)
            let place = FileManager.SearchPathDirectory.cachesDirectory
        #else
            let place = FileManager.SearchPathDirectory.applicationSupportDirectory
        #endif
        let base = FileManager.default.urls(for: place, in: .userDomainMask).first ?? URL(filePath: NSHomeDirectory())
        self.init(
            folder: base.appending(component: Self.folderName(app), directoryHint: .isDirectory)
                .appending(component: "configuration", directoryHint: .isDirectory))
    }

    static func folderName(_ app: String) -> String {
        var name = app.unicodeScalars.map { scalar in
            "/%\0".unicodeScalars.contains(scalar) ? "%\(UInt8(scalar.value).hexadecimal)" : "\(scalar)"
        }.joined()
        if name.unicodeScalars.first == "." { name = "%2e" + String(name.unicodeScalars.dropFirst()) }
        return name.isEmpty ? "%" : name
    }

    /// The folder `exposures` in the folder of the store.
    public var exposureFolder: URL? { files == nil ? nil : folder.appendingPathComponent("exposures") }

    /// The bytes of a record; `nil` if it does not exist. Complexity: O(*n*) in its size.
    ///
    /// - Throws: ``StoreError`` of the kind ``StoreError/Kind/unreadable``, also for more than 64 MiB.
    public func read(_ record: StoreRecord) throws(StoreError) -> [UInt8]? {
        let files = try files(or: .unreadable)
        do throws(SystemError) {
            if let bytes = try files.read(StoreFileName.name(record), limit: Self.sizeLimit) { return bytes }
        } catch {
            if error.isAbsence { return nil }
            throw StoreError(.unreadable, files, record, "cannot be read", error)
        }
        throw StoreError(.unreadable, files, record, "has more than \(Self.sizeLimit) bytes; remove it")
    }

    /// Replaces a record. When this returns, it survives the end of the app and a loss of power. Complexity: O(*n*) in
    /// its size.
    ///
    /// - Throws: ``StoreError`` of the kind ``StoreError/Kind/unwritable``; the record is then as before, or, if only
    ///   the folder could not be stored on disk, the new one.
    public func write(_ bytes: [UInt8], _ record: StoreRecord) throws(StoreError) {
        let files = try files(or: .unwritable)
        guard bytes.count <= Self.sizeLimit else {
            throw StoreError(
                .unwritable, files, record,
                "cannot be written: \(bytes.count) bytes are more than the limit of \(Self.sizeLimit); store less")
        }
        let isFirst = isTidy.withLock { isTidy in
            defer { isTidy = true }
            return !isTidy
        }
        if isFirst { files.removeLeftovers() }
        do throws(SystemError) {
            try files.write(bytes, to: StoreFileName.name(record))
        } catch { throw StoreError(.unwritable, files, record, "cannot be written", error) }
    }

    /// Removes a record, if it exists.
    public func remove(_ record: StoreRecord) throws(StoreError) {
        let files = try files(or: .unwritable)
        do throws(SystemError) {
            try files.remove(StoreFileName.name(record))
        } catch {
            if error.isAbsence { return }
            throw StoreError(.unwritable, files, record, "cannot be removed", error)
        }
    }

    private func files(or kind: StoreError.Kind) throws(StoreError) -> DurableFolder {
        guard let files else {
            throw StoreError(kind, "\(folder.absoluteString) is not the path of a folder; use URL(filePath:)")
        }
        return files
    }
}

extension StoreError {
    /// An error that names the folder and the kind of the record: the path of its file contains the user's ID.
    fileprivate init(_ kind: Kind, _ files: DurableFolder, _ record: StoreRecord, _ problem: String) {
        self.init(kind, "\(files.path): the record \(record.kind.rawValue) \(problem)")
    }

    fileprivate init(
        _ kind: Kind, _ files: DurableFolder, _ record: StoreRecord, _ problem: String, _ error: SystemError
    ) {
        let fix =
            switch error.number {
            case ENOSPC, EDQUOT: "free some space"
            case EFBIG: "free some space, or raise the limit of a file's size"
            case EACCES, EPERM, EROFS: "let the app use it, or choose another folder"
            case ENOTDIR: "a part of the path is a file; remove it, or choose another folder"
            case EISDIR: "a folder is where a file should be; remove it"
            case EMFILE, ENFILE: "too many files are open; close some"
            case EIO: "check the disk"
            case ENAMETOOLONG: "choose a folder with a shorter path"
            default: "choose another folder"
            }
        self.init(kind, files, record, "\(problem): \(error); \(fix)")
    }
}
