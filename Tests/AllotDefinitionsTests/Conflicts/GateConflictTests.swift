import AllotDefinitions
import Testing

struct GateConflictTests {
    private static let layers: Files = ["layers.yaml": "main:\nother:"]

    @Test(
        "Disjoint slots, disjoint schedules and statuses prevent conflicts",
        arguments: [
            ConflictPair(
                "disjoint slots", "layer: main\nslots: [0%..<50%]", "layer: main\nslots: [50%..<100%]",
                nearMiss: "layer: main\nslots: [499999..<1000000]"),
            ConflictPair(
                "disjoint slots of two layers", "layer: main\nslots: [0%..<50%]", "layer: main\nslots: [50%..<100%]",
                nearMiss: "layer: other\nslots: [50%..<100%]"),
            ConflictPair(
                "interleaved slots", "layer: main\nslots: [0..<5, 10..<15]", "layer: main\nslots: [5..<10, 15..<20]",
                nearMiss: "layer: main\nslots: [5..<10, 14..<20]"),
            ConflictPair(
                "slots of a draft", "layer: main\nslots: [0%..<50%]", "status: draft\nlayer: main\nslots: [50%..<100%]",
                nearMiss: "status: draft"),
            ConflictPair(
                "a winner ignores slots", "layer: main\nslots: [0%..<50%]", "layer: main\nslots: [50%..<100%]",
                nearMiss: "status: concluded\nwinner: b\nlayer: main\nslots: [50%..<100%]"),
            ConflictPair(
                "schedules that touch", "ends: 2027-01-01T00:00:00Z", "starts: 2027-01-01T01:00:00+01:00",
                nearMiss: "starts: 2026-12-31T23:59:59.999999999Z"),
            ConflictPair(
                "schedules with a gap", "starts: 2027-01-01T00:00:00Z\nends: 2027-02-01T00:00:00Z",
                "starts: 2027-03-01T00:00:00Z", nearMiss: "ends: 2027-03-01T00:00:00Z"),
            ConflictPair(
                "the schedule of a draft", "status: draft\nends: 2027-01-01T00:00:00Z", "starts: 2027-01-01T00:00:00Z",
                nearMiss: "starts: 2026-12-01T00:00:00Z"),
            ConflictPair(
                "a winner ignores schedules", "ends: 2027-01-01T00:00:00Z", "starts: 2027-01-01T00:00:00Z",
                nearMiss: "status: concluded\nwinner: b\nstarts: 2027-01-01T00:00:00Z"),
            ConflictPair("paused", "", "status: paused", nearMiss: "status: draft"),
            ConflictPair(
                "concluded without a winner", "", "status: concluded", nearMiss: "status: concluded\nwinner: b"),
            ConflictPair(
                "a winner that sets nothing", "", "status: concluded\nwinner: a",
                nearMiss: "status: concluded\nwinner: b"),
            ConflictPair(
                "two winners", "status: concluded\nwinner: b\naudience: { country: DE }",
                "status: concluded\nwinner: b\naudience: { country: FR }", nearMiss: "status: concluded\nwinner: b"),
        ])
    func slotsSchedulesAndStatuses(pair: ConflictPair) {
        pair.check(with: Self.layers)
    }

    private static let noShare = "variants: [{ key: a }, { key: b, weight: 0, overrides: { Shop: { Color: blue } } }]"

    @Test(
        "Variants and times without units prevent conflicts",
        arguments: [
            ConflictPair("a weight of 0", "", noShare, nearMiss: noShare.replacing("weight: 0", with: "weight: 1")),
            ConflictPair("a weight of 0 with a forced unit", "", noShare, nearMiss: noShare + "\nforced: { u: b }"),
            ConflictPair("a forced unit of another variant", "", noShare + "\nforced: { u: a }", nearMiss: ""),
            ConflictPair(
                "no buckets", "",
                noShare.replacing("a }", with: "a, buckets: [0%..<50%] }")
                    .replacing("weight: 0", with: "buckets: []"), nearMiss: ""),
            ConflictPair(
                "a draft's weight of 0", "", "status: draft\n" + noShare, nearMiss: "status: draft"),
            ConflictPair(
                "a winner with a weight of 0", "", "status: concluded\nwinner: a\n" + noShare,
                nearMiss: "status: concluded\nwinner: b\n" + noShare),
            ConflictPair(
                "traffic that begins later", "ends: 2026-12-31T00:00:00Z",
                "traffic: [{ from: 2026-11-25T00:00:00Z, share: 0% }, { from: 2027-01-01T00:00:00Z, share: 1% }]",
                nearMiss: "traffic: [{ from: 2026-11-25T00:00:00Z, share: 1% }, "
                    + "{ from: 2027-01-01T00:00:00Z, share: 2% }]"),
            ConflictPair(
                "traffic that ceases", "starts: 2026-12-31T00:00:00Z",
                "traffic: [{ from: 2026-11-25T00:00:00Z, share: 1% }, { from: 2026-12-31T00:00:00Z, share: 0% }]",
                nearMiss: "traffic: [{ from: 2026-11-25T00:00:00Z, share: 1% }, "
                    + "{ from: 2026-12-31T00:00:00Z, share: 0% }, { from: 2027-12-31T00:00:00Z, share: 1% }]"),
            ConflictPair(
                "a winner ignores traffic", "ends: 2026-12-31T00:00:00Z",
                "traffic: [{ from: 2027-01-01T00:00:00Z, share: 1% }]",
                nearMiss: "status: concluded\nwinner: b\ntraffic: [{ from: 2027-01-01T00:00:00Z, share: 1% }]"),
        ])
    func variantsAndTimesWithoutUnits(pair: ConflictPair) {
        pair.check()
    }

    @Test("Shares that cannot be read hide no conflict")
    func unreadableShares() {
        let faulty = "variants: [{ key: a, weight: -1 }, { key: b, overrides: { Shop: { Color: blue } } }]"
        let files = Files.base + ["a.yaml": experiment(""), "b.yaml": experiment(faulty)]
        #expect(ConflictPair.conflicts(in: files).count == 1)
    }

    @Test("Slots belong to experiments by their schedules, whatever their traffic")
    func slotsOfTrafficSteps() {
        let steps = "traffic: [{ from: 2027-01-01T00:00:00Z, share: 10% }]"
        for (start, count) in [("", 1), ("\nstarts: 2027-01-01T00:00:00Z", 0)] {
            let files =
                Files.base + Self.layers + [
                    "a.yaml": experiment("layer: main\nslots: [0%..<50%]\nends: 2027-01-01T00:00:00Z"),
                    "b.yaml": experiment("layer: main\nslots: [0%..<50%]\n\(steps)\(start)"),
                ]
            let errors = DefinitionsLoader.fixed.problems(in: files).filter { $0.severity == .error }
            #expect(errors.count == count)
            #expect(errors.allSatisfy { $0.message.contains("a slot belongs to one experiment at a time") })
        }
    }

    @Test("Overlaps of slots beyond twenty are counted")
    func manySlotOverlaps() {
        var files = Files.base + Self.layers
        for index in 0..<25 {
            files["e\(index + 10).yaml"] =
                "status: running\nlayer: main\nslots: [0%..<50%]\nvariants: [{ key: a }]"
        }
        let last = DefinitionsLoader.fixed.problems(in: files).filter { $0.file == "e34.yaml" }
        #expect(last.count == 21)
        #expect(last.first?.message == "not listed: 4 further slot overlaps of e34; fix the others first")
    }

    @Test(
        "Requirements of different variants prevent conflicts",
        arguments: [
            ConflictPair(
                "two variants of one experiment", "requires: { gate: [open] }", "requires: { gate: [shut] }",
                nearMiss: "requires: { gate: [shut, open] }"),
            ConflictPair(
                "several experiments", "requires: { gate: [open], door: [open] }",
                "requires: { gate: [open], door: [shut] }",
                nearMiss: "requires: { gate: [open] }"),
            ConflictPair(
                "a variant and none", "requires: { gate: [open, shut] }", "requires: { gate: none }",
                nearMiss: "requires: { door: none }"),
            ConflictPair(
                "none and none", "requires: { gate: none, door: none }", "requires: { gate: none, door: [open] }",
                nearMiss: "requires: { gate: none, door: none }"),
            ConflictPair(
                "variants of two experiments", "requires: { gate: [open] }", "requires: { gate: [shut] }",
                nearMiss: "requires: { door: [shut] }"),
        ])
    func requirements(pair: ConflictPair) {
        let gate = "status: running\nvariants: [{ key: open }, { key: shut }]"
        pair.check(with: ["gate.yaml": gate, "door.yaml": gate])
    }

    @Test("Requiring a variant that does not override the setting, or none, prevents a conflict")
    func requiringAVariantThatDoesNotSetIt() {
        for (variant, count) in [("[a]", 0), ("[b]", 1), ("none", 0)] {
            let files =
                Files.base + [
                    "first.yaml": experiment(""), "second.yaml": experiment("requires: { first: \(variant) }"),
                ]
            #expect(ConflictPair.conflicts(in: files).count == count)
            let turned =
                Files.base + [
                    "second.yaml": experiment(""), "first.yaml": experiment("requires: { second: \(variant) }"),
                ]
            #expect(ConflictPair.conflicts(in: turned).count == count)
        }
    }
}
