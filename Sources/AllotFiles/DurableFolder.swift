/// A folder, which processes may share, of files that survive a loss of power. They are replaced as a whole: contents
/// are on disk before they get a name.
package struct DurableFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Reads a file. Returns `nil` if it has more than `limit` bytes.
    package func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8]? {
        try FileDescriptor(openingFile: path(of: name), O_RDONLY).readToEnd(limit: limit)
    }

    /// Replaces a file, and creates the folder if necessary, both for the current user only. If this throws, the file
    /// is as before, or, if only the folder could not be stored on disk, the new one.
    package func write(_ bytes: [UInt8], to name: String) throws(SystemError) {
        try create()
        var file = try StagedFile(
            for: OutputFile(folder: path, name: name), rules: OutputRules(isPrivate: true, isDurable: true))
        try file.descriptor.writeAll(bytes)
        try file.publish()
    }

    package func remove(_ name: String) throws(SystemError) {
        let target = path(of: name)
        guard unlink(target) == 0 else { throw SystemError(errno, path: target) }
        try Self.synchronize(path)
    }

    /// The names of the files in it, in no particular order; empty if the folder cannot be listed.
    package func names() -> [String] { (try? OpenFolder(path: path).names()) ?? [] }

    /// Creates the folder and its parents if necessary, by default for the current user only.
    package func create(mode: mode_t = 0o700) throws(SystemError) {
        guard mkdir(path, mode) != 0 else { return try Self.synchronize(parent.path) }
        let number = errno
        if number == ENOENT, parent.path != path {
            try parent.create(mode: mode)
            guard mkdir(path, mode) == 0 || errno == EEXIST else { throw SystemError(errno, path: path) }
            try Self.synchronize(parent.path)
        } else if number != EEXIST {
            throw SystemError(number, path: path)
        }
    }

    private var parent: DurableFolder { DurableFolder(path: OutputFile.split(path).folder) }

    /// Makes the names in a folder survive a loss of power, if its file system supports that.
    package static func synchronize(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).synchronize()
        } catch {
            // A parent folder may be one that the app can enter but not list.
            guard [EINVAL, ENOTSUP, EACCES, EPERM].contains(error.number) else { throw error }
        }
    }

    /// Removes temporary files of processes that were killed while they wrote, which had them locked until then.
    package func removeLeftovers() {
        for name in names() where Self.isTemporary(name) {
            guard let file = try? FileDescriptor(opening: path(of: name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
                (try? file.lock()) == true
            else { continue }
            // Names are never reused, so this is the file that was locked, or it has its final name by now.
            unlink(file.path)
        }
    }

    package static func temporaryName() -> String {
        // Sixteen digits: the first is not 0.
        ".\(String(UInt64.random(in: 1 << 60 ... .max), radix: 16))\(temporarySuffix)"
    }

    /// Whether ``temporaryName()`` makes names like this one.
    package static func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(temporarySuffix) else { return false }
        let digits = name.utf8.dropFirst().dropLast(temporarySuffix.utf8.count)
        return digits.count == 16 && digits.allSatisfy("0123456789abcdef".utf8.contains)
    }

    private static let temporarySuffix = ".temporary"
}
