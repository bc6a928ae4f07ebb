import AllotConfiguration
import TestSupport
import Testing

@testable import AllotClient

struct SettingConstraintsTests {
    @Test(arguments: [
        ("a|ab", "ab", true), ("a|ab", "abc", false), ("b[aeiou]t", "bat", true), ("b[aeiou]t", "bats", false),
        ("b[aeiou]t", "a bat", false), ("^b$", "b", true), ("^b$", "b\n", false), ("", "anything", true),
        (".", "\u{e9}", true), (".", "e\u{301}", false), ("\u{e9}", "e\u{301}", false), ("(?i)abc", "ABC", true),
        ("[", "[", false), ("a)(b", "ab", false), (".", "👍", true), ("(?x) a | b # or (", "b", true),
        ("(?x) a | b # or (", "ab", false), ("(?x) a # b", "a\n", false), ("\\Qa|b", "a|b", true),
        ("\\Qa|b", "a", false),
        ("\\Qa\\", "a\\", true), ("\\Qa\\", "a", false), ("a#", "a#", true), ("(?x) \\Qa#", "a#", true),
    ])
    func patternsMatchTheWholeText(pattern: String, text: String, matches: Bool) {
        let constraints = SettingConstraints(pattern: pattern)
        #expect(constraints.violations(of: .string(text), text: text).isEmpty == matches)
    }

    @Test("Patterns match the shortest text of a number")
    func textOfNumbers() {
        #expect(SettingText.text(of: 7.0) == "7.0")
        #expect(SettingText.text(of: Float(0.1)) == "0.1")
        #expect(SettingText.text(of: 7) == "7")
        #expect(SettingText.text(of: Double?.some(7)) == "7.0")
        #expect(SettingText.text(of: SearchSample.Ranking.semantic) == "semantic")
        #expect(SettingText.text(of: true) == nil)
        #expect(SettingText.text(of: ["a"]) == nil)
        #expect(SettingText.text(of: String?.none) == nil)
        #expect(SettingText.text(of: JSONValue.string("a")) == "a")
    }

    /// Against the plainest way to say it.
    @Test("Ranges and choices compare numbers by value", arguments: 0..<40)
    func rangesAndChoicesOfNumbers(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let minimum = Bool.random(using: &generator) ? Int.random(in: -20...20, using: &generator) : nil
        let maximum = Bool.random(using: &generator) ? Int.random(in: -20...20, using: &generator) : nil
        let choices = (0..<4).map { _ in Int.random(in: -20...20, using: &generator) }
        let hasChoices = Bool.random(using: &generator)
        let setting = Setting(
            wrappedValue: 0, "Number", in: SettingRange(minimum: minimum, maximum: maximum),
            choices: hasChoices ? SettingChoices(choices) : nil)
        for value in -25...25 {
            var expected: [SettingViolation.Kind] = []
            if let minimum, value < minimum { expected.append(.minimum) }
            if let maximum, value > maximum { expected.append(.maximum) }
            if hasChoices, !choices.contains(value) { expected.append(.choices) }
            for text in ["\(value)", "\(value).0"] {
                let json = JSONValue.number(try #require(JSONNumber(text)))
                let resolved = setting.state.declaration.constraints.resolve(json, as: Int.self)
                #expect(resolved.violations.map(\.kind) == expected, "\(value)")
                #expect(resolved.value == (expected.isEmpty ? value : nil))
            }
        }
    }

    @Test("Ranges of floating point numbers include their ends", arguments: 0..<20)
    func rangesOfFloatingPointNumbers(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let ends = (0..<2).map { _ in Float.random(in: -10...10, using: &generator) }.sorted()
        let setting = Setting(wrappedValue: ends[0], "Number", in: ends[0]...ends[1])
        let values =
            [ends[0], ends[1], ends[0].nextDown, ends[1].nextUp, ends[0].nextUp]
            + (0..<50).map { _ in Float.random(in: -12...12, using: &generator) }
        for value in values {
            let resolved = setting.state.declaration.constraints.resolve(value.json, as: Float.self)
            #expect(resolved.violations.isEmpty == (value >= ends[0] && value <= ends[1]), "\(value)")
        }
    }
}

/// Bounds that may be open, or in the wrong order.
struct SettingRange<Bound: Comparable & Sendable>: SettingBounds, Sendable {
    let ends: (minimum: Bound?, maximum: Bound?)

    init(minimum: Bound?, maximum: Bound?) { ends = (minimum, maximum) }
}
