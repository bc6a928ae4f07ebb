import AllotConfiguration
import AllotFiles

/// A Git repository, named by a folder in it. `Sendable`.
struct GitRepository: Sendable, Hashable {
    /// The folder; `nil` for the current one.
    let directory: String?
    /// Whether the folder alone decides on the repository: `GIT_DIR` and other variables do not count.
    var isOfFolderOnly = false

    func output(
        of arguments: [String], configuration: [String] = [], limit: Int = 1 << 28
    ) throws(GitError) -> [UInt8] {
        var process = try GitProcess(
            in: directory, arguments, configuration: configuration, isOfFolderOnly: isOfFolderOnly)
        return try process.rest(limit: limit)
    }

    func lines(of arguments: [String]) throws(GitError) -> [String] {
        String(decoding: try output(of: arguments), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The path of the folder from the top of its repository, with a "/" at its end; empty for the top.
    func prefix() throws(GitError) -> String {
        var bytes = try output(of: ["rev-parse", "--show-prefix"])
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path of an absolute path from the top of the repository.
    func path(of folder: String) throws(GitError) -> String {
        let named = try lines(of: ["rev-parse", "--show-toplevel"]).first ?? "/"
        let (top, path) = (resolvedPath(named) ?? named, resolvedPath(folder) ?? folder)
        guard path == top || path.hasPrefix(top + "/") else {
            let shown = (PrintableText(folder), PrintableText(top))
            throw GitError("\(shown.0) is not in the repository \(shown.1), which GIT_DIR names; unset GIT_DIR")
        }
        return String(path.dropFirst(top.count + 1))
    }

    /// Whether older commits are missing because the clone was made with a depth.
    func isShallow() throws(GitError) -> Bool {
        try lines(of: ["rev-parse", "--is-shallow-repository"]).first == "true"
    }
}
