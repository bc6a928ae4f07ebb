import AllotCore
import Foundation
import Testing

@testable import AllotAnalysis

#if canImport(FoundationXML)
    import FoundationXML
#endif

struct PageTests {
    private static func report(names: [String], sharedSalt: Bool = false) async throws -> DistributionReport {
        let randomisations = try names.enumerated().map { index, name in
            try Randomisation.experiment(name, salt: sharedSalt ? "s" : "s\(index)")
        }
        return try await DistributionStudy(randomisations, salts: 50, of: 200).report(units: 3000)
    }

    private func parse(_ page: String) {
        let parser = XMLParser(data: Data(page.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }

    /// A handful, as many as have names beside the map, and more.
    @Test("The page is well-formed XML", arguments: [1, 2, 45, 46, 70])
    func isWellFormed(count: Int) async throws {
        parse(try await Self.report(names: (0..<count).map { "experiment-\($0)" }).page)
    }

    @Test("The page loads nothing from elsewhere")
    func isSelfContained() async throws {
        let page = try await Self.report(names: ["a", "b", "c"]).page
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\""))
        for needless in ["<script", "<link", "src=", "href=", "url(", "@import"] { #expect(!page.contains(needless)) }
        let addresses = Set(page.matches(of: /https?:[^" ]*/).map { String($0.output) })
        #expect(addresses == ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"])
    }

    @Test("Names are escaped")
    func namesAreEscaped() async throws {
        let page = try await Self.report(names: ["<b>&\"'", "</style><script>x", "\u{1}\u{FFFE}", "b"]).page
        #expect(page.contains("&lt;b&gt;&amp;"))
        #expect(!page.contains("<script"))
        parse(page)
    }

    @Test("The page has every plot")
    func hasEveryPlot() async throws {
        let page = try await Self.report(names: (0..<8).map { "e\($0)" }).page
        for title in [
            "Deviation of 100 parts of the first buckets from uniformity",
            "Deviation of 100 parts of the second buckets from uniformity", "The p-values of all pairs",
            "Quantiles of the p-values of pairs", "Quantiles of the p-values of A/A comparisons",
        ] {
            #expect(page.contains("<title>\(title)</title>"))
        }
        // Those of the two buckets are next to each other, as are those of the quantiles of pairs and of comparisons.
        #expect(page.components(separatedBy: "<div class=\"plots\">").count == 4)
        #expect(page.contains("<h2>How it was tested</h2>"))
        // A cell for each of 28 pairs.
        #expect(page.components(separatedBy: "<title>experiment e").count == 29)
    }

    @Test("Findings are marked")
    func badNewsIsSeen() async throws {
        let page = try await Self.report(names: ["a", "b"], sharedSalt: true).page
        #expect(page.contains("<p class=\"verdict bad\">Something is wrong: "))
        #expect(page.contains("one salt: 1 pair"))
        let good = try await Self.report(names: ["a", "b"]).page
        #expect(good.contains("<p class=\"verdict\">No fault found: "))
    }

    /// A p-value of nearly nothing must not break the plots.
    @Test("A useless function still has a page")
    func hopelessBucketing() async throws {
        var study = DistributionStudy(try (0..<8).map { try .experiment("e\($0)") })
        study.function = SlowBucketing { unitID, _ in ((Int(unitID) ?? 0) % 7, (Int(unitID) ?? 0) % 7 * 100_000) }
        study.saltCount = 30
        let report = try await study.report(units: 20_000)
        #expect(!report.isFine)
        parse(report.page)
        #expect(!report.page.contains("nan"))
        #expect(!report.page.contains("inf"))
    }
}
