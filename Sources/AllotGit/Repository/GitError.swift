import AllotConfiguration

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
