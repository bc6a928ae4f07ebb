import AllotConfiguration
import Foundation
import Synchronization
import TestSupport

/// The process of an engine and the pipes to it: one line there, one line back. The end of the tests ends it.
final class EngineConnection: Sendable {
    private struct Process {
        let program: RunningProgram
        let requests = Pipe()
        let answers = LineReader()
        let errors: FileHandle
        var hasEnded = false

        init(_ name: EngineName) throws {
            errors = try Outcome.scratchFile()
            program = try RunningProgram(
                EngineProgram.python(), [EngineProgram.engine.path, name.rawValue], input: requests,
                output: answers.pipe, errors: errors)
        }
    }

    private let name: EngineName
    private let process: Mutex<Process>

    /// Starts the process of an engine.
    init(_ name: EngineName) throws {
        self.name = name
        process = Mutex(try Process(name))
    }

    /// Whether the process did not answer the last request.
    var hasEnded: Bool { process.withLock { $0.hasEnded } }

    /// Sends a request and waits for the answer. Throws what the engine has against the request.
    func ask(_ request: JSONObject) throws -> JSONObject {
        let line = try answer(to: JSONValue.object(request).canonicalText)
        guard case .object(let answer) = try JSONValue(parsing: line) else {
            throw Engine.Failure(description: "\(name.rawValue) answered \(String(decoding: line, as: UTF8.self))")
        }
        if case .string(let message)? = answer["error"] {
            throw Engine.Failure(description: "\(name.rawValue): \(message)")
        }
        return answer
    }

    /// Writes a line and waits for the one that answers it.
    private func answer(to line: String) throws -> [UInt8] {
        try process.withLock { process in
            process.hasEnded = true
            // Writing to a process that has ended would end this one too.
            if process.program.isRunning {
                try process.requests.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
                if let answer = process.answers.next() {
                    process.hasEnded = false
                    return answer
                }
            }
            let errors = String(decoding: try Outcome.content(of: process.errors), as: UTF8.self)
            throw Engine.Failure(description: "the engine has ended; its last messages: \(errors.suffix(2000))")
        }
    }
}
