import Foundation
import TestSupport
import Testing

/// OpenFeature's client for Python against the server, where it is installed.
@Suite struct OFREPClientTests {
    /// A Python that has PyPI's openfeature-sdk and openfeature-provider-ofrep.
    private static let python = ProcessInfo.processInfo.environment["ALLOT_OFREP_PYTHON"]

    @Test(
        "OpenFeature's client for Python reads the answers",
        .enabled(if: python != nil, "ALLOT_OFREP_PYTHON names no Python with openfeature-provider-ofrep"))
    func clientReadsAnswers() throws {
        let python = try #require(Self.python)
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ofrep/check.py")
        let outcome = try ServerProgram.run(
            URL(filePath: python), [script.path, "http://127.0.0.1:\(server.port)"])
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text == "")
    }
}
