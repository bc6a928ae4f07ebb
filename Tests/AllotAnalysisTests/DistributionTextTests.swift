import AllotCore
import TestSupport
import Testing

@testable import AllotAnalysis

struct DistributionTextTests {
    private let golden = GoldenFiles()

    private func check(_ name: String, _ report: DistributionReport) throws {
        try golden.expect(report.textLines.joined(separator: "\n") + "\n", in: "distribution-\(name).txt")
    }

    private static func randomisations() throws -> [Randomisation] {
        [
            try .experiment("a"), try .experiment("b", variants: 3, traffic: 300_000),
            try .gate(.layer, "l", share: 500_000), try .gate(.holdout, "h", share: 100_000),
        ]
    }

    @Test("The report on good bucketing has the same text")
    func fine() async throws {
        try check("fine", try await DistributionStudy(try Self.randomisations(), salts: 100).report(units: 20_000))
    }

    @Test("The report on several samples has the same text")
    func samples() async throws {
        let study = DistributionStudy(try Self.randomisations(), salts: 0)
        let sources = [GeneratedUnits(.uuid, count: 5000), GeneratedUnits(.sequential, count: 2000)]
        try check("samples", try await study.report(on: sources))
    }

    @Test("The report on bad bucketing has the same text")
    func findings() async throws {
        let salt = UnitHash.sha256(try #require(Salt("always")))
        var study = DistributionStudy(
            try Self.randomisations() + [.experiment("c", salt: "same"), .experiment("d", salt: "same")], salts: 0)
        study.function = SlowBucketing { unitID, _ in SlowBucketing.allot(unitID, salt) }
        try check("findings", try await study.report(units: 5000))
    }

    @Test("The report without a test has the same text")
    func untested() async throws {
        try check("untested", try await DistributionStudy(try Self.randomisations(), salts: 0).report(units: 3))
    }
}
