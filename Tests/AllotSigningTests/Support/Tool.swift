import Foundation
import TestSupport

/// Another implementation that keys and signatures are compared with.
struct Tool: Sendable {
    let arguments: [String]

    static let openssl = Tool(arguments: ["openssl"])
    /// The Python of the vendors' SDKs, which need the package cryptography too, or that of the system.
    static let python = Tool(arguments: [ProcessInfo.processInfo.environment["ALLOT_IMPORT_PYTHON"] ?? "python3"])

    static let hasOpenSSL = (try? openssl.run(["version"]))?.status == 0
    static let hasPython = (try? python.run(["-c", "import cryptography"]))?.status == 0

    /// Runs it in a folder, to its end.
    func run(_ more: [String], in folder: TemporaryFolder? = nil) throws -> (status: Int32, output: String) {
        let outcome = try Outcome(of: URL(filePath: "/usr/bin/env"), arguments + more, in: folder?.url)
        return (outcome.status, outcome.text)
    }
}
