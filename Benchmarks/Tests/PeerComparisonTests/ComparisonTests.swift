import AllotAnalysis
import AllotStatistics
import PeerBucketing
import Testing

@testable import PeerComparison

/// A small comparison of two systems whose fate is known.
struct ComparisonTests {
    private static let settings = {
        var settings = ComparisonSettings()
        settings.shapes = [.uuid]
        settings.unitCount = 2000
        settings.trialSaltCount = 40
        settings.trialUnitCount = 200
        return settings
    }()

    private static func summary(_ function: any BucketingFunction) async -> SystemSummary {
        SystemSummary(function, report: await settings.report(on: function))
    }

    @Test("Allot passes")
    func allotPasses() async {
        let summary = await Self.summary(AllotBucketing())
        #expect(summary.families.allSatisfy { $0.failed == 0 && $0.count > 0 })
        // Holm's correction counts every test that the families show, and no other.
        #expect(summary.families.reduce(0) { $0 + $1.count } == summary.report.testCount)
        #expect(abs(summary.meanSharePValue - 0.5) < 0.1)
        let row = ComparisonTable(Self.settings).row(summary, nanoseconds: 31.6)
        #expect(row.hasPrefix("| Allot sha256/1 | 1,000,000 | 0."))
        #expect(row.hasSuffix(" | 32 | passes |"))
    }

    @Test("CRC-32 fails")
    func crc32Fails() async throws {
        let summary = await Self.summary(CRC32Prefix())
        #expect(summary.independence.failed > summary.independence.count / 2)
        let phi = try #require(summary.dependence("exp-1", "exp-9", on: .uuid)).phi
        #expect(abs(phi + 1) < 1e-12)
        #expect(try abs(#require(summary.strongest).phi) >= -phi)
        let row = ComparisonTable(Self.settings).row(summary, nanoseconds: 100)
        #expect(row.contains("| −1.000 |"))
        #expect(row.contains("**fails**: "))
        #expect(row.contains("salts depend on each other ("))
    }

    @Test("GrowthBook's first hash depends on the other salt, though its halves are equal")
    func growthBookVersion1DependsThoughItsHalvesAreEqual() async throws {
        let summary = await Self.summary(try #require(Peers.named("GrowthBook v1")))
        let phi = try #require(summary.dependence("exp-1", "exp-9", on: .uuid)).phi
        #expect(abs(phi - 0.77) < 0.06)
        #expect(summary.shares.failed == 0)
        #expect(summary.independence.failed > 0)
    }

    @Test("Every row has as many cells")
    func everyRowHasAsManyCells() async throws {
        let table = ComparisonTable(Self.settings)
        let summary = await Self.summary(try #require(Peers.named("GrowthBook v2")))
        func cells(_ row: some StringProtocol) -> Int { row.count { $0 == "|" } }
        let rows =
            table.head.split(separator: "\n") + [
                Substring(table.row(summary, nanoseconds: 1)), Substring(table.expectation(like: summary)),
            ]
        #expect(Set(rows.map(cells)) == [12])
    }

    @Test("Salts are different")
    func saltsAreDifferent() {
        #expect(RealisticSalts.all.count == 50)
        #expect(Set(RealisticSalts.all).count == 50)
    }

    @Test("Grouped digits", arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_000_000, "1,000,000")])
    func groupedDigits(_ number: Int, _ text: String) {
        #expect(ComparisonTable.grouped(number) == text)
    }

    @Test("Small numbers")
    func smallNumbers() {
        #expect(ComparisonTable.text(-0.0004, 3) == "0.000")
        #expect(ComparisonTable.text(-0.77, 2) == "−0.77")
        #expect(ComparisonTable.text(PValue(logarithm: -800)) == "< 1e-299")
        #expect(ComparisonTable.text(PValue(1)) == "1")
        #expect(ComparisonTable.text(PValue(0.0486)) == "0.049")
        #expect(ComparisonTable.text(PValue(0.00049)) == "4.9e-4")
        #expect(ComparisonTable.text(nil) == "–")
    }
}
