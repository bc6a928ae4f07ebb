import Foundation
import TestSupport

/// The built executable `allot-server`.
enum ServerProgram {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Where the executable is.
    static let url = Result { try BuiltProgram("allot-server").url }

    /// What came of a process that ended.
    struct Outcome {
        let status: Int32
        let errors: String
    }

    /// Runs a program to its end.
    ///
    /// - Parameter input: what it reads.
    static func run(
        _ executable: URL, _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) throws -> (outcome: Outcome, output: String) {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = self.environment(environment)
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder.write(input, to: "input")))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "output")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "errors")))
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        guard ended.wait(timeout: .now() + .seconds(60)) == .success else {
            process.terminate()
            throw Failure(description: "\(executable.path) does not end: \(try folder.text("errors"))")
        }
        let status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
        return (Outcome(status: status, errors: try folder.text("errors")), try folder.text("output"))
    }

    /// Runs a server that does not start.
    static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try run(url.get(), arguments, environment: environment).outcome
    }

    /// The environment without settings of whoever runs the tests.
    static func environment(_ own: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ALLOT_") }.merging(own) { $1 }
    }
}
