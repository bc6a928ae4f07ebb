/// A text that `allot generate` writes into a file, where it can be checked later.
package protocol GeneratedFile: Sendable {
    var text: String { get }
    /// Notes for the developer, each a sentence.
    var notes: [String] { get }
    /// The start of the line that may differ; `nil` if there is none.
    static var revisionMark: String? { get }
}

extension GeneratedFile {
    package static var revisionMark: String? { nil }

    /// The difference between the bytes of a file, `nil` if it does not exist, and the text; `nil` if there is none.
    package func difference(from path: String, _ bytes: [UInt8]?) -> String? {
        guard let bytes else { return "there is no file \(path)" }
        let (present, wanted) = (Self.comparableLines(bytes), Self.comparableLines(Array(text.utf8)))
        if present == wanted { return nil }
        let line = zip(present, wanted).prefix { $0 == $1 }.count + 1
        return "\(path) does not match the definitions from line \(line) on"
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
