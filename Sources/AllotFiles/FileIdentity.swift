#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The regular file that a path leads to, however it is spelt or linked, or the place of a file that does not exist
/// yet.
package enum FileIdentity: Hashable, Sendable {
    /// A file that exists.
    case existing(device: UInt64, number: UInt64)
    /// A name that is free in an existing folder.
    case new(folderDevice: UInt64, folderNumber: UInt64, name: String)

    /// Looks up a path. Returns `nil` if it leads to something other than a regular file, such as a pipe, or if its
    /// folder cannot be found.
    package init?(path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            self.init(status)
        } else {
            let place = OutputFile.split(path)
            guard stat(place.folder, &status) == 0 else { return nil }
            self = .new(
                folderDevice: UInt64(truncatingIfNeeded: status.st_dev), folderNumber: UInt64(status.st_ino),
                name: place.name)
        }
    }

    /// Looks up an input, where "-" is standard input.
    package init?(input path: String) {
        if path == "-" { self.init(descriptor: STDIN_FILENO) } else { self.init(path: path) }
    }

    /// Looks up an output, where "-" is standard output.
    package init?(output path: String) {
        if path == "-" { self.init(descriptor: STDOUT_FILENO) } else { self.init(path: path) }
    }

    /// Looks up an open file. Returns `nil` if it is not a regular file.
    package init?(descriptor number: Int32) {
        var status = stat()
        guard fstat(number, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.kind == S_IFREG else { return nil }
        self = .existing(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }
}
