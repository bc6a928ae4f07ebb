import AllotConfiguration
import TestSupport
import Testing

/// What a newcomer reads first.
@Suite(.blocks) struct HelpTests {
    /// What the help of a command must speak of.
    struct Page: CustomTestStringConvertible {
        let command: [String]
        let mentions: [String]

        var testDescription: String { command.joined(separator: " ") }
    }

    static let pages = [
        Page(
            command: [],
            mentions: [
                "EXAMPLES", "allot check", "allot assign users.csv -o assigned.csv", "allot config user-42 country=DE",
                "allot explain user-42", "allot srm exposures.csv", "--definitions", "\"Experiments\"",
                "allot help <subcommand>",
            ]),
        Page(
            command: ["check"],
            mentions: ["default: Experiments", "--at <instant>", "2026-11-21T12:00:00Z", "warnings do not fail"]),
        Page(
            command: ["assign"],
            mentions: [
                "EXAMPLES", "LAYOUTS", "wide", "long", "json", "--unit-column <column>", "--experiment <key>",
                "--delimiter <delimiter>", "--rejects <file>", "--threads <count>", "--output <file>",
                "- is standard input", "user_id", "SRM", "--definitions <folder>", "2026-11-21T12:00:00Z",
            ]),
        Page(
            command: ["config"],
            mentions: [
                "EXAMPLES", "[<id>] [<name=value> ...]", "--json <object>", "--pretty", "--definitions <folder>",
            ]),
        Page(
            command: ["explain"],
            mentions: [
                "EXAMPLES", "[<id>] [<name=value> ...]", "--json <object>", "--json-output", "--experiment <key>",
                "--json without an object",
            ]),
        Page(
            command: ["power"],
            mentions: [
                "EXAMPLES", "--baseline <rate>", "--standard-deviation <number>", "--effect <change>",
                "--relative-effect <share>", "--alpha <probability>", "--power <probability>", "--allocation <shares>",
                "bonferroni", "--one-sided", "--units <count>", "--units-per-day <count>", "--traffic <share>",
                "--json",
                "z-test of two proportions", "t-test",
            ]),
        Page(command: ["import"], mentions: ["EXAMPLES", "growthbook", "--skip-inexact"]),
        Page(command: ["catalog"], mentions: ["EXAMPLES", "--output <folder>"]),
        Page(command: ["exposures"], mentions: ["EXAMPLES", "allot exposures export", "purge"]),
        Page(
            command: ["exposures", "purge"],
            mentions: [
                "EXAMPLES", "--before <instant>", "--experiment <key>", "--unknown", "--all", "--write",
                "--definitions <folder>", "nothing is deleted",
            ]),
        Page(command: ["exposures", "erase"], mentions: ["EXAMPLES", "--write", "nothing is deleted"]),
        Page(
            command: ["distribution"],
            mentions: [
                "EXAMPLES", "allot distribution --shape all --units 10000000 --html report.html", "--shape <shape>",
                "sequential, uuid, email, hex, unicode, all", "--units <count>", "--unit-column <column>",
                "--salts <count>", "--seed <number>", "--experiment <key>", "--json", "--html <file>", "Holm",
                "EXIT STATUS", "--definitions <folder>",
            ]),
        Page(
            command: ["srm"],
            mentions: [
                "EXAMPLES", "TESTS", "EXIT STATUS", "2 a sample ratio mismatch", "--shares <shares>",
                "control=50%,green=50%", "--experiment <key>", "--unit-column <column>", "--variant-column <column>",
                "--count-column <column>",
                "--time-order", "--by <column>", "--json", "- is standard input", "--definitions <folder>",
            ]),
        Page(
            command: ["diff"],
            mentions: ["EXAMPLES", "Exits with 2", "--users <file>", "--unit-column <column>", "--json", "--markdown"]),
        Page(
            command: ["reweight"],
            mentions: [
                "EXAMPLES", "--close <variant>", "--add <variant=share>", "--traffic <share>", "--unallocated <share>",
                "--write", "--definitions <folder>",
            ]),
        Page(
            command: ["ramp"],
            mentions: ["EXAMPLES", "--from <instant>", "--every <time>", "--write", "--definitions <folder>"]),
        Page(
            command: ["slots"],
            mentions: ["EXAMPLES", "--place <share>", "--starts <instant>", "--ends <instant>", "--json"]),
        Page(
            command: ["sql"],
            mentions: [
                "EXAMPLES", "DIALECTS", "LAYOUTS", "KINDS", "duckdb, clickhouse, spark, postgresql proved equal",
                "--dialect <dialect>", "--table <table>", "--column <attribute=column>", "--create <kind> <name>",
                "--layout <layout>", "default: wide; long for a function", "--experiment <key>",
                "--definitions <folder>", "2026-11-21T12:00:00Z", "the engine's clock",
            ]),
        Page(
            command: ["keys", "generate"],
            mentions: [
                "EXAMPLES", "--algorithm <algorithm>", "ES256", "RS256", "--key <file>", "--public <file>", "--force",
                "RFC 7638",
            ]),
        Page(
            command: ["sign"],
            mentions: [
                "EXAMPLES", "HEADER..SIGNATURE", "HEADER.PAYLOAD.SIGNATURE", "--key <file>", "--device <id>",
                "--app <app>", "--expires <time>", "default: 7d", "--reset", "--variant <experiment=variant>",
                "--definitions <folder>", "--at <instant>", "- is standard input",
            ]),
        Page(
            command: ["verify"],
            mentions: [
                "EXAMPLES", "--signature <signature>", "--token <token>", "--public <file>", "--app <app>",
                "--device <id>", "--at <instant>", "Exits with 1", "- is standard input",
            ]),
        Page(
            command: ["generate", "swift"],
            mentions: [
                "EXAMPLES", "--output <file>", "--check <file>", "--access <access>", "public, package, internal",
                "--definitions <folder>", "The same definitions give the same bytes",
            ]),
        Page(
            command: ["generate", "openfeature"],
            mentions: ["EXAMPLES", "--output <file>", "--check <file>", "--definitions <folder>", "Section.Setting"]),
        Page(command: ["generate"], mentions: ["swift", "openfeature", "Generate source code for an app"]),
        Page(command: ["bucket"], mentions: ["EXAMPLE", "SHA-256", "0 to 999999", "<salt> <unit-id> ..."]),
    ]

    @Test("--version names the version, and the commit where there was a Git repository")
    func versionAndCommit() throws {
        let text = Program.answer(["--version"]).text
        let commit = try #require(text.wholeMatch(of: /allot (\d+\.\d+\.\d+) \((.*)\)\n/)?.output)
        #expect(String(commit.1) == AllotVersion.number)
        #expect(commit.2.contains(/^[0-9a-f]{7}$/) || commit.2 == "built without Git: the commit is not known")
    }

    @Test("The help of a command mentions its options and examples", arguments: pages)
    func mentionsWhatIsNeeded(page: Page) {
        let result = Program.answer(page.command + ["--help"])
        let text = result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for mention in page.mentions { #expect(text.contains(mention)) }
        #expect(result.errors == "")
        #expect(result.status == 0)
        expectFittingLines(result.text.split(separator: "\n", omittingEmptySubsequences: false))
    }

    @Test("The command help prints the same")
    func commandHelp() {
        #expect(Program.answer(["help", "assign"]).text == Program.answer(["assign", "--help"]).text)
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
