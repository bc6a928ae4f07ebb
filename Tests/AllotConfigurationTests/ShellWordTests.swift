import AllotConfiguration
import Foundation
import TestSupport
import Testing

/// Texts as words of commands that people copy into a shell.
@Suite(.blocks) struct ShellWordTests {
    @Test(
        "A shell reads a word as the text",
        arguments: [
            "", "plain-1.0_/:@,+%", "two words", "it's", "'\u{301}", "x'\u{301}; echo y; '\u{301}", "a\nb",
            "$HOME `id`",
            "größe", "=ls", "~", "*", "\\", "\"", "!!", "-n",
        ])
    func words(text: String) throws {
        let shell = URL(fileURLWithPath: "/bin/sh")
        let result = try Outcome(of: shell, ["-c", "printf %s \(text.shellWord)"])
        #expect(result.status == 0, "\(text.shellWord)")
        #expect(result.output == Array(text.utf8), "\(text.shellWord)")
    }

    @Test(
        "A plain text has no quotes", arguments: ["user-42", "a=b", "Experiments/x.yaml", "2026-11-21T12:00:00+01:00"])
    func plain(text: String) {
        #expect(text.shellWord == text)
    }

    @Test("A text that only some shells would change is in quotes", arguments: ["=ls", "größe"])
    func quoted(text: String) {
        #expect(text.shellWord == "'\(text)'")
    }
}
