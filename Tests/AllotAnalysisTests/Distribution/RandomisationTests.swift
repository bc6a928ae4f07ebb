import AllotCore
import Testing

@testable import AllotAnalysis

struct RandomisationTests {
    private static let files = [
        ("layers.yaml", "{ l: { salt: l-salt, unit: org_id }, empty: {} }"), ("holdouts.yaml", "h: { share: 2% }"),
        (
            "a.yaml",
            "{ status: paused, layer: l, unit: org_id, slots: [0%..<30%], variants: [ { key: x }, { key: y } ] }"
        ),
        (
            "b.yaml",
            "{ status: draft, layer: l, unit: org_id, slots: [20%..<50%], salt: s, traffic: 10%, "
                + "variants: [ { key: x, buckets: [0%..<5%, 90%..<95%] } ] }"
        ),
        ("c.yaml", "{ status: running, variants: [ { key: only } ] }"),
        ("d.yaml", "{ status: running, traffic: 50%, variants: [ { key: x, weight: 0 }, { key: only } ] }"),
    ]

    @Test("A plan has the randomisations of its experiments, layers and holdouts")
    func ofAPlan() throws {
        let all = Randomisation.all(of: try Plan.of(files: Self.files))
        #expect(
            all.map(\.label) == [
                "experiment a", "experiment b", "experiment c", "experiment d", "layer empty", "layer l", "holdout h",
            ])
        #expect(all.map(\.salt) == ["a", "s", "c", "d", "empty", "l-salt", "h"])
        #expect(all.map(\.unit) == ["org_id", "org_id", "user_id", "user_id", "user_id", "org_id", "user_id"])
        #expect(all.map(\.isHalved) == [false, false, true, false, true, false, false])
        #expect(all.map(\.decidedBy) == [.second, .second, .second, .second, .first, .first, .first])
        #expect(all.map(\.traffic) == [1_000_000, 100_000, 1_000_000, 500_000, 1_000_000, 1_000_000, 1_000_000])
        #expect(all[1].categories == [Randomisation.Category("x", [0..<50_000, 900_000..<950_000])])
        #expect(all[2].categories.map(\.ranges) == [[0..<500_000], [500_000..<1_000_000]])
        #expect(all[3].categories == [Randomisation.Category("only", [0..<1_000_000])])
        // Experiments that cannot be live together share slots.
        #expect(
            all[5].categories == [
                Randomisation.Category("a", [0..<200_000]), Randomisation.Category("a or b", [200_000..<300_000]),
                Randomisation.Category("b", [300_000..<500_000]),
            ])
        #expect(all[6].categories == [Randomisation.Category("held out", [0..<20_000])])
    }

    @Test(
        "Windows of a period are independent, but for those of a balanced pair, which are opposite",
        arguments: [true, false])
    func windows(isBalanced: Bool) async throws {
        let period = "period: { every: 1h, from: 2026-12-01T00:00Z, balanced: \(isBalanced) }"
        let plan = try Plan.of([
            "a.yaml": "status: running\nunit: [city, line]\n\(period)\nvariants: [{ key: x }, { key: y }]\n"
        ])
        var study = DistributionStudy(Randomisation.all(of: plan))
        study.saltCount = 0
        #expect(study.randomisations.map(\.window) == (isBalanced ? [0, 1, 2] : [0, 1]))
        #expect(
            study.randomisations.map(\.label).prefix(2) == ["experiment a in window 0", "experiment a in window 1"])
        let report = try await study.report(on: [GeneratedUnits(.uuid, count: 20_000)])
        #expect(report.isFine, "\(report.verdict)")
        let pairs = try #require(report.samples.first?.pairs)
        #expect(pairs.map(\.sharesSalt) == (isBalanced ? [true, false, false] : [false]))
        #expect(isBalanced ? pairs[0].phi < -0.999_99 : abs(pairs[0].phi) < 0.03)
        // The engine decides the same.
        let table = try #require(report.samples.first).table(of: pairs[0])
        #expect(!isBalanced || table[0][0] == 0 && table[1][1] == 0)
    }

    @Test("A selection has its layers and all holdouts")
    func ofASelection() throws {
        let plan = try Plan.of(files: Self.files)
        #expect(Randomisation.all(of: plan, selection: [2]).map(\.label) == ["experiment c", "holdout h"])
        #expect(Randomisation.all(of: plan, selection: [0]).map(\.label) == ["experiment a", "layer l", "holdout h"])
    }

    @Test("A layer of very many experiments is tested in ten parts")
    func aLayerOfVeryManyExperiments() throws {
        let many = (10..<40).map { index in
            (
                "e\(index).yaml",
                "{ status: running, layer: l, slots: [\(index)%..<\(index + 1)%], "
                    + "variants: [ { key: x }, { key: y } ] }"
            )
        }
        let all = Randomisation.all(of: try Plan.of(files: [("layers.yaml", "l: {}")] + many))
        let layer = try #require(all.last)
        #expect(layer.categories.count == 10)
        #expect(layer.categories.first?.name == "slots 0..<100000")
    }

    @Test("A holdout of no unit or of all units is tested in halves", arguments: ["0%", "100%"])
    func aHoldoutOfNoneOrAll(share: String) throws {
        let all = Randomisation.all(of: try Plan.of(["holdouts.yaml": "h: { share: \(share) }"]))
        #expect(all.map(\.isHalved) == [true])
        #expect(all[0].decidedBy == .first)
    }
}
