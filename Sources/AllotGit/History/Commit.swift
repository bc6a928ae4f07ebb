import AllotConfiguration

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
