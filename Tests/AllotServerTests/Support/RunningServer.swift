import Foundation
import Glibc
import Testing

/// An `allot-server` that runs with definitions of its own, and ends with its owner.
final class RunningServer {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let ended = DispatchSemaphore(value: 0)
    private let log: FileHandle
    private var unread: [UInt8] = []
    /// The port that it listens on.
    private(set) var port: UInt16 = 0
    /// What it has logged as far as it was read.
    private(set) var lines: [String] = []

    /// The longest wait for anything, in milliseconds: tests wait for conditions, not for time to pass.
    static let patience: Int32 = 20_000

    /// Starts a server and waits until it listens.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let pipe = Pipe()
        log = pipe.fileHandleForReading
        process.executableURL = try ServerProgram.url.get()
        process.arguments = ["--port", "0"] + arguments
        process.environment = ServerProgram.environment(environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        let line = try waitForLine("listening")
        guard let text = line.split(separator: ":").last?.prefix(while: \.isNumber), let port = UInt16(text) else {
            throw Failure(description: "no port in: \(line)")
        }
        self.port = port
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The number of the process.
    var identifier: pid_t { process.processIdentifier }

    func signal(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits for the end; returns the exit status, as shells report it.
    func waitForEnd() throws -> Int32 {
        guard ended.wait(timeout: .now() + .milliseconds(Int(Self.patience))) == .success else {
            throw Failure(description: "the server does not end; it logged:\n" + lines.joined(separator: "\n"))
        }
        return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    }

    /// Reads the log until a line holds a text.
    @discardableResult
    func waitForLine(_ text: String) throws -> String {
        while true {
            while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                lines.append(line)
                if line.contains(text) { return line }
            }
            var descriptor = pollfd(fd: log.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let isReady = poll(&descriptor, 1, Self.patience) > 0
            let bytes = isReady ? log.availableData : Data()
            guard !bytes.isEmpty else {
                throw Failure(description: "no line \"\(text)\" in the log:\n" + lines.joined(separator: "\n"))
            }
            unread += bytes
        }
    }

    /// Opens a connection.
    func connect() throws -> RawConnection {
        try RawConnection(port: port)
    }

    /// Sends one request on a connection of its own.
    func get(_ uri: String, _ headers: [String] = []) throws -> RawResponse {
        let connection = try connect()
        try connection.send(request("GET", uri, headers))
        return try connection.response()
    }

    func post(_ uri: String, _ body: String, _ headers: [String] = []) throws -> RawResponse {
        let connection = try connect()
        try connection.send(request("POST", uri, headers + ["Content-Length: \(body.utf8.count)"]) + body)
        return try connection.response()
    }

    private func request(_ method: String, _ uri: String, _ headers: [String]) -> String {
        (["\(method) \(uri) HTTP/1.1", "Host: localhost"] + headers).map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
