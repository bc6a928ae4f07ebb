import Foundation

/// A page of documentation in the repository.
struct Document: Sendable, CustomStringConvertible {
    /// The path from the root of the repository.
    let path: String
    let lines: [Substring]

    init(_ path: String) throws {
        self.path = path
        lines = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    var description: String { path }

    var text: String { lines.joined(separator: "\n") }

    /// The root of the repository.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The articles of all catalogues.
    static let articles = files("Sources") { $0.contains(".docc/") && $0.hasSuffix(".md") }

    /// What a reader of the repository sees: the README, the pages on contributing, and the articles.
    static let all =
        ["README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"].compactMap { try? Document($0) }
        + articles

    /// The Swift sources of all targets.
    static let sources = files("Sources") { $0.hasSuffix(".swift") }

    /// The Swift sources of all tests.
    static let tests = files("Tests") { $0.hasSuffix(".swift") }

    private static func files(_ folder: String, where isWanted: (String) -> Bool) -> [Document] {
        let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        let paths = (found?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
        return paths.filter(isWanted).sorted().compactMap { try? Document($0) }
    }
}
