import Foundation

/// An executable of this package, as the build made it beside the tests.
package struct BuiltProgram: Sendable {
    package let url: URL

    /// Why there is nothing to run.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// What a run came to.
    package struct Outcome: Sendable {
        /// The exit status; 128 and more for a signal, as shells report it.
        package let status: Int32
        package let output: [UInt8]
        package let errors: String

        /// Standard output as text.
        package var text: String {
            String(decoding: output, as: UTF8.self)
        }
    }

    /// Finds an executable in the folders above the test bundle.
    package init(_ name: String) throws {
        let start = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = start.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
                url = candidate
                return
            }
            folder.deleteLastPathComponent()
        }
        throw Missing(description: "no executable \(name) beside \(start.path); build with swift build --build-tests")
    }

    /// Runs it to its end. Its streams are files, so that it never waits for this process to read or write.
    package func run(_ arguments: [String]) throws -> Outcome {
        let folder = try TemporaryFolder()
        let output = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "output")))
        let errors = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "errors")))
        defer { for file in [output, errors] { try? file.close() } }
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        try process.run()
        end.wait()
        let status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
        return Outcome(
            status: status, output: Array(try Data(contentsOf: URL(filePath: folder.path("output")))),
            errors: try folder.text("errors"))
    }
}
