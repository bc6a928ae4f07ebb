import AllotFiles
import Foundation
import Synchronization
import TestSupport

/// An HTTP server on this machine that answers each request with the bytes of a test, well-formed or not.
final class StubServer: Sendable {
    /// What was asked.
    struct Request: Sendable {
        let head: String
        let body: [UInt8]

        var method: String { String(head.prefix { $0 != " " }) }
        var target: String { String(head.split(separator: " ", maxSplits: 2).dropFirst().first ?? "") }

        /// The value of a header, by its name in small letters.
        func header(_ name: String) -> String? { HTTPHead.value(of: name, in: head) }
    }

    /// What is done with a request.
    enum Step: Sendable {
        /// Sends bytes.
        case send([UInt8])
        /// Waits until something is let through.
        case wait(Gate)
        /// Closes the connection.
        case close
        /// Says nothing more and keeps the connection until the server ends.
        case hang

        static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// Holds until it is opened.
    final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        func open() { semaphore.signal() }
        func wait() { semaphore.wait() }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What the threads share; they keep it, and not the server, so that the server ends with its owner.
    private final class Core: Sendable {
        struct State {
            var requests: [Request] = []
            var connections: Set<Int32> = []
            var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
            var isEnded = false
        }

        let state = Mutex(State())
        let steps: @Sendable (Request) -> [Step]
        /// Signalled when the listener is closed.
        let closed = DispatchSemaphore(value: 0)

        init(_ steps: @escaping @Sendable (Request) -> [Step]) { self.steps = steps }
    }

    /// The port that it listens to.
    let port: UInt16
    private let core: Core

    /// A server that does the steps for each request; without a last step that says otherwise the connection stays.
    init(_ steps: @escaping @Sendable (Request) -> [Step]) throws {
        let core = Core(steps)
        let listener = Self.socket()
        var address = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        guard isListening else { throw Failure(description: "cannot listen: \(String(cString: strerror(errno)))") }
        self.core = core
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard !core.state.withLock({ $0.isEnded }) else {
                    // Only the thread that uses a descriptor closes it: its number is soon another's.
                    if connection >= 0 { Self.close(connection) }
                    Self.close(listener)
                    core.closed.signal()
                    return
                }
                if connection >= 0 { Self.serve(connection, core) }
            }
        }
    }

    private static func socket() -> Int32 { AllotFiles.socket(AF_INET, SystemDifference.streamSocket, 0) }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    deinit { end() }

    /// Closes all connections and takes no more.
    func end() {
        let isFirst = core.state.withLock { state -> Bool in
            guard !state.isEnded else { return false }
            state.isEnded = true
            // Their threads close them, and not before they have the lock.
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
            return true
        }
        guard isFirst else { return }
        // One more connection wakes the thread that waits for one.
        let last = Self.socket()
        var address = Self.address(port)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(last, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        Self.close(last)
        core.closed.wait()
    }

    /// Where it is.
    func url(_ path: String = "") throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw Failure(description: "no URL") }
        return url
    }

    /// What was asked so far.
    var requests: [Request] { core.state.withLock { $0.requests } }

    /// How many connections are open.
    var connectionCount: Int { core.state.withLock { $0.connections.count } }

    /// Waits until the given number of requests has arrived.
    func waitForRequests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = core.state.withLock { state in
                if state.requests.count < count { state.waiting.append((count, continuation)) }
                return state.requests.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    private static func serve(_ connection: Int32, _ core: Core) {
        var one: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        let isWanted = core.state.withLock { state in
            if !state.isEnded { state.connections.insert(connection) }
            return !state.isEnded
        }
        guard isWanted else { return close(connection) }
        Thread.detachNewThread {
            var received: [UInt8] = []
            loop: while let request = request(connection, &received) {
                // The client opens connections so on Linux; no test is about them.
                if request.method == "HEAD" {
                    guard send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8), connection) else { break }
                    continue
                }
                note(request, core)
                for step in core.steps(request) {
                    switch step {
                    case .send(let bytes): if !send(bytes, connection) { break loop }
                    case .wait(let gate): gate.wait()
                    case .close: break loop
                    case .hang:
                        while receive(connection, &received) {}
                        break loop
                    }
                }
            }
            core.state.withLock { _ = $0.connections.remove(connection) }
            close(connection)
        }
    }

    private static func note(_ request: Request, _ core: Core) {
        let ready = core.state.withLock { state in
            state.requests.append(request)
            let ready = state.waiting.filter { $0.count <= state.requests.count }
            state.waiting.removeAll { $0.count <= state.requests.count }
            return ready
        }
        for waiting in ready { waiting.continuation.resume() }
    }

    /// Reads a request; `nil` when the connection ends.
    private static func request(_ connection: Int32, _ received: inout [UInt8]) -> Request? {
        let separator = Array("\r\n\r\n".utf8)
        var end = 0
        while !received[end...].starts(with: separator) {
            if end < received.count {
                end += 1
            } else if !receive(connection, &received) {
                return nil
            }
        }
        let head = Request(head: String(decoding: received[..<end], as: UTF8.self), body: [])
        let length = head.header("content-length").flatMap { Int($0) } ?? 0
        let start = end + separator.count
        while received.count < start + length { guard receive(connection, &received) else { return nil } }
        defer { received.removeSubrange(..<(start + length)) }
        return Request(head: head.head, body: Array(received[start..<(start + length)]))
    }

    private static func receive(_ connection: Int32, _ received: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection, &buffer, buffer.count, 0)
        if count > 0 { received += buffer[..<count] }
        return count > 0
    }

    private static func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                AllotFiles.send(
                    connection, buffer.baseAddress.map { $0 + sent }, buffer.count - sent,
                    SystemDifference.sendWithoutSignal)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func close(_ descriptor: Int32) { _ = AllotFiles.close(descriptor) }
}

extension StubServer.Step {
    /// A whole answer with its length.
    static func answer(_ status: String, _ headers: [String] = [], body: [UInt8] = []) -> Self {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
        return .send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// A whole answer with its length.
    static func answer(_ status: String, _ headers: [String] = [], _ body: String) -> Self {
        answer(status, headers, body: Array(body.utf8))
    }

    /// An answer of status 200.
    static func success(_ body: String) -> Self { answer("200 OK", [], body: Array(body.utf8)) }
}
