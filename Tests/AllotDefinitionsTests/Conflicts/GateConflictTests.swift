import AllotDefinitions
import Testing

struct GateConflictTests {
    private static let layers: Files = ["layers.yaml": "main:\nother:"]

    @Test(
        "Disjoint slots, disjoint schedules and statuses prevent conflicts",
        arguments: ConflictPair.table(
            """
            disjoint slots | layer: main⏎slots: [0%..<50%] | layer: main⏎slots: [50%..<100%]
            | layer: main⏎slots: [499999..<1000000]
            disjoint slots of two layers | layer: main⏎slots: [0%..<50%] | layer: main⏎slots: [50%..<100%]
            | layer: other⏎slots: [50%..<100%]
            interleaved slots | layer: main⏎slots: [0..<5, 10..<15] | layer: main⏎slots: [5..<10, 15..<20]
            | layer: main⏎slots: [5..<10, 14..<20]
            slots of a draft | layer: main⏎slots: [0%..<50%] | status: draft⏎layer: main⏎slots: [50%..<100%]
            | status: draft
            a winner ignores slots | layer: main⏎slots: [0%..<50%] | layer: main⏎slots: [50%..<100%]
            | status: concluded⏎winner: b⏎layer: main⏎slots: [50%..<100%]
            schedules that touch | ends: 2027-01-01T00:00:00Z | starts: 2027-01-01T01:00:00+01:00
            | starts: 2026-12-31T23:59:59.999999999Z
            schedules with a gap | starts: 2027-01-01T00:00:00Z⏎ends: 2027-02-01T00:00:00Z
            | starts: 2027-03-01T00:00:00Z | ends: 2027-03-01T00:00:00Z
            the schedule of a draft | status: draft⏎ends: 2027-01-01T00:00:00Z | starts: 2027-01-01T00:00:00Z
            | starts: 2026-12-01T00:00:00Z
            a winner ignores schedules | ends: 2027-01-01T00:00:00Z | starts: 2027-01-01T00:00:00Z
            | status: concluded⏎winner: b⏎starts: 2027-01-01T00:00:00Z
            paused | status: running | status: paused | status: draft
            concluded without a winner | status: running | status: concluded | status: concluded⏎winner: b
            a winner that sets nothing | status: running | status: concluded⏎winner: a | status: concluded⏎winner: b
            two winners | status: concluded⏎winner: b⏎audience: { country: DE }
            | status: concluded⏎winner: b⏎audience: { country: FR } | status: concluded⏎winner: b
            """))
    func slotsSchedulesAndStatuses(pair: ConflictPair) {
        pair.check(with: Self.layers)
    }

    /// The second variant, which sets the colour.
    private static func blue(_ share: String) -> String { "{ key: b, \(share), overrides: { Shop: { Color: blue } } }" }

    @Test(
        "Variants and times without units prevent conflicts",
        arguments: ConflictPair.table(
            """
            a weight of 0 | status: running | NOSHARE | variants: [{ key: a }, SHARE]
            a weight of 0 with a forced unit | status: running | NOSHARE | NOSHARE⏎forced: { u: b }
            a forced unit of another variant | status: running | NOSHARE⏎forced: { u: a } | status: running
            no buckets | status: running | variants: [{ key: a, buckets: [0%..<50%] }, NOBUCKETS] | status: running
            a draft's weight of 0 | status: running | status: draft⏎NOSHARE | status: draft
            a winner with a weight of 0 | status: running | status: concluded⏎winner: a⏎NOSHARE
            | status: concluded⏎winner: b⏎NOSHARE
            traffic that begins later | ends: 2026-12-31T00:00:00Z
            | traffic: [{ from: 2026-11-25T00:00:00Z, share: 0% }, { from: 2027-01-01T00:00:00Z, share: 1% }]
            | traffic: [{ from: 2026-11-25T00:00:00Z, share: 1% }, { from: 2027-01-01T00:00:00Z, share: 2% }]
            traffic that ceases | starts: 2026-12-31T00:00:00Z
            | traffic: [{ from: 2026-11-25T00:00:00Z, share: 1% }, { from: 2026-12-31T00:00:00Z, share: 0% }]
            | traffic: [{ from: 2026-12-31T00:00:00Z, share: 0% }, { from: 2027-12-31T00:00:00Z, share: 1% }]
            a winner ignores traffic | ends: 2026-12-31T00:00:00Z | traffic: [{ from: 2027-01-01T00:00:00Z, share: 1% }]
            | status: concluded⏎winner: b⏎traffic: [{ from: 2027-01-01T00:00:00Z, share: 1% }]
            """.replacing("NOSHARE", with: "variants: [{ key: a }, \(blue("weight: 0"))]")
                .replacing("SHARE", with: blue("weight: 1")).replacing("NOBUCKETS", with: blue("buckets: []"))))
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

    @Test(
        "Requirements of different variants prevent conflicts",
        arguments: ConflictPair.table(
            """
            two variants of one experiment | requires: { gate: [open] } | requires: { gate: [shut] }
            | requires: { gate: [shut, open] }
            several experiments | requires: { gate: [open], door: [open] } | requires: { gate: [open], door: [shut] }
            | requires: { gate: [open] }
            a variant and none | requires: { gate: [open, shut] } | requires: { gate: none } | requires: { door: none }
            none and none | requires: { gate: none, door: none } | requires: { gate: none, door: [open] }
            | requires: { gate: none, door: none }
            variants of two experiments | requires: { gate: [open] } | requires: { gate: [shut] }
            | requires: { door: [shut] }
            """))
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
