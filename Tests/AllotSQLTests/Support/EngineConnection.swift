import Foundation
import TestSupport

/// The process of an engine and the pipes to it: one line there, one line back.
final class EngineConnection {
    private let program: RunningProgram
    private let requests = Pipe()
    private let answers = LineReader()
    private let folder: TemporaryFolder

    /// How long the process may take to end before it is killed.
    private static let patience = DispatchTimeInterval.seconds(20)

    /// Starts the process of an engine.
    init(_ name: EngineName) throws {
        folder = try TemporaryFolder()
        let errors = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "errors")))
        defer { try? errors.close() }
        program = try RunningProgram(
            EngineProgram.python(), [EngineProgram.engine.path, name.rawValue], input: requests, output: answers.pipe,
            errors: errors)
    }

    deinit {
        // The end of its input ends it.
        try? requests.fileHandleForWriting.close()
        _ = program.waitForEnd(within: Self.patience)
    }

    /// Writes a line and waits for the one that answers it.
    func ask(_ line: String) throws -> [UInt8] {
        // Writing to a process that has ended would end this one too.
        if program.isRunning {
            try requests.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
            if let answer = answers.next() { return answer }
        }
        let errors = (try? folder.text("errors")) ?? ""
        throw Engine.Failure(description: "the engine has ended; its last messages: \(errors.suffix(2000))")
    }
}
