import AllotFiles
import Synchronization

/// A flag that threads check, and that wakes a thread that waits for input.
final class StopSignal: Sendable {
    private let flag = Atomic(false)
    /// The ends of a pipe; -1, which `poll` ignores, if there is no pipe.
    private let reading: FileDescriptor
    private let writing: FileDescriptor

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { ends = [-1, -1] }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = FileDescriptor(ends[0])
        writing = FileDescriptor(ends[1])
    }

    var isRaised: Bool { flag.load(ordering: .acquiring) }

    /// Tells all threads to stop.
    func raise() {
        guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return }
        _ = withUnsafeBytes(of: UInt8(1)) { write(writing.number, $0.baseAddress, $0.count) }
    }

    /// Waits until a descriptor can be read or is at its end. Returns `false` if the signal was raised first.
    func waitUntilReadable(_ descriptor: Int32) -> Bool {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0),
        ]
        SystemCall.wait(&waiting)
        return !isRaised
    }
}
