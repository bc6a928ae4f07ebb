import Foundation
package import Testing

/// Whole texts of a program, as files next to the tests that compare them.
package struct GoldenFiles: Sendable {
    private let folder: URL

    /// The files in `Fixtures/Golden` next to a file of tests.
    package init(near test: String = #filePath) {
        folder = URL(filePath: test).deletingLastPathComponent().appending(path: "Fixtures/Golden")
    }

    /// Expects a text to be that of a file.
    ///
    /// A missing file is a failure, or is written where the environment variable `ALLOT_WRITE_GOLDEN` is 1.
    package func expect(_ text: String, in name: String, at location: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: name)
        if FileManager.default.fileExists(atPath: file.path) {
            let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(text == golden, "\(name)", sourceLocation: location)
        } else if ProcessInfo.processInfo.environment["ALLOT_WRITE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        } else {
            Issue.record("\(name) does not exist; ALLOT_WRITE_GOLDEN=1 writes it", sourceLocation: location)
        }
    }
}
