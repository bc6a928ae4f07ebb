import Glibc

/// Which regular file a path stands for, however it is spelt and linked; also one that is yet to be created.
enum FileIdentity: Hashable {
    case existing(device: UInt64, number: UInt64)
    case new(folderDevice: UInt64, folderNumber: UInt64, name: String)

    /// - Parameter standardStream: the descriptor that "-" stands for.
    /// - Returns: `nil` for what is no regular file, such as a pipe, and for what cannot be found.
    init?(path: String, standardStream: Int32) {
        var status = stat()
        if path == "-" {
            guard fstat(standardStream, &status) == 0, Self.isRegular(status) else { return nil }
        } else if stat(path, &status) == 0 {
            guard Self.isRegular(status) else { return nil }
        } else {
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
            guard stat(folder, &status) == 0 else { return nil }
            self = .new(folderDevice: UInt64(status.st_dev), folderNumber: UInt64(status.st_ino), name: name)
            return
        }
        self = .existing(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    private static func isRegular(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG
    }
}
