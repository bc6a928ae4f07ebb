import Foundation
import Testing

/// The built executable `allot`.
enum Program {
    /// Why there is nothing to test.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Where the executable is: beside the test bundle.
    static let url = Result { try find() }

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
        let environment = ["ALLOT": try url.get().path, "LC_ALL": "C"]
        return try Outcome(
            of: URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder, environment: environment)
    }

    private static func find() throws -> URL {
        let start = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = start.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("allot")
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        throw Missing(description: "no executable allot beside \(start.path); build it with swift build --build-tests")
    }
}
