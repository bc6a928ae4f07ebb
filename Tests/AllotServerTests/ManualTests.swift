import AllotConfiguration
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

/// The manual page of `allot-server` in the packages.
@Suite(.runsServer) struct ManualTests {
    private static let page: Result<String, any Error> = Result {
        let description = try ServerProgram.start(["--experimental-dump-help"]).output
        return try #require(try ManualPages(section: 8, description: description).pages["allot-server.8"])
    }

    @Test("The page has the sections that administrators look for")
    func sections() throws {
        let page = try Self.page.get()
        #expect(
            ManualPages.headings(page) == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "OPTIONS", "ENVIRONMENT", "FILES", "SIGNALS",
                "EXIT STATUS", "ROUTES", "SEE ALSO",
            ])
        #expect(ManualPages.emptyParagraphs(page) == [])
        for signal in ["SIGHUP", "SIGTERM", "SIGINT"] { #expect(page.contains("\n.B \(signal)\n")) }
        for status in ["0", "1", "64"] { #expect(page.contains("\n.TP\n.B \(status)\n")) }
    }

    @Test("The page lists each variable of the help once, with the default of its option")
    func variables() throws {
        let page = try Self.page.get()
        let named = try ServerProgram.start(["--help"]).text.matches(of: /ALLOT_[A-Z_]+/).map { String($0.output) }
        #expect(named.count > 20)
        for name in Set(named) {
            let entry = try Regex("\n.TP\n\\\\fB\(name)(=1)?\\\\fR\n")
            #expect(page.matches(of: entry).count == 1, "\(name)")
        }
        let text = ManualPages.plainText(page)
        #expect(text.contains("\n.TP\nALLOT_PORT\nAs --port. The default is 8080.\n"))
        #expect(text.contains("\n.TP\nALLOT_OPEN=1\nAs --open.\n"))
    }

    @Test("The page lists all routes")
    func routes() async throws {
        let text = ManualPages.plainText(try Self.page.get()).replacing(/[\[\]]/, with: "")
            .replacing(/\{[^}]+\}/, with: "{}")
        try await TestedRoutes.testExposures { client, _ in
            guard case .object(let paths)? = try await client.get("/openapi.json").json()["paths"] else {
                Issue.record("the document has no paths")
                return
            }
            #expect(paths.members.count > 15)
            for path in paths.members.map(\.key) {
                #expect(text.contains(path.replacing(/\{[^}]+\}/, with: "{}")), "\(path)")
            }
        }
    }
}
