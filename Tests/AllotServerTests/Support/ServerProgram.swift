import Foundation
import TestSupport

/// The built executable `allot-server`.
enum ServerProgram {
    /// Where the executable is.
    static let url = Result { try BuiltProgram("allot-server").url }

    /// Runs a program to its end, without the settings of the person who runs the tests.
    static func run(
        _ executable: URL, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> Outcome {
        try Outcome(
            of: executable, arguments, input: input.map { Array($0.utf8) }, environment: self.environment(environment),
            within: .seconds(60))
    }

    /// Runs a server that does not start.
    static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try run(url.get(), arguments, environment: environment)
    }

    /// The environment without the settings of the person who runs the tests. Servers end at once.
    static func environment(_ own: [String: String]) -> [String: String] {
        let others = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ALLOT_") }
        return others.merging(["ALLOT_DRAIN": "0s"]) { $1 }.merging(own) { $1 }
    }
}
