import AllotFiles
import Foundation
import TestSupport

/// A TCP connection to this machine that sends any bytes, well-formed or not.
final class RawConnection {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var isEnded = false
    /// Whether the other side broke the connection off, found by reading.
    private(set) var wasReset = false

    /// - Parameter window: the bytes that the system receives before they are read; usually many.
    init(port: UInt16, window: Int32? = nil) throws {
        descriptor = socket(AF_INET, SystemDifference.streamSocket, 0)
        if var window { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                AllotFiles.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            AllotFiles.close(descriptor)
            throw Failure(description: "no connection to port \(port): \(String(cString: strerror(code)))")
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        AllotFiles.close(descriptor)
    }

    /// Sends bytes; throws when the other side has closed.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                AllotFiles.send(
                    descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent,
                    SystemDifference.sendWithoutSignal)
            }
            guard count > 0 else { throw Failure(description: "cannot send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Says that nothing more will be sent.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the end of the connection break it off.
    func breakOffAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Sends as much as there is room for now; returns how many bytes that was.
    func sendSome(_ bytes: [UInt8]) -> Int {
        max(
            AllotFiles.send(
                descriptor, bytes, bytes.count, SystemDifference.sendWithoutSignal | Int32(MSG_DONTWAIT)), 0)
    }

    /// Reads a few bytes if there are any within milliseconds.
    func readSome(_ count: Int, within milliseconds: Int32) {
        guard isReadable(within: milliseconds), count > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: count)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        isEnded = count <= 0
        if count > 0 { received += buffer[..<count] }
    }

    /// The bytes that come within milliseconds, which may be none. Returns `nil` at the end, which a reset is too.
    func read(within milliseconds: Int32) -> [UInt8]? {
        guard !isEnded else { return nil }
        guard isReadable(within: milliseconds) else { return [] }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        isEnded = count <= 0
        wasReset = count < 0 && errno == ECONNRESET
        return isEnded ? nil : Array(buffer[..<count])
    }

    /// Reads at most some 50 KB a second for a time.
    func readSlowly(for time: Duration) {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {
            readSome(500, within: 0)
            poll(nil, 0, 10)
        }
    }

    /// Whether the other side has broken the connection off.
    var isReset: Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Whether the other side closes, or sends something, within milliseconds.
    func isReadable(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Reads one response with a length, and the body of one without until the other side closes.
    ///
    /// - Parameter hasBody: whether the response to the request may have a body; `HEAD` has none.
    func response(hasBody: Bool = true) throws -> RawResponse {
        let separator = Array("\r\n\r\n".utf8)
        var end: Int?
        while end == nil {
            end = received.indices.first { received[$0...].starts(with: separator) }
            if end == nil, try !readMore() {
                throw Failure(
                    description: "the connection ended within a head: \(String(decoding: received, as: UTF8.self))")
            }
        }
        let head = String(decoding: received[..<(end ?? 0)], as: UTF8.self)
        received.removeSubrange(..<((end ?? 0) + separator.count))
        var response = RawResponse(head: head, body: "")
        if !hasBody || [100, 204, 304].contains(response.status) { return response }
        if let length = response.header("content-length").flatMap({ Int($0) }) {
            while received.count < length {
                guard try readMore() else { throw Failure(description: "the connection ended within a body") }
            }
            response.body = String(decoding: received[..<length], as: UTF8.self)
            received.removeSubrange(..<length)
        } else {
            let last = Array("0\r\n\r\n".utf8)
            while !received.suffix(last.count).elementsEqual(last) {
                guard try readMore() else { throw Failure(description: "the connection ended within a body") }
            }
            response.body = RawResponse.text(chunks: received)
            received = []
        }
        return response
    }

    /// Reads until the received bytes contain a text, which is then skipped.
    func wait(for text: String) throws -> String {
        while true {
            let soFar = String(decoding: received, as: UTF8.self)
            if let range = soFar.range(of: text) {
                received.removeSubrange(..<soFar.utf8.distance(from: soFar.startIndex, to: range.upperBound))
                return String(soFar[..<range.upperBound])
            }
            guard try readMore() else { throw Failure(description: "no \"\(text)\" in: \(soFar)") }
        }
    }

    /// Reads until the other side closes; returns what came.
    func waitForEnd() throws -> String {
        while try readMore() {}
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads what there is; false at the end, which a reset is too.
    private func readMore() throws -> Bool {
        guard let bytes = read(within: RunningServer.patience) else { return false }
        guard !bytes.isEmpty else { throw Failure(description: "nothing comes") }
        received += bytes
        return true
    }
}

/// A response as it came.
struct RawResponse {
    let head: String
    var body: String

    var status: Int {
        Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    /// The value of a header, by its name in small letters.
    func header(_ name: String) -> String? {
        HTTPHead.value(of: name, in: head)
    }

    /// The text of a body that came in chunks.
    static func text(chunks bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")),
            let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), count > 0
        {
            text += rest.dropFirst(end + 2 - rest.startIndex).prefix(count)
            rest = rest.dropFirst(end + 2 - rest.startIndex + count + 2)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
