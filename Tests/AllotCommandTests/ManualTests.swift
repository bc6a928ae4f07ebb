import TestSupport
import Testing

@testable import AllotCommand

/// The manual pages of `allot` in the packages.
@Suite(.blocks) struct ManualTests {
    @Test("Each command has a manual page with a synopsis, its description and its exit status")
    func pages() throws {
        let manual = try ManualPages(section: 1, description: Program.run(["--experimental-dump-help"]).output)
        let commands = AllotCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        #expect(Set(manual.pages.keys) == Set(commands.map { "allot-\($0).1" } + ["allot.1"]))
        for (name, page) in manual.pages {
            let headings = ManualPages.headings(page)
            #expect(headings.starts(with: ["NAME", "SYNOPSIS", "DESCRIPTION"]), "\(name): \(headings)")
            #expect(headings.last == "SEE ALSO", "\(name): \(headings)")
            #expect(headings.count { $0 == "EXIT STATUS" } == 1, "\(name): \(headings)")
            #expect(ManualPages.emptyParagraphs(page) == [], "\(name)")
        }
    }
}
