import AllotConfiguration
import AllotFiles
import Foundation

/// A pattern that a setting's whole text must match.
///
/// It uses Foundation's regular expressions (ICU's syntax) on all platforms. Swift's own are not `Sendable`, and
/// compare characters by canonical equivalence, which would accept texts that the server distinguishes.
final class SettingPattern: Sendable {
    private let expression: NSRegularExpression

    init?(_ pattern: String) {
        // By itself first: the added parentheses could make a lone one valid.
        guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
        // A comment at its end, or an open quotation, would swallow what follows.
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

    private static let compiled = Lock<[UTF8Key: SettingPattern?]>([:])
    /// Apps declare fewer patterns; those that create them at run time pay for compiling them.
    private static let compiledLimit = 1000

    static func compiled(_ pattern: String) -> SettingPattern? {
        let key = UTF8Key(pattern)
        if let known = compiled.withLock({ $0[key] }) { return known }
        let new = SettingPattern(pattern)
        compiled.withLock { if $0.count < compiledLimit { $0[key] = .some(new) } }
        return new
    }
}
