import AllotConfiguration

/// A text that `allot generate` writes into a file, where it can be checked later.
package protocol GeneratedFile: Sendable {
    /// The content of the file.
    var text: String { get }
    /// Notes for the developer, each a sentence.
    var notes: [String] { get }
    /// The words after `allot generate` that write this text, without the folder and the file.
    var words: [String] { get }
    /// The start of the line that may differ; `nil` if there is none.
    static var revisionMark: String? { get }
}

extension GeneratedFile {
    package static var revisionMark: String? { nil }

    /// What is wrong with a file that should have this text, and the command that fixes it; `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - bytes: Its content; `nil` if it does not exist.
    ///   - definitions: The folder of definitions; `nil` for the default.
    package func problem(of path: String, _ bytes: [UInt8]?, definitions: String?) -> String? {
        let problem =
            if let bytes {
                firstDifferentLine(from: bytes).map { "\(path) does not match the definitions from line \($0) on" }
            } else { "there is no file \(path)" as String? }
        guard let problem else { return nil }
        // The options of this command, which writes the file without --check.
        var words = ["allot", "generate"] + words.prefix(1)
        if let definitions { words += ["--definitions", definitions] }
        words += self.words.dropFirst() + ["--output", path]
        let command = words.map(\.shellWord).joined(separator: " ")
        return "\(problem); generate it with: \(command)"
    }

    /// The first line, from 1, in which a file differs from the text; `nil` if it matches.
    package func firstDifferentLine(from bytes: [UInt8]) -> Int? {
        let present = Self.comparableLines(bytes)
        let wanted = Self.comparableLines(Array(text.utf8))
        return present == wanted ? nil : zip(present, wanted).prefix { $0 == $1 }.count + 1
    }

    private static func comparableLines(_ bytes: [UInt8]) -> [[UInt8]] {
        let mark = revisionMark.map { Array($0.utf8) }
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
            index, line in
            if index == 1, let mark, line.starts(with: mark) { return mark }
            return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }
}
