import Foundation
import TestSupport

/// The built executable `allot`.
enum Program {
    /// Where the executable is.
    static let url = Result { try BuiltProgram("allot").url }

    /// Runs `allot` to its end.
    ///
    /// - Parameters:
    ///   - input: the bytes of standard input; none without it.
    ///   - folder: the folder to run in.
    static func run(_ arguments: [String], input: [UInt8]? = nil, in folder: URL? = nil) throws -> Outcome {
        try Outcome(of: url.get(), arguments, input: input, in: folder)
    }

    /// Runs a shell script in a folder; it finds the program in `$ALLOT`.
    static func shell(_ script: String, in folder: URL) throws -> Outcome {
        let own = ["ALLOT": try url.get().path, "LC_ALL": "C"]
        return try Outcome(
            of: URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder,
            environment: ProcessInfo.processInfo.environment.merging(own) { $1 })
    }
}
