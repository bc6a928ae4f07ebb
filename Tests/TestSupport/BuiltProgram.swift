import Foundation

/// An executable of this package, next to the test bundle that the build made.
package struct BuiltProgram: Sendable {
    package let url: URL

    /// The executable was not found.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
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
        throw Missing(description: "no executable \(name) near \(start.path); build with swift build --build-tests")
    }
}
