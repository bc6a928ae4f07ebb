import Foundation
import TestSupport

/// Another implementation that keys and signatures are compared with.
struct Tool: Sendable {
    let arguments: [String]

    static let openssl = Tool(arguments: ["openssl"])
    static let python = Tool(arguments: ["python3"])

    static let hasOpenSSL = (try? openssl.run(["version"]))?.status == 0
    static let hasPython = (try? python.run(["-c", "import cryptography"]))?.status == 0

    /// Runs it in a folder, to its end.
    func run(_ more: [String], in folder: TemporaryFolder? = nil) throws -> (status: Int32, output: String) {
        let scratch = try TemporaryFolder()
        let output = try FileHandle(forWritingTo: URL(filePath: scratch.write("", to: "output")))
        defer { try? output.close() }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments + more
        if let folder { process.currentDirectoryURL = URL(filePath: folder.path) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        try process.run()
        end.wait()
        return (process.terminationStatus, try scratch.text("output"))
    }
}
