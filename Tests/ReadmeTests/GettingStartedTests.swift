import Foundation
import TestSupport
import Testing

/// The commands of the article Getting started, one after another, in a folder of their own.
@Suite(.blocks) struct GettingStartedTests {
    /// A shell script of what a reader does: blocks are files of the names before them, indented lines are commands.
    /// `allot init` has written the definitions.
    private static func script(of lines: some Sequence<Substring>) -> String {
        var script = "set -e\n"
        var name = ""
        var isBlock = false
        for line in lines {
            if line.hasPrefix("```") {
                let command = name.hasPrefix("Experiments/") ? "diff \(name) -" : "cat >\(name)"
                script += isBlock ? "END\n" : "\(command) <<'END'\n"
                isBlock.toggle()
            } else if isBlock {
                script += "\(line)\n"
            } else if line.hasPrefix("    ") {
                // With 2 a command judges.
                script += "\(line.dropFirst(4)) || [ $? -eq 2 ]\n"
            } else if let last = line.matches(of: /`([^`]+)`/).last?.1 {
                name = String(last)
            }
        }
        return script
    }

    @Test("Every command of the first experiment runs in a new folder")
    func commandsRun() throws {
        let article = try Document("Sources/Allot/Allot.docc/GettingStarted.md")
        let script = Self.script(of: article.lines.drop { $0 != "## Your first experiment" })
        #expect(script.split(separator: "\n").count { $0.hasPrefix("allot ") } >= 9)
        let folder = try TemporaryFolder()
        let products = try BuiltProgram("allot").url.deletingLastPathComponent().path
        let outcome = try Outcome(
            of: URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder.url,
            environment: ["PATH": "\(products):/usr/bin:/bin"])
        #expect(outcome.status == 0, "\(outcome.errors)\n\(outcome.text)")
        #expect(outcome.text.contains("user_id,country,buy-button\nuser-1,DE,"))
        #expect(try folder.names() == ["shop"])
    }

    @Test("A clone has no file that a first hour makes", .enabled(if: isClone, "this is not a clone"))
    func cloneStaysClean() throws {
        for name in ["allot.sqlite", "allot.sqlite-wal", "allot.sqlite-shm"] {
            let outcome = try Outcome(
                of: URL(fileURLWithPath: "/usr/bin/env"), ["git", "check-ignore", "-q", name], in: Document.root)
            #expect(outcome.status == 0, "\(name)")
        }
    }

    private static let isClone = FileManager.default.fileExists(
        atPath: Document.root.appendingPathComponent(".git").path)
}
