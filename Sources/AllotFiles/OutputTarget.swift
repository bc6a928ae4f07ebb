#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// What an output path leads to.
enum OutputTarget {
    /// A descriptor that the process was started with: standard output, `/dev/stdout`, `/dev/fd/3`.
    case descriptor(Int32)
    /// Something other than a file, such as `/dev/null` or a FIFO, which is opened and written directly.
    case device
    /// A file to create or replace.
    case file(OutputFile)

    /// Looks up a path, following symbolic links.
    init(path: String) throws(SystemError) {
        if let number = Self.inheritedDescriptor(path) {
            self = .descriptor(number)
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw SystemError(errno) }
            self = .file(try OutputFile(resolving: path, replaced: nil))
            return
        }
        switch status.kind {
        case S_IFREG: self = .file(try OutputFile(resolving: path, replaced: status))
        case S_IFDIR: throw SystemError(EISDIR)
        default: self = .device
        }
    }

    /// The descriptor that the path gives by number.
    private static func inheritedDescriptor(_ path: String) -> Int32? {
        switch path {
        case "-", "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default: break
        }
        for prefix in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(prefix) {
            return Int32(path.dropFirst(prefix.count))
        }
        return nil
    }
}

/// The file to create or replace.
struct OutputFile {
    /// The folder that it is in.
    let folder: String
    /// Its name in the folder.
    let name: String
    /// The status of the file that it replaces; `nil` if that does not exist.
    let replaced: stat?

    /// Names a file that is replaced without regard to what it was.
    init(folder: String, name: String) {
        self.folder = folder
        self.name = name
        replaced = nil
    }

    /// Follows the symbolic links at the end of the path, even to a file that does not exist yet.
    init(resolving path: String, replaced: stat?) throws(SystemError) {
        var path = path
        var linkCount = 0
        while let target = Self.linkTarget(of: path) {
            linkCount += 1
            guard linkCount <= 40 else { throw SystemError(ELOOP) }
            path = target.hasPrefix("/") ? target : Self.join(Self.split(path).folder, target)
        }
        (folder, name) = Self.split(path)
        self.replaced = replaced
        // "out/" is a folder, whether it exists or not.
        guard !name.isEmpty else { throw SystemError(EISDIR) }
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// The folder and the name that a path consists of.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// The target of a symbolic link. Returns `nil` if the path is not a symbolic link.
    private static func linkTarget(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { target in
                target.baseAddress.map { readlink(path, $0, target.count) } ?? -1
            }
        }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
