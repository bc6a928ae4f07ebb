import AllotConfiguration
import AllotCore
import AllotFiles

/// Identifies one state of a definitions folder without the content of its files: by their names, i-nodes, sizes and
/// times. `Sendable`. A link, to the folder or to a file, that is pointed elsewhere makes another state. Files that are
/// not read do not count, so that an editor or a database may write them at any time.
package struct FolderSignature: Hashable, Sendable {
    struct File: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64
        private let size: Int64
        private let modified: Int
        private let modifiedNanoseconds: Int
        private let changed: Int
        private let changedNanoseconds: Int

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(status.st_ino)
            size = Int64(status.st_size)
            modified = status.modified.tv_sec
            modifiedNanoseconds = status.modified.tv_nsec
            changed = status.changed.tv_sec
            changedNanoseconds = status.changed.tv_nsec
        }

        /// Whether any change after an instant gives the file another state. One right after the last change might not:
        /// file systems count time in steps of up to two seconds.
        func isSettled(at instant: Instant) -> Bool { Int64(max(modified, changed)) < instant.seconds - 2 }
    }

    static let unlisted = FolderSignature()
    private let device: UInt64
    private let number: UInt64
    /// The state of each file that is read, by name; `nil` for a link to nothing.
    private var files: [UTF8Key: File?] = [:]

    private init() { (device, number) = (0, 0) }

    init(emptying folder: OpenFolder) throws(SystemError) {
        let status = try folder.status()
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }

    init(_ folder: OpenFolder, on workers: Workers = .none) throws(SystemError) {
        try self.init(emptying: folder)
        let names = try folder.names().filter(DefinitionsFolder.reads)
        let states = workers.map(names.count, chunk: LoadCache.chunk) { index in
            (try? folder.status(of: names[index])).map(File.init)
        }
        for (name, state) in zip(names, states) { note(state, of: name) }
    }

    package init(path: String) {
        do throws(SystemError) { try self.init(OpenFolder(path: path)) } catch { self = .unlisted }
    }

    func state(of name: String) -> File? { files[UTF8Key(name)] ?? nil }
    mutating func note(_ file: File?, of name: String) { files[UTF8Key(name)] = .some(file) }
}
