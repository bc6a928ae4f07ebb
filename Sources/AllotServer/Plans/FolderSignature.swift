import Glibc

/// Identifies one state of a definitions folder without reading the files: by their names, i-nodes, sizes and times. If
/// the folder is a link, pointing it elsewhere is another state too. `Sendable`.
struct FolderSignature: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let name: String
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let modified: Int64
        let changed: Int64
    }

    private let folder: Entry?
    private let entries: [Entry]

    /// Takes the state of a folder. A folder that cannot be listed has no entries.
    init(_ path: String) {
        folder = Self.entry("", path)
        var entries: [Entry] = []
        if let directory = opendir(path) {
            defer { closedir(directory) }
            while let item = readdir(directory) {
                let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != "..", let entry = Self.entry(name, path + "/" + name) { entries.append(entry) }
            }
        }
        self.entries = entries.sorted { $0.name < $1.name }
    }

    private static func entry(_ name: String, _ path: String) -> Entry? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Entry(
            name: name, device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: nanoseconds(status.st_mtim), changed: nanoseconds(status.st_ctim))
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
