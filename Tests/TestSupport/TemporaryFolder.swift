import Foundation

/// A folder that is removed with its owner.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Makes a folder with files, by their names.
    package init(_ files: [String: String] = [:]) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "allot-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package var url: URL { URL(filePath: path) }

    /// The path of a file in the folder.
    package func path(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a file, and makes the folders above it; returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = URL(filePath: path(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return path(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    package func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// The names of all files, hidden ones too, sorted.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The permission bits of a file.
    package func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
        return attributes[.posixPermissions] as? Int ?? -1
    }
}
