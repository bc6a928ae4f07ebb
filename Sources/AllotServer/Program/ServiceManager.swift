import AllotFiles
import AllotServing
import Logging
import ServiceLifecycle
import Synchronization

/// Reports the state of the server to the service manager that started it, such as systemd, by the protocol of
/// sd_notify(3). `Sendable`.
final class ServiceManager: Service {
    struct State: Sendable, Equatable {
        fileprivate let assignments: String
        static let ready = State(assignments: "READY=1")
        static let stopping = State(assignments: "STOPPING=1")
        /// The server reads its files again, since a time of the monotonic clock in microseconds.
        static func reloading(since time: Int64) -> State { State(assignments: "RELOADING=1\nMONOTONIC_USEC=\(time)") }
    }

    /// The socket as the environment names it.
    private let name: String
    /// The address that the server listens on, for people.
    private let address: String
    private let logger: Logger
    /// Ends when the server listens.
    private let start = AsyncStream<Void>.makeStream()
    private let isStopping = Mutex(false)

    /// Returns `nil` if no service manager asks for the state.
    init?(environment: [String: String], address: String, logger: Logger) {
        guard let name = environment["NOTIFY_SOCKET"], !name.isEmpty else { return nil }
        (self.name, self.address, self.logger) = (name, address, logger)
    }

    func listens() { start.continuation.finish() }

    /// Reports that the server is ready once it listens, and each reload, until shutdown.
    func run() async {
        for await _ in start.stream.cancelOnGracefulShutdown() {}
        for await isReloading in HangUp.reloads().cancelOnGracefulShutdown() {
            if isReloading {
                report(.reloading(since: SystemClock.monotonicMicroseconds), "Reading the files again")
            } else {
                report(.ready, "Listening on \(address)")
            }
        }
    }

    /// Reports a state, with a line for people; nothing after the end has begun. A failure does not stop the server.
    func report(_ state: State, _ status: String) {
        isStopping.withLock { isStopping in
            if state == .stopping { isStopping = true } else if isStopping { return }
            do throws(SystemError) {
                try send("\(state.assignments)\nSTATUS=\(status)")
            } catch {
                logger.warning(
                    "the service manager did not receive the server's state (\(error)); check NOTIFY_SOCKET",
                    metadata: ["socket": "\(name)"])
            }
        }
    }

    private func send(_ text: String) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        let path: [UInt8]
        switch name.utf8.first {
        case UInt8(ascii: "/"): path = Array(name.utf8) + [0]
        // A name that is not in the file system, which Linux has.
        case UInt8(ascii: "@"): path = [0] + Array(name.utf8.dropFirst())
        default: throw SystemError(EAFNOSUPPORT)
        }
        guard path.count <= capacity else { throw SystemError(ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + path.count)
        let descriptor = FileDescriptor(socket(AF_UNIX, SystemDifference.datagramSocket, 0))
        guard descriptor.number >= 0 else { throw SystemError() }
        let bytes = Array(text.utf8)
        // A manager that reads nothing must not keep the server from ending.
        let flags = SystemDifference.sendWithoutSignal | Int32(MSG_DONTWAIT)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                SystemCall.retrying { sendto(descriptor.number, bytes, bytes.count, flags, target, length) }
            }
        }
        guard sent >= 0 else { throw SystemError(Int32(-sent)) }
    }
}
