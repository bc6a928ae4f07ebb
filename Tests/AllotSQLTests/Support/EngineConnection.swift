import Foundation
import TestSupport

/// The process of an engine and the pipes to it: one line there, one line back.
struct EngineConnection: ~Copyable {
    private let process: Process
    private let requests: Pipe
    private let answers: Pipe
    private let ended: DispatchSemaphore
    private let folder: TemporaryFolder
    /// What came behind the last line that was taken.
    private var rest: [UInt8] = []

    /// How long a process that is told to end has for it before it is ended.
    private static let patience = DispatchTimeInterval.seconds(20)

    private init(
        process: Process, requests: Pipe, answers: Pipe, ended: DispatchSemaphore, folder: TemporaryFolder
    ) {
        self.process = process
        self.requests = requests
        self.answers = answers
        self.ended = ended
        self.folder = folder
    }

    /// Starts the process of an engine.
    static func start(_ name: EngineName) throws -> EngineConnection {
        let (process, requests, answers) = (Process(), Pipe(), Pipe())
        let ended = DispatchSemaphore(value: 0)
        let folder = try TemporaryFolder()
        let errors = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "errors")))
        defer { try? errors.close() }
        process.executableURL = try EngineProgram.python()
        process.arguments = [EngineProgram.engine.path, name.rawValue]
        process.standardInput = requests
        process.standardOutput = answers
        process.standardError = errors
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        return EngineConnection(
            process: process, requests: requests, answers: answers, ended: ended, folder: folder)
    }

    deinit {
        // The end of its input ends it.
        try? requests.fileHandleForWriting.close()
        if ended.wait(timeout: .now() + Self.patience) == .timedOut { process.terminate() }
    }

    /// Writes a line and waits for the one that answers it.
    mutating func ask(_ line: String) throws -> [UInt8] {
        // To write to a process that has ended would end this one too.
        guard process.isRunning else { throw failure() }
        try requests.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        var start = 0
        while true {
            if let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return Array(rest[..<end])
            }
            start = rest.count
            let bytes = answers.fileHandleForReading.availableData
            if bytes.isEmpty { throw failure() }
            rest += bytes
        }
    }

    private func failure() -> Engine.Failure {
        let errors = (try? folder.text("errors")) ?? ""
        return Engine.Failure(description: "the engine has ended; the end of its messages: \(errors.suffix(2000))")
    }
}
