@testable import AllotCore

/// A pattern, a line feed, and a text.
///
/// A pattern that RE2 compiles either has a reason not to be translated, or its translation for Java, which RE2 reads
/// too after two small changes, matches the same texts.
func fuzzPatterns(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let pattern = String(validating: first, as: UTF8.self),
        let text = parts.count > 1 ? String(validating: parts[1], as: UTF8.self) : ""
    else { return }
    for ignoresCase in [false, true] {
        guard let expression = try? RegularExpression(pattern, ignoresCase: ignoresCase),
            let parsed = try? PortablePattern(expression)
        else { continue }
        _ = try? parsed.text(for: .postgresql)
        guard let java = try? parsed.text(for: .java), let translated = readable(java) else { continue }
        // Memory for a translated pattern can exceed RE2's bound where the original's does not.
        guard let other = try? RegularExpression(translated, ignoresCase: false) else { continue }
        check(
            expression.matches(text) == other.matches(text),
            "\(pattern) and its translation \(translated) differ on \(text.debugDescription)")
    }
}

/// Java's pattern in RE2's syntax: RE2 has no possessive repetitions, which change nothing where Allot writes them.
/// Returns `nil` for what RE2 does not know.
private func readable(_ java: String) -> String? {
    if java.contains("(?=") || java.contains("(?!") || java.contains("(?<") { return nil }
    var text = ""
    for character in java {
        // Within brackets "+" is written by its number.
        if character == "+", let last = text.last, last == "+" || last == "*" || last == "}" || last == "?" { continue }
        text.append(character)
    }
    return text
}
