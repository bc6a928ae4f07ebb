import Foundation

/// Data that are for testing only and not part of the project: in the folder of the environment's `ALLOT_SHARED`, or beside
/// the project in `shared`.
enum SharedData {
    /// The path of a file; `nil` where the data are not at hand.
    static func path(_ name: String) -> String? {
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared")
        let folder = ProcessInfo.processInfo.environment["ALLOT_SHARED"].map { URL(fileURLWithPath: $0) } ?? beside
        let file = folder.appendingPathComponent(name).path
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }
}
