import Foundation

/// Test data whose licence does not allow a copy in this repository. It is looked up in the folder that the
/// environment variable `ALLOT_SHARED` names, or else in a folder `shared` next to the repository.
package enum SharedData {
    /// Why a test that needs a file is skipped.
    package static func absence(of name: String) -> String {
        "\(name) was not found; set ALLOT_SHARED to the folder that contains it"
    }

    /// The path of a file. Returns `nil` if it does not exist.
    package static func path(_ name: String) -> String? {
        let sibling = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared")
        let folder = ProcessInfo.processInfo.environment["ALLOT_SHARED"].map { URL(filePath: $0) } ?? sibling
        let file = folder.appending(path: name).standardizedFileURL.path
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }
}
