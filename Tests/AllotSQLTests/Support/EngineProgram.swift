import Foundation
import TestSupport

/// A program in Python of the folder `Engines`.
enum EngineProgram: String {
    case engine, grammar, patterns

    /// Where it stands.
    var path: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Engines/\(rawValue).py").path
    }

    /// The Python that runs it.
    static func python() throws -> URL {
        guard let path = EngineVariable.python.value else {
            throw Engine.Failure(
                description: "\(EngineVariable.python.rawValue) is not set; "
                    + "set it to a Python with the packages of requirements.txt")
        }
        return URL(filePath: path)
    }

    /// Runs it to its end; returns the lines that it wrote for those that it read.
    func answers(_ arguments: [String] = [], to lines: [String]) throws -> [[UInt8]] {
        let input = lines.flatMap { Array("\($0)\n".utf8) }
        let outcome = try Outcome(of: Self.python(), [path] + arguments, input: input)
        guard outcome.status == 0 else {
            throw Engine.Failure(description: "\(rawValue).py failed: \(outcome.errors.suffix(1000))")
        }
        return outcome.output.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
}
