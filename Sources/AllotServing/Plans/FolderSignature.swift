import Foundation

/// Identifies one state of a definitions folder without reading the files: by their names, i-nodes, sizes and times. If
/// the folder is a link, pointing it elsewhere is another state too. `Sendable`.
struct FolderSignature: Hashable, Sendable {
    /// By name the facts about the folder, which has none, and about its files.
    private let facts: [String: [Int]]

    /// Takes the state of a folder. A folder that cannot be listed has no files.
    init(_ path: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        var facts: [String: [Int]] = [:]
        for name in names + [""] { facts[name] = Self.facts(path + "/" + name) }
        self.facts = facts
    }

    private static func facts(_ path: String) -> [Int]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let times = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
        return [Int(status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size)] + times
    }
}
