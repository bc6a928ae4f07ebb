import AllotConfiguration
import Foundation
import Synchronization

/// A pattern that a setting's whole text must match.
///
/// Foundation's regular expressions (ICU's syntax) serve on all platforms. Swift's own are not `Sendable`, and compare
/// by characters up to canonical equivalence, which would let text pass that the server keeps apart.
final class SettingPattern: Sendable {
    private let expression: NSRegularExpression

    /// Compiles a pattern; `nil` for one that is not valid.
    init?(_ pattern: String) {
        // By itself first: a lone parenthesis could become valid by what is put around it.
        guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
        // A comment at its end, and a quotation that it leaves open, would swallow what is put behind it.
        for end in ["", "\n", "\\E"] {
            if let whole = try? NSRegularExpression(pattern: "(?:\(pattern)\(end))\\z") {
                expression = whole
                return
            }
        }
        return nil
    }

    /// Whether the pattern matches the text from its first to its last character.
    func matchesWhole(_ text: String) -> Bool {
        let range = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: .anchored, range: range) != nil
    }

    private static let compiled = Mutex<[UTF8Key: SettingPattern?]>([:])
    /// An app declares fewer patterns; one that makes them up at run time pays for compiling them.
    private static let compiledLimit = 1000

    /// A compiled pattern, kept from the first time that it is asked for; `nil` for one that is not valid.
    static func compiled(_ pattern: String) -> SettingPattern? {
        let key = UTF8Key(pattern)
        if let known = compiled.withLock({ $0[key] }) { return known }
        let new = SettingPattern(pattern)
        compiled.withLock { if $0.count < compiledLimit { $0[key] = .some(new) } }
        return new
    }
}
