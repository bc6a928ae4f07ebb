import Foundation

/// A small file of text.
enum TextFile {
    static func read(_ path: String) throws -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw StartFailure(
                "\(path) cannot be read (\(error.localizedDescription)); check the path and its permissions")
        }
    }
}
