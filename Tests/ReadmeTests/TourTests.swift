import Foundation
import TestSupport
import Testing

/// Every command that the README and the articles show prints what they show.
@Suite(.blocks) struct TourTests {
    private static let shown = Document.all.flatMap(ShownCommand.all(in:))

    @Test("The README's tour and the articles show commands with their output")
    func documentsShowCommands() {
        #expect(Self.shown.count { $0.document == "README.md" } >= 5)
        #expect(Self.shown.count >= 15)
    }

    @Test(
        "A command prints what the documentation shows below it (.ci/refresh-output writes it anew)", arguments: shown)
    func commandPrintsWhatIsShown(_ shown: ShownCommand) throws {
        let products = try BuiltProgram("allot").url.deletingLastPathComponent().path
        let outcome = try Outcome(
            of: URL(fileURLWithPath: "/bin/sh"), ["-c", shown.command], in: Document.root,
            environment: ["PATH": "\(products):/usr/bin:/bin"])
        #expect(outcome.text == shown.output)
    }
}
