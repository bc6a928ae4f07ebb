import Foundation
import TestSupport
import Testing

/// What a person at a terminal sees: the bar, and nothing of it that is left.
@Suite(.blocks) struct TerminalTests {
    /// Runs with a terminal as standard error and a file `in.csv`; returns what it showed.
    private func run(
        _ arguments: [String] = ["assign", "in.csv", "-o", "out.csv"], on csv: String = "user_id\n007\n",
        allOnTerminal: Bool = false
    ) throws -> String {
        let workspace = try Workspace.withButton(and: ["in.csv": csv])
        let terminal = try Terminal()
        _ = try Outcome(
            of: Program.url.get(), arguments + ["--at", Shop.instant], in: workspace.url,
            outputHandle: allOnTerminal ? terminal.handle : nil, errorHandle: terminal.handle)
        return withExtendedLifetime(workspace) { terminal.text() }
    }

    private static let bar = "\r[########################################] 100% 0 MB"
    private static let removal = "\r\u{1B}[K"

    @Test("The progress bar is removed before the summary")
    func barIsRemovedBeforeTheSummary() throws {
        let text = try run()
        #expect(text.hasPrefix(Self.bar + Self.removal + "1 row in "))
        #expect(text.components(separatedBy: Self.removal).count == 2)
    }

    /// The first chunk is good and shows the bar; the second is not.
    @Test("The progress bar is removed before an error")
    func barIsRemovedBeforeAFailure() throws {
        let row = "007,\(String(repeating: "x", count: 1000))\n"
        let text = try run(
            ["assign", "in.csv", "-o", "out.csv", "--threads", "1"],
            on: "user_id,n\n" + String(repeating: row, count: 1100) + "bad\n")
        #expect(text.hasPrefix("\r["))
        #expect(
            text.hasSuffix(
                "% 1 MB\(Self.removal)allot: in.csv:1102:4: 1 field where the header has 2; add the missing one\r\n"))
    }

    @Test("The progress bar counts hashes")
    func barOfHashes() throws {
        let text = try run(["distribution", "--generate", "20000", "--salts", "10", "--threads", "1"])
        #expect(text.hasPrefix("\r[#"))
        #expect(text.hasSuffix("] 100% 0 million hashes\(Self.removal)"))
    }

    @Test("Without work there is no progress bar")
    func noBarWhereNothingWasDone() throws {
        let text = try run(on: "user_id,n\nbad\n")
        #expect(text == "allot: in.csv:2:4: 1 field where the header has 2; add the missing one\r\n")
    }

    /// Rows and a bar on one terminal would run into each other.
    @Test("There is no progress bar if rows go to the terminal")
    func noBarAmongRows() throws {
        let text = try run(["assign", "in.csv"], allOnTerminal: true)
        #expect(text.hasPrefix("user_id,button\r\n007,green\r\n1 row in "))
    }

    @Test("Without a terminal there is no progress bar")
    func noBarWithoutTerminal() throws {
        let result = try Workspace.withButton().assign("user_id\n007\n")
        #expect(!result.errors.contains("\r"))
        #expect(!result.errors.contains("\u{1B}"))
    }

    @Test(
        "A report has the width of its terminal, and a file that of no terminal", arguments: [0, 60, 200] as [UInt16])
    func width(columns: UInt16) throws {
        let sentence = Array(repeating: "word", count: 30).joined(separator: " ")
        let workspace = try Workspace.withButton("description: \(sentence)\n\(Workspace.button)")
        let terminal = try Terminal()
        terminal.resize(columns: columns)
        _ = try Outcome(
            of: Program.url.get(), ["show", "button", "--at", Shop.instant], in: workspace.url,
            outputHandle: terminal.handle)
        let lines = terminal.text().split(separator: "\r\n").map(\.count)
        let widths: ClosedRange<Int> = columns == 0 ? 70...80 : columns == 60 ? 50...60 : 165...165
        #expect(widths.contains(lines.max() ?? 0), "\(lines)")
        let file = try workspace.run("show", "button").text.split(separator: "\n").map(\.count)
        #expect((116...126).contains(file.max() ?? 0), "\(file)")
    }

    @Test(
        "A verdict has a colour unless a variable declines it, and warnings are not green",
        arguments: [
            ([:], Workspace.button, "\u{1B}[32m"), (["NO_COLOR": ""], Workspace.button, "\u{1B}[32m"),
            (["NO_COLOR": "1"], Workspace.button, nil), (["TERM": "dumb"], Workspace.button, nil),
            ([:], "status: running\nvariants: [{ key: a }]\nowner: x\nforced: { 'u ': a }\n", "\u{1B}[31m"),
        ] as [([String: String], String, String?)])
    func colours(environment: [String: String], definition: String, start: String?) throws {
        let workspace = try Workspace.withButton(definition)
        let terminal = try Terminal()
        _ = try Outcome(
            of: Program.url.get(), ["check", "--at", Shop.instant], in: workspace.url,
            environment: ["TERM": "xterm"].merging(environment) { $1 }, outputHandle: terminal.handle)
        let text = withExtendedLifetime(workspace) { terminal.text() }
        if let start { #expect(text.contains(start), "\(text)") } else { #expect(!text.contains("\u{1B}"), "\(text)") }
    }

    @Test("A person at a terminal is asked for input")
    func typedInputIsAskedFor() throws {
        let workspace = try Workspace.withButton()
        let terminal = try Terminal()
        try terminal.type("user_id\n007\n")
        let result = try Outcome(
            of: Program.url.get(), ["assign", "-o", "out.csv", "--at", Shop.instant], in: workspace.url,
            inputHandle: terminal.handle)
        #expect(result.errorLines.first == "allot: reading CSV from the keyboard; end with Ctrl-D, or name a file")
        #expect(try workspace.read("out.csv") == "user_id,button\n007,green\n")
    }
}
