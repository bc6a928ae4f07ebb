import Glibc

/// An open file that is closed with its owner.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32
    private let isOwned: Bool

    /// Takes charge of an open descriptor, or only borrows it.
    init(_ number: Int32, isOwned: Bool = true) {
        self.number = number
        self.isOwned = isOwned
    }

    deinit {
        if isOwned, number >= 0 { _ = close(number) }
    }

    /// Reports what some file systems, such as NFS, only find out when a file is closed: closes a duplicate.
    func flushByClosing() throws(SystemError) {
        let duplicate = fcntl(number, F_DUPFD_CLOEXEC, 0)
        // Linux frees the descriptor even when it reports EINTR, which therefore is no failure.
        guard duplicate >= 0, close(duplicate) == 0 || errno == EINTR else { throw SystemError(errno) }
    }

    /// What the system knows about the file, `nil` when it says nothing.
    var status: stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }
}

/// An error number of the system.
struct SystemError: Error {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }
}

/// System calls that go on after a signal.
enum SystemCall {
    /// Repeats a call that a signal interrupted; returns its result, or the negative of the system's error number.
    @inline(__always)
    static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { return -Int(number) }
        }
    }

    /// Waits until one of the descriptors can be read or written, as its `events` say.
    static func wait(_ descriptors: inout [pollfd]) {
        _ = retrying { Int(poll(&descriptors, nfds_t(descriptors.count), -1)) }
    }
}

extension stat {
    /// The bits of the mode that tell files from folders.
    var kind: mode_t {
        st_mode & S_IFMT
    }
}
