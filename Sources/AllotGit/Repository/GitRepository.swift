import AllotConfiguration
import AllotFiles

/// A Git repository, named by a folder in it. `Sendable`.
struct GitRepository: Sendable, Hashable {
    /// The folder; `nil` for the current one.
    let directory: String?
    /// Whether the folder alone decides on the repository: `GIT_DIR` and other variables do not count.
    var isOfFolderOnly = false

    func output(of arguments: [String], configuration: [String] = []) throws(GitError) -> [UInt8] {
        var process = try GitProcess(in: self, arguments, configuration: configuration)
        return try process.rest(limit: 1 << 28)
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

package struct Commit: Sendable, Hashable {
    package let id: String
    /// The parent on the same branch; `nil` for the first commit, and where a clone made with a depth begins.
    let parent: String?
    package let committed: Instant
    package let authored: Instant
    package let author: String
    package let address: String
    package let subject: String

    package var shortID: String { String(id.prefix(Self.shownDigits)) }

    /// The number of digits of an identifier that messages show.
    static let shownDigits = 12

    var text: String { "\(committed)  \(shortID)  \(PrintableText(author)) <\(PrintableText(address))>" }
}

extension GitRepository {
    /// The commits of a branch that change a folder, or all, the last one first: along first parents, which are the
    /// states that the branch itself had. A merge counts as one change, at the instant of the merge.
    func commits(from start: String, changing path: String = "", _ options: [String] = []) throws(GitError) -> [Commit]
    {
        let format = ["%H", "%P", "%ct", "%at", "%an", "%ae", "%s"].joined(separator: "%x00")
        let arguments = ["rev-list", "--first-parent", "--encoding=UTF-8", "--format=\(format)"]
        let paths = path.isEmpty ? [] : [":(top,literal)\(path)"]
        let bytes = try output(of: arguments + options + ["--end-of-options", start, "--"] + paths)
        var commits: [Commit] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: 0, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            // The line before each is `commit` and the identifier.
            guard fields.count == 7, let committed = Int64(fields[2]), let authored = Int64(fields[3]) else { continue }
            commits.append(
                Commit(
                    id: fields[0], parent: fields[1].split(separator: " ").first.map(String.init),
                    committed: Self.instant(committed), authored: Self.instant(authored), author: fields[4],
                    address: fields[5], subject: fields[6]))
        }
        return commits
    }

    /// An instant that RFC 3339 can write: in the years 0 to 9999.
    static func instant(_ seconds: Int64) -> Instant {
        Instant(seconds: min(max(seconds, -62_167_219_200), 253_402_300_799))
    }
}

/// The reason why something could not be read from Git, and the fix. `Sendable`.
public struct GitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failure, its cause, and the fix, on one line.
    public let description: String

    init(_ description: String) { self.description = description }

    init(reported text: some Sequence<UInt8>, by command: String) {
        let lines = String(decoding: Array(text), as: UTF8.self).split(separator: "\n")
        // Its first words are enough, except where it says which command would help.
        let isLocked = lines.first?.contains(".lock': File exists") == true
        let said = lines.prefix(isLocked ? 1 : 4).map { $0.trimmingPrefix("fatal: ").trimmingPrefix("hint: ") }
            .map { String($0.drop(while: \.isWhitespace)) }.filter { !$0.isEmpty }.joined(separator: " ")
        var fix = isLocked ? " Wait for the other Git process, or remove the file if there is none." : ""
        if said.contains("not a git repository") {
            fix = "; the definitions have to be in a repository, or all be named as folders"
        }
        if said.contains("lazy fetching disabled") {
            fix = "; this clone is a partial one, so let Git fetch the rest: put GIT_NO_LAZY_FETCH=0 in front"
        }
        let cause = said.isEmpty ? "the process ended without a message" : said
        self.init("git \(command) failed: \(PrintableText(line: cause))\(fix)")
    }
}
