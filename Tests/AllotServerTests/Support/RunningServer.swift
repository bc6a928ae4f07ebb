import Foundation
import TestSupport

/// An `allot-server` that runs with definitions of its own, and ends with its owner.
final class RunningServer {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let program: RunningProgram
    private let log = LineReader()
    private var folder: ServerFolder?
    /// The port that it listens on.
    private(set) var port: UInt16 = 0
    /// The part of the log that was read.
    private(set) var lines: [String] = []

    /// The longest wait for anything, in milliseconds: tests wait for conditions, not for time to pass.
    static let patience: Int32 = 180_000

    /// Starts a server and waits until it listens.
    convenience init(_ arguments: [String], environment: [String: String] = [:]) throws {
        try self.init(ServerProgram.url.get(), ["--port", "0"] + arguments, environment: environment)
    }

    /// Starts a server on the definitions of a folder, which stays as long as the server.
    convenience init(_ folder: ServerFolder, _ arguments: String...) throws {
        try self.init(folder.arguments + arguments)
        self.folder = folder
    }

    /// Starts a server with TLS on the definitions of a folder, which stays as long as the server.
    convenience init(secure folder: ServerFolder, _ arguments: [String] = []) throws {
        let files = try Certificate(in: folder, name: "server")
        try self.init(
            folder.arguments + ["--tls-certificate", files.certificate, "--tls-key", files.key] + arguments)
        self.folder = folder
    }

    /// Starts a program that is a server, and waits until it listens.
    init(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        self.program = try RunningProgram(
            program, arguments, environment: ServerProgram.environment(environment), errors: log.pipe)
        let line = try waitForLine("listening")
        guard let text = line.split(separator: ":").last?.prefix(while: \.isNumber), let port = UInt16(text) else {
            throw Failure(description: "no port in: \(line)")
        }
        self.port = port
    }

    /// The number of the process.
    var identifier: pid_t { program.identifier }

    func signal(_ signal: Int32) {
        program.signal(signal)
    }

    /// Waits for the end; returns the exit status, as shells report it.
    func waitForEnd() throws -> Int32 {
        guard let status = program.waitForEnd(within: .milliseconds(Int(Self.patience))) else {
            throw Failure(description: "the server does not end; it logged:\n" + lines.joined(separator: "\n"))
        }
        return status
    }

    /// Reads the log until a line holds a text.
    @discardableResult
    func waitForLine(_ text: String) throws -> String {
        while let bytes = log.next(within: Self.patience) {
            let line = String(decoding: bytes, as: UTF8.self)
            lines.append(line)
            if line.contains(text) { return line }
        }
        throw Failure(description: "no line \"\(text)\" in the log:\n" + lines.joined(separator: "\n"))
    }

    /// Reads what the server has logged so far.
    func readLog() {
        while let bytes = log.next(within: 0) { lines.append(String(decoding: bytes, as: UTF8.self)) }
    }

    /// Opens a connection.
    func connect(window: Int32? = nil) throws -> RawConnection {
        try RawConnection(port: port, window: window)
    }

    /// Opens a connection and sends something.
    func connect(sending text: String) throws -> RawConnection {
        let connection = try connect()
        try connection.send(text)
        return connection
    }

    /// Opens an event stream, and waits for its first message.
    func listen(_ query: String = "") throws -> RawConnection {
        let listener = try connect(sending: "GET /events\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try listener.wait(for: "\n\n")
        return listener
    }

    /// The value of a metric, by its name and labels as they are written.
    func metric(_ name: String) throws -> Double? {
        for line in try get("/metrics").body.split(separator: "\n") where line.hasPrefix(name + " ") {
            return Double(line.dropFirst(name.count + 1))
        }
        return nil
    }

    /// Waits until a metric has a value.
    func waitForMetric(_ name: String, _ isExpected: (Double) -> Bool) throws {
        let end = ContinuousClock.now + .milliseconds(Int(Self.patience))
        while try metric(name).map(isExpected) != true {
            guard ContinuousClock.now < end else {
                throw Failure(description: "\(name) stays \(try metric(name).map { "\($0)" } ?? "absent")")
            }
            poll(nil, 0, 20)
        }
    }

    /// The memory of the process that is in use, in bytes.
    func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let count = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
            throw Failure(description: "no memory in: \(status)")
        }
        return count * 1024
    }

    /// The number of files and connections that the process has open.
    func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count
    }

    /// Sends one request on a connection of its own.
    func get(_ uri: String, _ headers: [String] = []) throws -> RawResponse {
        let connection = try connect()
        try connection.send(request("GET", uri, headers))
        return try connection.response()
    }

    func post(_ uri: String, _ body: String, _ headers: [String] = []) throws -> RawResponse {
        let connection = try connect()
        let own = ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
        try connection.send(request("POST", uri, headers + own) + body)
        return try connection.response()
    }

    private func request(_ method: String, _ uri: String, _ headers: [String]) -> String {
        (["\(method) \(uri) HTTP/1.1", "Host: localhost"] + headers).map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
