import Foundation

/// A Git repository in a temporary folder, with fixed names and dates and without anybody's configuration.
package final class TestRepository: Sendable {
    private let folder: TemporaryFolder

    /// Makes an empty repository with the branch `main`.
    ///
    /// - Parameter options: Options of `git init`, such as `--object-format=sha256`.
    package init(_ options: String...) throws {
        folder = try TemporaryFolder()
        try git(["init", "-q", "--initial-branch=main"] + options)
    }

    package var url: URL { folder.url }
    package var path: String { folder.path }

    /// Writes a file of the working tree.
    package func write(_ text: String, to name: String) throws {
        try folder.write(text, to: name)
    }

    /// The text of a file of the working tree.
    package func text(_ name: String) throws -> String {
        try folder.text(name)
    }

    /// Commits everything in the working tree and returns the commit's identifier.
    ///
    /// - Parameters:
    ///   - date: The author's and the committer's, such as `2026-03-01T12:00:00Z`.
    ///   - author: The name, before `@example.com` in the address as well.
    @discardableResult
    package func commit(_ message: String, at date: String, by author: String = "ada") throws -> String {
        try git(["add", "--all"])
        let names = ["AUTHOR", "COMMITTER"].flatMap {
            [("GIT_\($0)_NAME", author), ("GIT_\($0)_EMAIL", "\(author)@example.com"), ("GIT_\($0)_DATE", date)]
        }
        try git(
            ["commit", "-q", "--allow-empty", "-m", message],
            Dictionary(names, uniquingKeysWith: { first, _ in first }))
        return try git(["rev-parse", "HEAD"])
    }

    /// Runs Git in the working tree and returns what it writes, without the last line feed.
    @discardableResult
    package func git(
        _ arguments: [String], _ variables: [String: String] = [:], input: String? = nil
    ) throws -> String {
        let own = [
            "GIT_CONFIG_NOSYSTEM": "1", "HOME": path, "XDG_CONFIG_HOME": path, "LC_ALL": "C",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "GIT_COMMITTER_NAME": "ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
            "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        ]
        let outcome = try Outcome(
            of: URL(filePath: "/usr/bin/env"), ["git"] + arguments, input: input.map { Array($0.utf8) }, in: url,
            environment: own.merging(variables) { $1 })
        guard outcome.status == 0 else { throw Failure(description: "git \(arguments): \(outcome.errors)") }
        return outcome.text.hasSuffix("\n") ? String(outcome.text.dropLast()) : outcome.text
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }
}
