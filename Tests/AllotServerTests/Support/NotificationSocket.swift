import AllotFiles

/// The socket of a service manager, as sd_notify(3) describes it.
final class NotificationSocket {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The value of `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: Int32

    /// - Parameter name: a path, or `@` and an abstract name.
    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, SystemDifference.datagramSocket, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.count < capacity else { throw Failure(description: "\(name) is too long for a socket") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + path.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else {
            throw Failure(description: "cannot bind \(name): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        AllotFiles.close(descriptor)
    }

    /// The next message, which is waited for.
    func message() throws -> String {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, RunningServer.patience) > 0 else { throw Failure(description: "no message comes") }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }
}
