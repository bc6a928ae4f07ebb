import AllotFiles
import Foundation

/// Appends bytes to a descriptor with one call of the system. Returns how many were written, or the negative of the
/// system's error number.
typealias JournalWrite = @Sendable (Int32, [UInt8]) -> Int
/// Takes the exclusive lock of a file without waiting. Returns `false` if another descriptor holds it.
typealias JournalLock = @Sendable (borrowing FileDescriptor) throws(SystemError) -> Bool

/// A file that has one owner at a time, in this process or another. The lock is released when the owner is deallocated,
/// or its process ends in whatever way.
final class LockedFile: Sendable {
    /// The path of the file.
    let path: String
    let descriptor: FileDescriptor

    /// Opens a file for reading and appending, and locks it.
    ///
    /// - Parameters:
    ///   - isNew: whether to create it, which fails if it exists.
    ///   - lock: replaces `flock`, which not all file systems support.
    /// - Returns: `nil` if another owner holds it, or has just removed it.
    init?(_ path: String, isNew: Bool, lock: JournalLock = LockedFile.lock) throws(SystemError) {
        self.path = path
        do throws(SystemError) {
            descriptor = try FileDescriptor(
                openingFile: path, O_RDWR | O_APPEND | O_NOFOLLOW | (isNew ? O_CREAT | O_EXCL : 0), mode: 0o600)
        } catch {
            if error.isAbsence, !isNew { return nil }
            throw error
        }
        do throws(SystemError) {
            // A former owner may have removed it between the two calls.
            guard try lock(descriptor), try descriptor.status().st_nlink > 0 else { return nil }
        } catch {
            // Otherwise each attempt would leave a file.
            if isNew { _ = unlink(path) }
            throw error
        }
    }

    /// The lock of the file system.
    static let lock: JournalLock = { file throws(SystemError) in try file.lock() }

    /// Appends bytes, as ``JournalWrite``.
    static let append: JournalWrite = { descriptor, bytes in
        bytes.withUnsafeBytes { buffer in
            SystemCall.retrying { write(descriptor, buffer.baseAddress, buffer.count) }
        }
    }

    /// Cuts the file. Returns whether that succeeded.
    func truncate(to size: Int) -> Bool {
        (try? descriptor.truncate(to: size)) != nil
    }

    /// Lets another owner have the file; nothing may be written to it any more.
    func unlock() {
        descriptor.unlock()
    }

    /// Removes the file from its folder.
    func remove() {
        _ = unlink(path)
    }
}
