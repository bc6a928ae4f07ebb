public import Foundation
import Synchronization

/// A store in a folder: one file for each record, replaced whole or not at all.
///
/// Processes may share a folder. The folder is made when something is first written, for this user alone (mode 0700).
/// What processes left behind that were killed while they wrote is removed when something is first written; other
/// files in the folder are not touched.
public final class FileStore: ConfigurationStore {
    /// The most bytes of a record that are read, 64 MiB.
    public static let sizeLimit = 64 << 20

    /// Where the files are.
    public let folder: URL
    private let files: StoreFolder?
    private let isTidy = Atomic(false)

    /// A store in a folder of its own, which need not exist. Nothing is read or written yet.
    ///
    /// - Parameter folder: a file URL; with any other, all that is asked of the store fails.
    public init(folder: URL) {
        self.folder = folder
        var path = folder.absoluteURL.path(percentEncoded: false)
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        // A path with a zero byte would be cut there by the system.
        files = folder.isFileURL && path.hasPrefix("/") && !path.utf8.contains(0) ? StoreFolder(path: path) : nil
    }

    /// The bytes of a record; `nil` when there is none. Complexity: O(*n*) in its bytes.
    ///
    /// - Throws: ``StoreError`` of the kind ``StoreError/Kind/unreadable``, also for more than ``sizeLimit`` bytes.
    public func read(_ record: StoreRecord) throws(StoreError) -> [UInt8]? {
        let name = StoreFileName.name(record)
        let files = try files(or: .unreadable)
        do throws(SystemFailure) {
            if let bytes = try files.read(name, limit: Self.sizeLimit) { return bytes }
        } catch {
            if error.isAbsence { return nil }
            throw StoreError(.unreadable, "\(error.path) cannot be read: \(error.explanation)")
        }
        throw StoreError(
            .unreadable, "\(files.path(of: name)) has more than \(Self.sizeLimit) bytes; remove it")
    }

    /// Replaces a record; when this returns, it outlives the app and a loss of power. Complexity: O(*n*) in its bytes.
    ///
    /// - Throws: ``StoreError`` of the kind ``StoreError/Kind/unwritable``; the record is then as before, or, if only the
    ///   folder could not be brought to the disk, the new one.
    public func write(_ bytes: [UInt8], _ record: StoreRecord) throws(StoreError) {
        let files = try files(or: .unwritable)
        guard bytes.count <= Self.sizeLimit else {
            throw StoreError(
                .unwritable,
                "\(files.path(of: StoreFileName.name(record))) cannot be written: \(bytes.count) bytes are more than "
                    + "the \(Self.sizeLimit) that are read; store less")
        }
        if !isTidy.exchange(true, ordering: .relaxed) { files.removeLeftovers() }
        do throws(SystemFailure) {
            try files.write(bytes, to: StoreFileName.name(record))
        } catch {
            throw StoreError(.unwritable, "\(error.path) cannot be written: \(error.explanation)")
        }
    }

    /// Removes a record; without effect when there is none.
    ///
    /// - Throws: ``StoreError`` of the kind ``StoreError/Kind/unwritable``.
    public func remove(_ record: StoreRecord) throws(StoreError) {
        let files = try files(or: .unwritable)
        do throws(SystemFailure) {
            try files.remove(StoreFileName.name(record))
        } catch {
            if error.isAbsence { return }
            throw StoreError(.unwritable, "\(error.path) cannot be removed: \(error.explanation)")
        }
    }

    private func files(or kind: StoreError.Kind) throws(StoreError) -> StoreFolder {
        guard let files else {
            throw StoreError(kind, "\(folder.absoluteString) is no path of a folder; use URL(filePath:)")
        }
        return files
    }
}

extension FileStore {
    /// A store where the platform keeps an app's data: on Apple's platforms in Application Support (on tvOS, which has
    /// none that lasts, in Caches), elsewhere in `XDG_DATA_HOME` or `~/.local/share`; there in `NAME/configuration`.
    ///
    /// - Parameter app: the app's name or bundle identifier; "/", and "." at its start, are escaped as in URLs.
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

    /// A name of one folder for any text.
    static func folderName(_ app: String) -> String {
        var name = ""
        for scalar in app.unicodeScalars {
            switch scalar {
            case "/", "%", "\0": name += StoreFileName.escaped(String(scalar))
            case "." where name.isEmpty: name += StoreFileName.escaped(".")
            default: name.unicodeScalars.append(scalar)
            }
        }
        return name.isEmpty ? "%" : name
    }
}
