import AllotFiles

/// A client of HTTP/2 that sends any frames, well-formed or not.
final class HTTP2Client {
    /// What came on a stream.
    struct Answer {
        var status: Int?
        var body: [UInt8] = []
        var isComplete = false
        /// Why the server has reset the stream.
        var reset: UInt32?

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let connection: SecureConnection
    private var received: [UInt8] = []
    private(set) var answers: [Int: Answer] = [:]
    /// Why the server ends the connection.
    private(set) var goAway: UInt32?
    /// Whether the server has answered a ping.
    private(set) var hasPong = false
    private(set) var isEnded = false
    /// Whether windows grow by what is received.
    private let opensWindows: Bool

    private static let largestFrame = 16_384

    /// Connects, and says so in HTTP/2.
    ///
    /// - Parameters:
    ///   - settings: SETTINGS in addition to a dynamic table of no size.
    ///   - opensWindows: whether it takes more than the first window of each answer.
    ///   - window: the bytes that the system receives before they are read; usually many.
    init(
        _ server: RunningServer, settings: [(UInt16, UInt32)] = [], opensWindows: Bool = true, window: Int32? = nil
    ) throws {
        self.opensWindows = opensWindows
        connection = try SecureConnection(port: server.port, window: window)
        try connection.send(HTTP2Frame.preface + HTTP2Frame.settings([(1, 0)] + settings).bytes)
    }

    func send(_ frames: HTTP2Frame...) throws { try send(frames) }

    func send(_ frames: [HTTP2Frame]) throws {
        try connection.send(frames.flatMap(\.bytes))
    }

    /// Sends bytes, whether they are whole frames or not.
    func send(bytes: [UInt8]) throws { try connection.send(bytes) }

    /// Sends frames until the server has closed. Returns how many it took at least.
    func flood(_ count: Int, at once: Int = 64, _ frames: (Int) -> [HTTP2Frame]) -> Int {
        for number in stride(from: 0, to: count, by: once) {
            do { try send((number..<min(number + once, count)).flatMap(frames)) } catch { return number }
        }
        return count
    }

    /// Reads until a condition holds, or the server has closed.
    func wait(until isDone: (HTTP2Client) -> Bool) throws {
        while !isDone(self), !isEnded {
            guard let bytes = try connection.read() else {
                isEnded = true
                return
            }
            received += bytes
            while let frame = HTTP2Frame(from: &received) { try take(frame) }
        }
    }

    /// The whole answer on a stream, or what there is of it when it is reset or the connection ends.
    func answer(_ stream: Int) throws -> Answer {
        try wait { $0.answers[stream].map { $0.isComplete || $0.reset != nil } ?? false }
        return answers[stream] ?? Answer()
    }

    /// Sends a request without a body, and takes the answer.
    func get(_ path: String, _ stream: Int) throws -> Answer {
        try send(.get(path, stream))
        return try answer(stream)
    }

    /// Reads until the server has closed.
    func waitForEnd() throws {
        try wait { _ in false }
    }

    /// Sends a request with a body, as far as the server's windows allow, and takes the answer.
    func post(_ path: String, _ body: [UInt8], _ stream: Int, _ fields: [(String, String)] = []) throws -> Answer {
        try send(.head("POST", path, stream, [("content-type", "application/json")] + fields, ends: false))
        var rest = body[...]
        repeat {
            let part = Array(rest.prefix(min(Self.largestFrame, sendWindow(stream))))
            rest = rest.dropFirst(part.count)
            if !part.isEmpty || rest.isEmpty { try send(.data(stream, part, ends: rest.isEmpty)) }
            spend(part.count, stream)
            if !rest.isEmpty, sendWindow(stream) == 0 {
                let before = (windows[0] ?? 0) + (windows[stream] ?? 0)
                try wait { client in
                    client.answers[stream] != nil || client.isEnded
                        || (client.windows[0] ?? 0) + (client.windows[stream] ?? 0) > before
                }
            }
        } while !rest.isEmpty && answers[stream] == nil && !isEnded
        return try answer(stream)
    }

    // MARK: Windows of the server

    /// What the windows have grown by, and shrunk; stream 0 is the connection.
    private var windows: [Int: Int] = [:]
    private static let firstWindow = 65_535

    /// Waits until a server has counted something of a metric, and returns what is not 0, as it is written.
    static func lines(of metric: String, _ server: RunningServer) throws -> [String] {
        let client = try HTTP2Client(server)
        let end = ContinuousClock.now + .milliseconds(Int(RunningServer.patience))
        var stream = 1
        while true {
            let lines = try client.get("/metrics", stream).text.split(separator: "\n").filter {
                $0.hasPrefix(metric) && !$0.hasSuffix(" 0")
            }
            if !lines.isEmpty { return lines.map(String.init) }
            guard ContinuousClock.now < end else {
                throw RawConnection.Failure(description: "there is no \(metric)")
            }
            poll(nil, 0, 20)
            stream += 2
        }
    }

    private func sendWindow(_ stream: Int) -> Int {
        max(0, Self.firstWindow + min(windows[0] ?? 0, windows[stream] ?? 0))
    }

    private func spend(_ count: Int, _ stream: Int) {
        windows[0, default: 0] -= count
        windows[stream, default: 0] -= count
    }

    private func take(_ frame: HTTP2Frame) throws {
        switch HTTP2Frame.Kind(rawValue: frame.kind) {
        case .settings where frame.flags == 0:
            try? send(HTTP2Frame(.settings, flags: HTTP2Frame.Flag.acknowledges))
        case .ping where frame.flags == 0:
            try? send(HTTP2Frame(.ping, flags: HTTP2Frame.Flag.acknowledges, frame.payload))
        case .ping: hasPong = true
        case .windowUpdate: windows[frame.stream, default: 0] += Int(frame.number)
        case .goAway: goAway = HTTP2Frame(.reset, Array(frame.payload.dropFirst(4))).number
        case .reset: answers[frame.stream, default: Answer()].reset = frame.number
        case .headers:
            if let status = frame.status { answers[frame.stream, default: Answer()].status = status }
            note(frame)
        case .data:
            answers[frame.stream, default: Answer()].body += frame.payload
            note(frame)
            let count = UInt32(frame.payload.count)
            if opensWindows, count > 0 {
                try? send(.windowUpdate(0, count), .windowUpdate(frame.stream, count))
            }
        default: break
        }
    }

    private func note(_ frame: HTTP2Frame) {
        if frame.flags & HTTP2Frame.Flag.endStream != 0 { answers[frame.stream, default: Answer()].isComplete = true }
    }
}
