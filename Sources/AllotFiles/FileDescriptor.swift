/// An open file, which is closed when this value is destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number of the descriptor, for calls of the system that have no method here.
    package let number: Int32
    /// The path that was opened, for errors; empty for a descriptor that was not opened by path.
    package let path: String
    private let isOwned: Bool

    /// Takes ownership of an open descriptor, or borrows it. A negative number stands for no file.
    package init(_ number: Int32, path: String = "", isOwned: Bool = true) {
        (self.number, self.path, self.isOwned) = (number, path, isOwned)
    }

    /// Opens `path`; a child process does not inherit the descriptor.
    package init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) {
        let number = SystemCall.retrying { Int(open(path, flags | O_CLOEXEC, mode)) }
        guard number >= 0 else { throw SystemError(Int32(-number), path: path) }
        self.init(Int32(number), path: path)
    }

    /// Opens a regular file, and refuses anything else. Never waits, as opening a pipe could.
    package init(openingFile path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) {
        let file = try FileDescriptor(opening: path, flags | O_NONBLOCK, mode: mode)
        guard try file.status().kind == S_IFREG else { throw SystemError(EISDIR, path: path) }
        self = file
    }

    deinit { if isOwned, number >= 0 { _ = close(number) } }

    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw failure() }
        return status
    }

    /// Reads what is there, at most as many bytes as fit into `buffer`, and waits if nothing is there yet.
    /// Returns the number of bytes, which is 0 at the end of the file.
    package func readSome(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = SystemCall.retrying { read(number, buffer.baseAddress, buffer.count) }
            if count >= 0 { return count }
            try waitAfter(-count, for: POLLIN)
        }
    }

    /// Reads into `buffer[start...]`, as ``readSome(into:)`` does.
    package func readSome(into buffer: inout [UInt8], at start: Int = 0) throws(SystemError) -> Int {
        try buffer.withUnsafeMutableBufferPointer { (bytes) throws(SystemError) in
            try readSome(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[start...])))
        }
    }

    /// The next bytes of the file, at most `limit`.
    package func head(_ limit: Int) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = try readSome(into: &buffer)
        return Array(buffer[..<count])
    }

    /// Reads from the current position to the end of the file, of which `status` is the system's report if it was just
    /// opened. Returns `nil` after at most one buffer more than `limit` bytes.
    package func readToEnd(limit: Int = .max, status known: stat? = nil) throws(SystemError) -> [UInt8]? {
        let status = if let known { known } else { try status() }
        let start = known == nil ? lseek(number, 0, SEEK_CUR) : 0
        let expectedSize = status.kind == S_IFREG ? Int(clamping: max(0, status.st_size - start)) : 0
        guard expectedSize <= limit else { return nil }
        // One byte more than a file of known size, so that the same round finds its end.
        var buffer = [UInt8](repeating: 0, count: min(max(expectedSize + 1, 4096), 1 << 16))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expectedSize)
        while true {
            let count = try readSome(into: &buffer)
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes += buffer[..<count]
            // Less than was asked for, and exactly what was expected.
            if expectedSize > 0, bytes.count == expectedSize, count < buffer.count { return bytes }
        }
    }

    package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return SystemCall.retrying { write(number, rest.baseAddress, rest.count) }
            }
            // Some file systems write nothing instead of reporting that they are full.
            guard count != 0 else { throw SystemError(ENOSPC, path: path) }
            if count > 0 { written += count } else { try waitAfter(-count, for: POLLOUT) }
        }
    }

    /// Waits until a non-blocking descriptor is ready; throws any other error.
    private func waitAfter(_ error: Int, for event: Int32) throws(SystemError) {
        guard error == Int(EAGAIN) else { throw SystemError(Int32(error), path: path) }
        var waiting = [pollfd(fd: number, events: Int16(event), revents: 0)]
        SystemCall.wait(&waiting)
    }

    /// Stores what was written on disk. On Apple's platforms the drive may still hold it in its own cache.
    package func synchronize() throws(SystemError) {
        guard SystemCall.retrying({ Int(fsync(number)) }) == 0 else { throw failure() }
    }

    /// Takes the mode of another file or folder, and its owner and group if that is permitted.
    package func resemble(_ other: stat) throws(SystemError) {
        // Only root can give files away; for others this one is their own.
        _ = fchown(number, other.st_uid, other.st_gid)
        guard fchmod(number, other.st_mode & 0o7777) == 0 else { throw failure() }
    }

    package func truncate(to size: Int) throws(SystemError) {
        guard SystemCall.retrying({ Int(ftruncate(number, off_t(size))) }) == 0 else { throw failure() }
    }

    /// Takes the file's exclusive lock without waiting. Returns `false` if another descriptor holds it.
    package func lock() throws(SystemError) -> Bool {
        let result = SystemCall.retrying { Int(flock(number, LOCK_EX | LOCK_NB)) }
        guard result != -Int(EWOULDBLOCK) else { return false }
        guard result == 0 else { throw SystemError(Int32(-result), path: path) }
        return true
    }

    /// Gives up the file's lock. Closing alone would leave it to a child process that is just being started, which has
    /// a copy of each descriptor until it executes its program.
    package func unlock() { _ = flock(number, LOCK_UN) }

    /// Reports errors that some file systems, such as NFS, only find when a file is closed, by closing a duplicate.
    package func flushByClosing() throws(SystemError) {
        let duplicate = fcntl(number, F_DUPFD_CLOEXEC, 0)
        // Linux frees the descriptor even if it reports EINTR, which therefore is not a failure.
        guard duplicate >= 0, close(duplicate) == 0 || errno == EINTR else { throw failure() }
    }

    private func failure() -> SystemError { SystemError(errno, path: path) }
}

package struct SystemError: Error, Hashable, CustomStringConvertible {
    package let number: Int32
    /// The path that the call concerned; empty for an open file without one.
    package let path: String

    package init(_ number: Int32 = errno, path: String = "") { (self.number, self.path) = (number, path) }
    package var isAbsence: Bool { number == ENOENT }
    package var description: String { String(cString: strerror(number)) }
}

package enum SystemCall {
    /// Repeats a call that signals interrupt. Returns its result, or the negative of the system's error number.
    package static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { return -Int(number) }
        }
    }

    /// Waits until one of the descriptors can be read or written, as its `events` say.
    package static func wait(_ descriptors: inout [pollfd]) {
        _ = retrying { Int(poll(&descriptors, nfds_t(descriptors.count), -1)) }
    }
}

/// The absolute path without symbolic links of something that exists. Returns `nil` if it does not.
package func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

extension stat {
    /// The system's report about what a path names, without following a symbolic link. Returns `nil` if there is none.
    package init?(ofLink path: String) {
        self.init()
        guard lstat(path, &self) == 0 else { return nil }
    }

    /// The bits of the mode that tell files from folders: `S_IFREG`, `S_IFDIR`, ….
    package var kind: mode_t { st_mode & S_IFMT }
}

/// The regular file that a path leads to, however it is spelt or linked, or the place of one that does not exist.
package enum FileIdentity: Hashable, Sendable {
    /// A file that exists.
    case existing(device: UInt64, number: UInt64)
    /// A name that is free in an existing folder.
    case new(folderDevice: UInt64, folderNumber: UInt64, name: String)

    /// Looks up a path. Returns `nil` if it leads to a pipe or another special file, or if its folder cannot be found.
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

    /// Whether a path leads to a descriptor, a pipe or a terminal, where others may read what is written.
    package static func isStream(_ path: String) -> Bool {
        if path == "-" || ["/dev/std", "/dev/fd/", "/proc/"].contains(where: path.hasPrefix) { return true }
        var status = stat()
        return stat(path, &status) == 0 && status.kind != S_IFREG && status.kind != S_IFDIR
    }

    /// Throws if writing to an output, which an option named, would overwrite another file that is in use.
    package static func check(
        output path: String, option: String, isNot other: FileIdentity?, _ name: String = "the input itself"
    ) throws(FileError) {
        guard let other, other == FileIdentity(output: path) else { return }
        throw .shared(path == "-" ? "standard output" : path, with: name, option: option)
    }

    private init?(_ status: stat) {
        guard status.kind == S_IFREG else { return nil }
        self = .existing(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }
}
