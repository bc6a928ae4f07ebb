#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A file that one owner at a time holds, in this process or another; let go of with its owner, however that ends.
final class LockedFile: Sendable {
    let path: String
    let descriptor: Int32

    /// Why a file is not held.
    enum Failure: Error {
        /// Another holds it, or it has just gone.
        case taken
        /// An error number of the system.
        case system(Int32)
    }

    /// Opens a file for reading and appending, and locks it.
    ///
    /// - Parameter isNew: whether to make it; then it is an error if it is there.
    convenience init(_ path: String, isNew: Bool) throws(Failure) {
        try self.init(path, isNew: isNew) { flock($0, $1) }
    }

    /// - Parameter lock: takes the place of `flock`, which not all file systems have.
    init(_ path: String, isNew: Bool, lock: (Int32, Int32) -> Int32) throws(Failure) {
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (isNew ? O_CREAT | O_EXCL : 0)
        descriptor = SystemCall.repeated { open(path, flags, 0o600) }
        self.path = path
        guard descriptor >= 0 else {
            let number = errno
            throw number == ENOENT && !isNew ? .taken : .system(number)
        }
        guard SystemCall.repeated({ lock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            let number = errno
            if number == EWOULDBLOCK { throw .taken }
            // Else one would be left for each attempt.
            if isNew { _ = unlink(path) }
            throw .system(number)
        }
        // Who held it before may have removed it between the two calls.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { throw .taken }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// All bytes; `nil` if the file cannot be read.
    func contents() -> [UInt8]? {
        FileBytes.read(descriptor)
    }

    /// Writes to disk what the system holds in memory. On Apple's platforms the drive may still have it in its cache alone.
    func synchronize() -> Bool {
        SystemCall.repeated { fsync(descriptor) } == 0
    }

    func truncate(to size: Int) -> Bool {
        SystemCall.repeated { ftruncate(descriptor, off_t(size)) } == 0
    }

    /// Makes the names of a folder's files outlive a loss of power, where its file system can.
    static func synchronizeFolder(_ path: String) {
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        _ = SystemCall.repeated { fsync(descriptor) }
        _ = close(descriptor)
    }

    /// Lets another hold the file; nothing may be written to it any more.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Takes the file out of its folder.
    func remove() {
        _ = unlink(path)
    }
}

/// Bytes of open files.
enum FileBytes {
    /// All bytes from a place on; `nil` on failure.
    static func read(_ descriptor: Int32, from start: Int = 0) -> [UInt8]? {
        var bytes: [UInt8] = []
        let capacity = 65_536
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
                count = SystemCall.repeated {
                    pread(descriptor, buffer.baseAddress, capacity, off_t(start + bytes.count))
                }
                initialized = max(count, 0)
            }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += chunk
        }
    }

    /// Writes with one call of the system, but for signals; returns how many bytes were taken, or less than 0.
    static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { SystemCall.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// What the system says of its last error.
    static var lastError: String {
        errorText(errno)
    }

    static func errorText(_ number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
