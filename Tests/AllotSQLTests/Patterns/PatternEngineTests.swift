import AllotCore
import Foundation
import TestSupport
import Testing

/// Translated patterns in the engines that they are for, against RE2 itself.
struct PatternEngineTests {
    private struct Case {
        let expression: RegularExpression
        let question: PatternEngine.Question
    }

    @Test("Translated patterns match the same texts on Spark as in RE2", .needs(.spark))
    func sparkAnswersAsRE2Does() throws {
        try check(.java)
    }

    @Test("Translated patterns match the same texts on PostgreSQL as in RE2", .needs(.postgresql))
    func postgresqlAnswersAsRE2Does() throws {
        try check(.postgresql)
    }

    private func check(_ engine: PatternEngine) throws {
        let cases = try Self.handwritten(engine.syntax) + Self.random(engine.syntax)
        let answers = try engine.answers(to: cases.map(\.question))
        try #require(answers.count == cases.count)
        var counts = [false: 0, true: 0]
        for (testCase, answers) in zip(cases, answers) {
            #expect(answers.count == testCase.question.texts.count)
            for (text, answer) in zip(testCase.question.texts, answers) {
                let expected = testCase.expression.matches(text)
                counts[expected, default: 0] += 1
                #expect(
                    answer == expected,
                    """
                    \(testCase.expression.pattern.debugDescription), \
                    ignoring case: \(testCase.expression.ignoresCase), became \(testCase.question.pattern); \
                    text \(text.debugDescription.prefix(200))
                    """
                )
            }
        }
        // Patterns that match everything or nothing would prove little.
        #expect(counts.values.allSatisfy { $0 > 10 * cases.count }, "\(counts) of \(cases.count) patterns")
    }

    /// Patterns as audiences have them, and those that differ from engine to engine.
    private static func handwritten(_ syntax: PatternSyntax) throws -> [Case] {
        let patterns = [
            "", "^$", "^a$", "a|", "(|a)b", "(|a?)b$", "^(^|x)?a", "^.*$", "(?s)^.*$", "\\b", "^[^a]$", "[^\\n]",
            "^[\\w.+-]+@[\\w-]+\\.[\\w.]+$", "^(DE|AT|CH)$", "^München", "Straße$", "[^σ]", "(?i)strasse", "(?i)[^k]",
            "(?i)\\W", "(?i)[^\\w]", "(?i)a日", "^\\d+\\.\\d+$", "(^|[^0-9])1($|[^0-9])", "a{255}", "^a{256}$",
            "^a{0,1000}$", "^a{1000}$", "^(?:ab){300,}$", "^a{254,511}$", "^(?:a|b){0,300}$", "\\*\\*\\*:a",
            "^(?:ab?a|c){0,200}$", "(?s:.)b", "^(?:ab|c)*$", "^(?:ab?c?)*$", "^(?:ab?a)*$",
            "^(?:a|ab)*b$", "^(?:ab|a)*a$", "^(?:(?:ab|c)+d)*$", "^(?:ab){2,}c?a$",
            "^(?:ab|ba)*(?:a|b)$", "^(?:ab|c){2}c$", "^(?:ab|c){2}(?:ab|c){1,3}$", "^(?:\\bab|c)*$", "^(?:a\\n|b)*$",
            "[a&]", "[\\[a]b", "[]^-]", "[^]]", "\\(\\?:a\\)", "'", "\\x00", "[\\x00a]", "[^\\x00-\\x{10ffff}]",
            "^(?:^a|b$)+", "^\\b", "\\b$", "^a*ba*ba*$", "a[ab]*b[ab]*a", "^[ab]*[ab]+b$", "(?s)^a.*b.*b.*a",
            "^b*[ab]*a{2}[ab]+b$", "a.*\\bb.*a", "^[ab]*a[ab]*\\n[ab]*$",
        ]
        var texts = RandomPatterns.fixedTexts
        for count in [254, 255, 256, 257, 299, 300, 301, 510, 511, 512, 999, 1000, 1001] {
            texts.append(String(repeating: "a", count: count))
        }
        texts += ["ab", "ba"].flatMap { pair in [299, 300, 301].map { String(repeating: pair, count: $0) } }
        texts += ["MÜNCHEN", "STRASSE", "STRAẞE", "Σ", "ς", "DE", "DEU", "jo@example.org", "1.2", "a b@c", "a1b", "11"]
        if syntax == .java { texts += ["\0", "a\0b"] }
        // Java's stack is spared some, and PostgreSQL has smaller bounds. Letters beyond ASCII keep their case.
        let refused: Set<String> =
            syntax == .java
            ? [
                "^(?:ab){2,}c?a$", "^(?:a|ab)*b$", "^(?:ab|a)*a$", "^(?:ab|ba)*(?:a|b)$",
            ] : ["^a{256}$", "^a{0,1000}$", "^a{1000}$", "^(?:ab){300,}$", "^a{254,511}$", "^(?:a|b){0,300}$"]
        let foreign: Set<String> = ["^München", "Straße$", "[^σ]", "[^\\x00-\\x{10ffff}]"]
        var refusals: Set<String> = []
        let cases = try patterns.flatMap { pattern in
            try [false, true].compactMap { ignoresCase -> Case? in
                let expression = try RegularExpression(pattern, ignoresCase: ignoresCase)
                guard let translated = try? PortablePattern(expression).text(for: syntax) else {
                    refusals.insert(pattern)
                    return nil
                }
                return Case(expression: expression, question: .init(pattern: translated, texts: texts))
            }
        }
        #expect(refusals == refused.union(foreign))
        return cases
    }

    /// Random patterns. The environment variable `ALLOT_RANDOM_PATTERNS` sets how many, by default 100.
    private static func random(_ syntax: PatternSyntax) throws -> [Case] {
        var cases: [Case] = []
        var refusals = 0
        var source = RandomPatterns(seed: 20_250_607)
        let count = ProcessInfo.processInfo.environment["ALLOT_RANDOM_PATTERNS"].flatMap { Int($0) } ?? 100
        while cases.count < count {
            let pattern = source.pattern()
            guard let expression = try? RegularExpression(pattern, ignoresCase: cases.count % 4 == 0) else { continue }
            guard let meaning = try? PortablePattern(expression), let translated = try? meaning.text(for: syntax) else {
                refusals += 1
                continue
            }
            // Longer texts are not searched.
            let near = (0..<20).map { _ in source.text(for: meaning) }
                .filter { $0.utf8.count <= RegularExpression.maximumTextLength }
            let texts = near + (0..<10).map { _ in source.text() } + RandomPatterns.fixedTexts
            cases.append(
                Case(
                    expression: expression,
                    question: .init(
                        pattern: translated,
                        // PostgreSQL's text has no null.
                        texts: syntax == .java ? texts : texts.filter { !$0.unicodeScalars.contains("\0") })))
        }
        #expect(refusals < 4 * cases.count)
        return cases
    }
}
