import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCommand

/// What a newcomer reads first.
@Suite(.blocks) struct HelpTests {
    @Test("--version names the version, and the commit where there was a Git repository")
    func versionAndCommit() throws {
        let text = Program.answer(["--version"]).text
        let commit = try #require(text.wholeMatch(of: /allot (\d+\.\d+\.\d+) \((.*)\)\n/)?.output)
        #expect(String(commit.1) == AllotVersion.number)
        #expect(commit.2.contains(/^[0-9a-f]{7}$/) || commit.2 == "built without Git: the commit is not known")
    }

    @Test(
        "The help of a command has examples that fit into 80 columns, and help prints the same",
        arguments: HelpExampleTests.calls(of: AllotCommand.self))
    func pages(words: [String]) {
        let result = Program.answer(words + ["--help"])
        #expect(result.errors == "")
        #expect(result.status == 0)
        expectFittingLines(result.text.split(separator: "\n", omittingEmptySubsequences: false))
        #expect(Program.answer(["help"] + words).text == result.text)
    }

    /// A table that the terminal's width broke up would be hard to read: examples and tables fit into 80 columns.
    private func expectFittingLines(_ lines: [Substring]) {
        guard let start = lines.firstIndex(where: { $0.hasPrefix("EXAMPLE") || $0 == "LAYOUTS" }) else { return }
        for line in lines[start...].prefix(while: { !$0.hasPrefix("USAGE") }) {
            #expect(line.isEmpty || line.hasPrefix("  ") || line.allSatisfy { $0.isUppercase })
        }
    }

    @Test("Without arguments the help is printed")
    func withoutArguments() throws {
        let result = try Program.run([])
        #expect(try result.text == Program.run(["--help"]).text)
        #expect(result.status == 0)
    }

    @Test("Completion scripts know the options", arguments: ["bash", "zsh", "fish"])
    func completionScripts(shell: String) throws {
        let result = try Program.run(["--generate-completion-script", shell])
        #expect(result.text.contains("unit-column"))
        #expect(result.errors == "")
        #expect(result.status == 0)
    }
}
