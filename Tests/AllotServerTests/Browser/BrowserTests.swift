import AllotConfiguration
import Foundation
import TestSupport
import Testing

/// What pages of other origins can do in a real browser, which enforces the rules for them.
@Suite(
    .enabled(if: Browser.executable != nil, "there is no chromium in PATH, and ALLOT_CHROMIUM names none"),
    .runsServer, .mayHang) struct BrowserTests
{
    private static let token = "token-of-shop-apps-000001"

    /// The number of units whose exposure is stored.
    private func storedUnits(_ server: RunningServer, _ headers: [String] = []) throws -> Int {
        try server.get("/exposures?experiment=button", headers).body.split(separator: "\n").count - 1
    }

    @Test("A page of an allowed origin evaluates flags, records an exposure and is notified of a change")
    func pagesOfAllowedOriginsAreLetIn() async throws {
        let executable = try #require(Browser.executable)
        try await PageServer.run { pages in
            let folder = try ServerFolder()
            let tokens = try folder.write(
                "configuration,exposures \(Self.token)\nexplain token-of-explanations-03\n", to: "tokens")
            let server = try RunningServer(
                folder.arguments + [
                    "--tokens", tokens, "--cors-origin", "http://other.example",
                    "--cors-origin", "http://shop.example:\(pages.port)",
                ])
            let browser = try Browser(
                executable, page: pages.page("shop.example", server: server.port, token: Self.token))
            let before = await pages.reports(until: "revision")
            #expect(before["flag"] == "green green TARGETING_MATCH button")
            #expect(before["all flags"] == "200 304")
            #expect(before["configuration"] == "green")
            #expect(before["exposure"] == "200 1")
            #expect(try storedUnits(server, ["Authorization: Bearer token-of-explanations-03"]) == 1)

            try folder.replace("definitions/button.yaml", Fixture.changedButton)
            let after = await pages.reports(until: "revision")
            #expect(after["revision"] != nil)
            #expect(after["revision"] != before["revision"])
            withExtendedLifetime(browser) {}
        }
    }

    @Test("A page of another origin can do none of it, even on a server without tokens")
    func pagesOfOtherOriginsAreNotLetIn() async throws {
        let executable = try #require(Browser.executable)
        try await PageServer.run { pages in
            let folder = try ServerFolder()
            let server = try RunningServer(
                folder.arguments + ["--cors-origin", "http://shop.example:\(pages.port)"])
            let browser = try Browser(executable, page: pages.page("evil.example", server: server.port))
            let reports = await pages.reports(until: "events")
            #expect(
                reports == [
                    "flag": "TypeError", "all flags": "TypeError", "configuration": "TypeError",
                    "exposure": "TypeError", "blind exposure": "opaque", "events": "closed",
                ])
            #expect(try storedUnits(server) == 0)
            withExtendedLifetime(browser) {}
        }
    }
}
