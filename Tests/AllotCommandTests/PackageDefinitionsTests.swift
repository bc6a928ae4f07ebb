import Foundation
import TestSupport
import Testing

/// The definitions with which the Debian package starts.
@Suite(.blocks) struct PackageDefinitionsTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".github/packaging/debian/definitions").path

    @Test("The package's first definitions have no problems, and pass their tests")
    func firstDefinitions() throws {
        let check = try Program.run(["check", Self.folder])
        #expect((check.text + check.errors).contains("1 experiment, 0 layers, 0 holdouts: 0 errors, 0 warnings"))
        #expect(check.status == 0)
        let test = try Program.run(["test", Self.folder])
        #expect(test.status == 0, "\(test.text)\(test.errors)")
    }
}
