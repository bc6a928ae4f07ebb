#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A call of the operating system that failed.
struct SystemFailure: Error {
    /// What the system says: `ENOSPC`.
    let code: Int32
    /// What was asked of it.
    let path: String

    /// The last call's failure.
    init(_ path: String, code: Int32 = errno) {
        self.code = code
        self.path = path
    }

    var isAbsence: Bool { code == ENOENT }

    /// The system's own text, and what to do.
    var explanation: String {
        let fix =
            switch code {
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
        return "\(String(cString: strerror(code))); \(fix)"
    }
}

/// Files of one folder, each replaced whole or not at all.
struct StoreFolder: Sendable {
    /// Where it is; absolute.
    let path: String

    /// The path of a file in it.
    func path(of name: String) -> String {
        "\(path)/\(name)"
    }

    /// The bytes of a file, `nil` if they are more than `limit`.
    func read(_ name: String, limit: Int) throws(SystemFailure) -> [UInt8]? {
        let path = path(of: name)
        // A pipe with this name must not make the caller wait.
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        guard try file.isRegular() else { throw SystemFailure(path, code: EISDIR) }
        return try file.read(limit: limit)
    }

    /// Replaces a file, and makes the folder if there is none. When this returns, the file outlives a loss of power;
    /// on Apple's platforms, once the drive has written what its cache holds.
    func write(_ bytes: [UInt8], to name: String) throws(SystemFailure) {
        try create()
        let target = path(of: name)
        let temporary = try makeTemporary()
        do throws(SystemFailure) {
            try temporary.write(bytes)
            try temporary.synchronize()
            guard rename(temporary.path, target) == 0 else { throw SystemFailure(target) }
        } catch {
            unlink(temporary.path)
            throw error
        }
        try Self.synchronize(path)
    }

    /// Removes a file.
    func remove(_ name: String) throws(SystemFailure) {
        let target = path(of: name)
        guard unlink(target) == 0 else { throw SystemFailure(target) }
        try Self.synchronize(path)
    }

    /// Removes what processes left behind that were killed while they wrote.
    ///
    /// Whoever writes a temporary file holds its lock, which the system takes back when a process ends.
    func removeLeftovers() {
        for name in names() where StoreFileName.isTemporary(name) {
            guard let file = try? OpenFile(path(of: name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW), file.lock() else {
                continue
            }
            // Names are never used again, so this is the file that was locked, or it has its own name by now.
            unlink(file.path)
        }
    }

    private func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    /// A new empty file that no other process takes for a leftover.
    private func makeTemporary() throws(SystemFailure) -> OpenFile {
        for _ in 0..<Self.attempts {
            let file = try OpenFile(
                path(of: StoreFileName.temporary()), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            // Before it was locked another process may have taken it for a leftover.
            if file.lock(orUnsupported: true), try file.isLinked() { return file }
            unlink(file.path)
        }
        throw SystemFailure(path, code: EBUSY)
    }

    private static let attempts = 100

    /// Makes the folder and those above it, for this user alone.
    private func create() throws(SystemFailure) {
        guard mkdir(path, 0o700) != 0 else { return try Self.synchronize(Self.parent(of: path)) }
        let code = errno
        if code == ENOENT, Self.parent(of: path) != path {
            try StoreFolder(path: Self.parent(of: path)).create()
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure(path) }
            try Self.synchronize(Self.parent(of: path))
        } else if code != EEXIST {
            throw SystemFailure(path, code: code)
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Makes the names in a folder outlive a loss of power, where its file system can.
    private static func synchronize(_ path: String) throws(SystemFailure) {
        do throws(SystemFailure) {
            try OpenFile(path, O_RDONLY | O_DIRECTORY).synchronize()
        } catch {
            // A folder above may be one that the app can enter but not list.
            guard [EINVAL, ENOTSUP, EACCES, EPERM].contains(error.code) else { throw error }
        }
    }
}

/// An open file; closed with its owner.
private final class OpenFile {
    let path: String
    private let descriptor: Int32

    init(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemFailure) {
        self.path = path
        descriptor = SystemCall.repeated { open(path, flags | O_CLOEXEC, mode) }
        guard descriptor >= 0 else { throw SystemFailure(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private func status() throws(SystemFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFailure(path) }
        return status
    }

    func isRegular() throws(SystemFailure) -> Bool {
        try status().st_mode & S_IFMT == S_IFREG
    }

    /// Whether it still has a name.
    func isLinked() throws(SystemFailure) -> Bool {
        try status().st_nlink > 0
    }

    /// Takes the file's lock, if no one holds it.
    ///
    /// - Parameter orUnsupported: what counts where the file system has no locks.
    func lock(orUnsupported: Bool = false) -> Bool {
        SystemCall.repeated { flock(descriptor, LOCK_EX | LOCK_NB) } == 0 || errno != EWOULDBLOCK && orUnsupported
    }

    func read(limit: Int) throws(SystemFailure) -> [UInt8]? {
        let expected = Int(try status().st_size)
        guard expected <= limit else { return nil }
        var bytes: [UInt8] = []
        // One more than the file has, so that its end shows in the first round.
        var room = expected + 1
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                count = SystemCall.read(descriptor, buffer.baseAddress, buffer.count)
                initialized = max(count, 0)
            }
            guard count >= 0 else { throw SystemFailure(path) }
            guard count > 0 else { return bytes }
            bytes += chunk
            guard bytes.count <= limit else { return nil }
            room = max(expected + 1 - bytes.count, 4096)
        }
    }

    func write(_ bytes: [UInt8]) throws(SystemFailure) {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[start...])
                return SystemCall.write(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 else { throw SystemFailure(path, code: count < 0 ? errno : ENOSPC) }
            start += count
        }
    }

    func synchronize() throws(SystemFailure) {
        guard SystemCall.repeated({ fsync(descriptor) }) == 0 else { throw SystemFailure(path) }
    }
}
