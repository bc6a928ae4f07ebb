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

    private let process: Mutex<Process>

    /// Starts the process of an engine.
    init(_ name: EngineName) throws {
        process = Mutex(try Process(name))
    }

    /// Whether the process did not answer, as it had ended.
    var hasEnded: Bool { process.withLock { $0.hasEnded } }

    /// Writes a line and waits for the one that answers it.
    func ask(_ line: String) throws -> [UInt8] {
        try process.withLock { process in
            // Writing to a process that has ended would end this one too.
            if process.program.isRunning {
                try process.requests.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
                if let answer = process.answers.next() { return answer }
            }
            process.hasEnded = true
            let errors = String(decoding: try Outcome.content(of: process.errors), as: UTF8.self)
            throw Engine.Failure(description: "the engine has ended; its last messages: \(errors.suffix(2000))")
        }
    }
}
