import Foundation
import TestSupport
import Testing

/// The definitions with which the Debian package starts.
@Suite(.blocks) struct PackageDefinitionsTests {
    private static let packaging = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".github/packaging")
    private static let folder = packaging.appending(path: "debian/definitions").path

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: packaging.appending(path: path), encoding: .utf8)
    }

    @Test("The package's first definitions have no problems, and pass their tests")
    func firstDefinitions() throws {
        let check = try Program.run(["check", "-d", Self.folder])
        #expect((check.text + check.errors).contains("1 experiment, 0 layers, 0 holdouts: 0 errors, 0 warnings"))
        #expect(check.status == 0)
        let test = try Program.run(["test", "-d", Self.folder])
        #expect(test.status == 0, "\(test.text)\(test.errors)")
    }

    @Test("The package has no files of /etc, which dpkg would merge with definitions that are there already")
    func noConfigurationFiles() throws {
        let build = try Self.text("build")
        #expect(!build.contains("$root/etc"))
        #expect(!build.contains("DEBIAN/conffiles"))
        #expect(build.contains(#"cp -r "$here/debian/definitions" "$root/usr/share/allot/""#))
        let copy = "if is_missing /etc/allot/definitions; then cp -rp /usr/share/allot/definitions /etc/allot/; fi"
        #expect(try Self.text("debian/postinst").contains(copy))
    }

    @Test("A purge deletes the definitions if their folder has the files of the package and no others")
    func purge() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder).filter { $0.contains(".") }
        #expect(files.count == 3)
        let list = files.sorted().map { "./\($0) " }.joined()
        #expect(try Self.text("debian/postrm").contains("if [ \"$files\" = \"\(list)\" ]; then\n"))
    }
}
