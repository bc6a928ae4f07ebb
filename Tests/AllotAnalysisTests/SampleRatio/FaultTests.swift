import AllotCore
import AllotStatistics
import TestSupport
import Testing

@testable import AllotAnalysis

/// The faults that a randomisation can have: each is an alarm that says which it is.
struct FaultTests {
    // MARK: Wrong variants

    /// From the eighth day on a share of units is served by another salt, which a ratio never shows.
    @Test("Variants of another salt are an alarm that says since when", arguments: [0.2, 0.6, 1])
    func anotherSalt(share: Double) throws {
        var export = try Export()
        let other = try Export(more: "salt: y\n")
        var generator = SeededGenerator(seed: Int(share * 10))
        export.rows = export.faultless(4000) { row in
            if (row.hour ?? 0) >= 168, generator.chance(share) { row.variant = other.variant(row.unit) }
        }
        let results = try export.results()
        #expect(results.alarms.contains("wrong-variants"))
        #expect(results.firstLine.hasPrefix("x: WRONG VARIANTS ("))
        #expect(results.firstLine.contains("since 2026-11-08T"), "\(results.firstLine)")
        #expect(!results.text.contains("every unit has the variant"))
        if share == 1 { #expect(results.firstLine.contains("as many as by chance")) }
    }

    /// Each variant is recorded under the label at its place.
    @Test(
        "Any permutation of any number of variants is an alarm that says what the labels became",
        arguments: [
            ([1, 1], "ba", "a is recorded as b"), ([1, 1, 1], "acb", "c is recorded as b and b is recorded as c"),
            ([1, 1, 2], "bac", "b is recorded as a"),
            ([1, 1, 1, 1], "bacd", "b is recorded as a and a is recorded as b"),
            ([1, 1, 1, 1, 1], "abced", "d is recorded as e"), ([1, 1, 1, 1], "bcda", "is recorded as"),
            ([50, 20, 15, 10, 5], "edcba", "e is recorded as a"), ([9, 1], "ba", "a is recorded as b"),
        ])
    func permutation(weights: [Int], labels: String, text: String) throws {
        var export = try Export(weights: weights)
        let labels = labels.map(String.init)
        export.rows = export.faultless(3000) { row in
            row.variant = labels[Int(row.variant.utf8.first ?? 97) - 97]
        }
        let results = try export.results()
        #expect(results.alarms.contains("wrong-variants"))
        #expect(results.firstLine.contains(text), "\(results.firstLine)")
    }

    @Test("Units with a foreign ID format are an alarm that names the value where they are", arguments: [0.2, 0.7])
    func foreignIDs(share: Double) throws {
        var export = try Export()
        export.columns = ["pipeline"]
        var generator = SeededGenerator(seed: 1)
        export.rows = export.faultless(3000) { row in
            let isForeign = generator.chance(share)
            if isForeign { row.unit += ".0" }
            row.values = [isForeign ? "pandas" : "spark"]
        }
        let results = try export.results()
        #expect(results.alarms.contains("wrong-variants"))
        #expect(results.text.contains("with pipeline=pandas"), "\(results.text)")
    }

    @Test("Fewer wrong variants than are tolerated are a note, and the share is the caller's")
    func toleratedShare() throws {
        var export = try Export()
        export.rows = export.faultless(3000)
        for index in 0..<24 { export.rows[index * 100].variant = index % 2 == 0 ? "a" : "b" }
        let results = try export.results()
        #expect(!results.isMismatch)
        #expect(results.text.contains("have another variant than Allot assigns"))
        #expect(!results.text.contains("every unit has the variant"))
        #expect(try export.results { $0.wrongShare = 0.0005 }.alarms == ["wrong-variants"])
    }

    // MARK: Several variants

    /// 5% of the units of one variant are recorded in the other one later, too.
    @Test("Units in several variants are an alarm, and so is the ratio without them")
    func severalVariants() throws {
        var export = try Export()
        export.rows = export.faultless(6000)
        export.rows += export.rows.filter { $0.variant == "a" }.enumerated().filter { $0.offset % 8 == 0 }.map {
            Export.Row(unit: $0.element.unit, variant: "b", hour: 335)
        }
        let results = try export.results(shares: "a=1,b=1")
        #expect(
            results.alarms == ["several-variants", "ratio-without-units-in-several-variants"], "\(results.firstLine)")
        #expect(!results.text.contains("every unit has the variant"))
        let wrong = try export.results()
        #expect(wrong.alarms.contains("wrong-variants"))
        #expect(wrong.text.contains("from a to b"))
        #expect(try export.results(shares: "a=1,b=1") { $0.severalShare = 0.2 }.alarms.count == 1)
    }

    // MARK: The order of rows

    /// The fault of the test above, ties and missing times; and files without times.
    @Test("The same rows in any order give the same report", arguments: [true, false])
    func orderOfRows(hasTimes: Bool) throws {
        var export = try Export(weights: [2, 1, 1])
        export.columns = ["country", "attributes"]
        export.hasTimes = hasTimes
        var generator = SeededGenerator(seed: 3)
        export.rows = export.faultless(300) { row in row.hour = row.hour.map { $0 / 5 * 5 % 100 } }
        export.rows += (0..<150).map { _ in
            let unit = "u\(Int.random(in: 0..<300, using: &generator))"
            let hour = Int.random(in: 0..<100, using: &generator) / 5 * 5
            return Export.Row(
                unit: unit, variant: generator.pick(["a", "b", "c", "z", ""]), hour: hour > 90 ? nil : hour,
                revision: generator.pick(["", "r1", "r2"]))
        }
        for index in export.rows.indices {
            export.rows[index].values = [
                generator.pick(["DE", "FR", "", "US"]),
                generator.pick(["", "{}", "nope", #""{""os"":""ios""}""#, #""{""os"":1}""#]),
            ]
        }
        let wanted = try export.results()
        let wantedOfShares = try export.results(shares: "1:1:1:1").lines
        for seed in 0..<2 {
            var generator = SeededGenerator(seed: seed)
            var other = export
            other.rows = seed == 0 ? export.rows.reversed() : export.rows.shuffled(using: &generator)
            let found = try other.results()
            #expect(found.lines == wanted.lines)
            #expect(found.json.prettyText == wanted.json.prettyText)
            #expect(try other.results(shares: "1:1:1:1").lines == wantedOfShares)
        }
    }

    @Test("The first exposure of a unit is its earliest by time, and the sequential test needs no order")
    func earliestRow() throws {
        var export = try Export()
        export.rows = export.faultless(2000)
        export.rows += export.rows.filter { $0.variant == "a" }.map {
            Export.Row(unit: $0.unit, variant: "b", hour: ($0.hour ?? 0) + 400)
        }
        export.rows.reverse()
        let report = try #require(try export.results().reports.first)
        #expect(
            report.counts
                == ["a", "b"].map { variant in export.faultless(2000).count { $0.variant == variant } })
        guard case .tested(_, crossing: nil) = report.sequential else {
            Issue.record("\(report.sequential)")
            return
        }
    }

    // MARK: Revisions

    /// A broken variant drives users away; the next revision is the repaired one with the same salt.
    @Test("Carry-over is named, with the advice to use new units or a new salt", arguments: 0..<3)
    func carryOver(seed: Int) throws {
        var export = try Export()
        var generator = SeededGenerator(seed: seed)
        let old = export.faultless(6000)
        export.rows = export.faultless(6000, revision: "r1") { row in row.hour = row.hour.map { $0 / 2 } }
        export.rows += export.faultless(2500, prefix: "n", revision: "r2") { row in
            row.hour = row.hour.map { 168 + $0 / 2 }
        }
        for row in old where generator.chance(row.variant == "a" ? 0.5 : 0.4) {
            let hour = 168 + Int.random(in: 0..<168, using: &generator)
            export.rows.append(.init(unit: row.unit, variant: row.variant, hour: hour, revision: "r2"))
        }
        let results = try export.results(shares: "a=1,b=1")
        #expect(results.alarms == ["carry-over"], "\(results.text)")
        #expect(results.firstLine.contains("CARRY-OVER in revision r2"))
        #expect(results.text.contains("Analyse only the new units of each revision, or restart with a new salt"))
    }

    /// Of the last variant 11% are lost in each of three revisions with other shares.
    @Test("A loss too small for each revision is found in all together")
    func stratified() throws {
        var found = 0
        for seed in 0..<5 {
            var generator = SeededGenerator(seed: seed)
            var rows = "unit,variant,revision,at\n"
            for (revision, share) in [0.5, 0.4, 0.3].enumerated() {
                for number in 0..<3000 {
                    let isLast = generator.chance(share)
                    if isLast, generator.chance(0.11) { continue }
                    rows += "r\(revision)u\(number),\(isLast ? "b" : "a"),r\(revision),\(revision * 3000 + number)\n"
                }
            }
            let shares = try [RevisionShares("r1=a=6,b=4"), RevisionShares("r2=a=7,b=3")]
            let results = try sampleRatio(rows, shares: "a=5,b=5") { $0.sharesOfRevisions = shares }
            if results.alarms.first == "ratio-over-revisions" { found += 1 }
            #expect(results.firstLine.hasPrefix("all rows, 3 revisions: "), "\(results.firstLine)")
        }
        #expect(found >= 3)
    }

    @Test("Untested units stand in the first line and in the alarms")
    func untested() throws {
        var export = try Export()
        export.rows = export.faultless(1000, revision: export.plan.experiments[0].revision)
        export.rows += export.faultless(300, prefix: "old", revision: "aa")
        let results = try export.results()
        #expect(!results.isMismatch)
        #expect(results.isUntested)
        #expect(results.alarms == ["untested"])
        #expect(results.reports.map(\.alarms) == [["untested"]])
        #expect(results.firstLine.contains("300 units NOT TESTED"))
        // The definition of that time is known, with other shares.
        let past = try Export(weights: [3, 1])
        export.rows = export.faultless(1000, revision: export.plan.experiments[0].revision)
        export.rows += past.faultless(800, prefix: "old", revision: past.plan.experiments[0].revision)
        let plan = past.plan
        let known = try export.results {
            $0.pastPlan = { _, revision in revision == plan.experiments[0].revision ? plan : nil }
        }
        #expect(known.alarms == [], "\(known.text)")
        #expect(known.reports.count == 2)
        #expect(known.text.contains("every unit has the variant that Allot assigns to it"))
    }

    // MARK: Where

    /// The rare variant is lost from noon on the last day, which the ratio does not show.
    @Test("A day without one variant is an alarm, and the last day gets its own sentence")
    func lastDay() throws {
        var export = try Export(weights: [9, 1])
        export.rows = export.faultless(12_000).filter { $0.variant != "b" || ($0.hour ?? 0) < 324 }
        let results = try export.results()
        #expect(results.alarms.contains("within-a-value"), "\(results.text)")
        #expect(results.text.contains("2026-11-14 is the last day of the data, and may be incomplete"))
    }

    @Test("An attribute of the audience counts as named, and another column is an outcome until it is")
    func outcomes() throws {
        for (audience, isAlarm) in [("", false), ("audience: { bought: { $in: [yes, no] } }\n", true)] {
            var export = try Export(more: audience.replacing("yes, no", with: "\"yes\", \"no\""))
            export.columns = ["bought"]
            var generator = SeededGenerator(seed: 2)
            export.rows = export.faultless(6000) { row in
                row.values = [generator.chance(row.variant == "a" ? 0.2 : 0.3) ? "yes" : "no"]
            }
            let results = try export.results()
            #expect((results.alarms == ["within-a-value"]) == isAlarm)
            if !isAlarm {
                #expect(results.alarms == [])
                #expect(!results.firstLine.contains("bought"))
                #expect(!results.text.contains("WRONG WITHIN"))
                #expect(results.text.contains("differs within bought=yes"))
                #expect(try export.results { $0.attributes = ["bought"] }.alarms == ["within-a-value"])
            }
        }
    }

    /// Two changes that crash together: 40% of the units with both are lost.
    @Test("An interaction with another running experiment is found", arguments: 0..<4)
    func interaction(seed: Int) throws {
        var export = try Export(
            others: ["other.yaml": "status: running\nsalt: s\(seed)\nvariants: [{ key: c, weight: 9 }, { key: d }]\n"])
        var generator = SeededGenerator(seed: seed)
        export.rows = export.faultless(8000).filter { row in
            export.variant(row.unit) == "a" || export.variant(row.unit, of: "other") == "c"
                || !generator.chance(0.4)
        }
        let results = try export.results()
        #expect(results.isMismatch)
        #expect(results.text.contains("other=d"), "\(results.text)")
    }

    /// 70% of the units of `b` with a pair of values are lost.
    private func lossOfPair(
        seed: Int, countries: [String], platforms: [String], isLost: (Export.Row) -> Bool
    ) throws -> Export {
        var export = try Export()
        export.columns = ["country", "platform"]
        var generator = SeededGenerator(seed: seed)
        var lost: Set<String> = []
        let rows = export.faultless(12_000) { row in
            row.values = [generator.pick(countries), generator.pick(platforms)]
            if row.variant == "b", isLost(row), generator.chance(0.7) { lost.insert(row.unit) }
        }
        export.rows = rows.filter { !lost.contains($0.unit) }
        return export
    }

    @Test("A loss in a pair of values is named as the pair", arguments: 0..<4)
    func pair(seed: Int) throws {
        let export = try lossOfPair(
            seed: seed, countries: ["DE", "FR", "US"], platforms: ["ios", "android", "web"]
        ) { $0.values == ["DE", "ios"] }
        let text = try export.results().text
        #expect(text.contains("country=DE and platform=ios") || text.contains("platform=ios and country=DE"), "\(text)")
    }

    /// Pairs whose loss neither shows in all units nor in one of their values.
    @Test(
        "A loss that only a pair of named values shows is an alarm",
        arguments: ["country=DE and platform=ios", "at=2026-11-10 and platform=ios"], [true, false])
    func hiddenPair(pair: String, isNamed: Bool) throws {
        let export = try lossOfPair(
            seed: 5, countries: ["DE", "FR", "US", "GB", "IT", "ES", "PL", "SE", "NO", "CH"],
            platforms: ["ios", "android", "web", "tv"]
        ) { row in
            let isDay = (9 * 24..<10 * 24).contains(row.hour ?? 0)
            return row.values[1] == "ios" && (pair.hasPrefix("at") ? isDay : row.values[0] == "DE")
        }
        let results = try export.results(shares: "1:1") {
            if isNamed { $0.attributes = ["country", "platform"] }
        }
        #expect(results.isMismatch == isNamed)
        #expect(results.alarms == (isNamed ? ["within-a-value"] : []))
        #expect(results.firstLine.contains(pair) == isNamed, "\(results.text)")
    }

    @Test(
        "Of several variants the one whose units are too few or too many is named",
        arguments: [
            ([50, 20, 15, 10, 5], "c", 0.8, "units of c are missing from the data: without them the others"),
            ([50, 20, 15, 10, 5], "e", 1.4, "units of e are too many: without them the others are in the ratio"),
            ([1, 1, 1], "a", 0.9, "units of a are missing from the data: without them the others"),
            ([1, 1], "a", 0.9, "units of a are missing from the data, or those of b are too many"),
        ])
    func oddVariant(weights: [Int], variant: String, kept: Double, text: String) throws {
        var export = try Export(weights: weights)
        var generator = SeededGenerator(seed: 3)
        let bots = export.faultless(12_000, prefix: "bot").filter { $0.variant == variant }
        export.rows = export.faultless(12_000).filter { row in
            row.variant != variant || generator.chance(kept)
        }
        export.rows += bots.prefix(Int(Double(bots.count) * max(kept - 1, 0)))
        #expect(try export.results().text.contains(text))
    }

    // MARK: Files

    @Test("Each row can be said to be a unit")
    func rowsAreUnits() throws {
        let rows = (0..<500).map { "\($0 % 2 == 0 ? "a" : "b"),\($0 % 7)\n" }.joined()
        let results = try sampleRatio("variant,recency\n" + rows, shares: "1:1") { $0.isUnitEachRow = true }
        #expect(results.reports.first?.counts == [250, 250])
        #expect(results.text.contains("500 rows, 500 units"))
    }

    @Test("In files of counts values of one row are no attributes")
    func outcomesOfCounts() throws {
        let rows = (0..<20).flatMap { day in
            [("a", 500 + day % 7), ("b", 503 - day % 5)].map {
                "2026-11-\(10 + day % 20),\($0.0),\($0.1),\($0.1 * 3 + day)\n"
            }
        }
        let results = try sampleRatio("date,variant,count,payments\n" + rows.joined(), shares: "1:1")
        #expect(results.reports.first?.localisation.attributes.map(\.name) == ["date"])
    }

    // MARK: Faultless data

    /// Three revisions and four attributes at a level of 5%: more than 25 alarms of 120 have a probability below 0.001
    /// if it is twice the level.
    @Test("Experiments without a fault are reported at most at twice the level")
    func falseAlarms() throws {
        var alarms = 0
        for seed in 0..<120 {
            var generator = SeededGenerator(seed: seed)
            var rows = "unit,variant,revision,at,k1,k2,k3,k4\n"
            var known: [(unit: String, variant: String)] = []
            for number in 0..<600 {
                let revision = number / 200
                var new = (unit: "u\(number)", variant: Bool.random(using: &generator) ? "a" : "b")
                if revision > 0, number % 4 == 0 { new = known.randomElement(using: &generator) ?? new }
                known.append(new)
                let values = (0..<4).map { _ in "\(Int.random(in: 0..<3, using: &generator))" }
                let time = "2026-11-\(10 + number / 50)T00:00:\(10 + number % 50)Z"
                rows += "\(new.unit),\(new.variant),r\(revision),\(time),\(values.joined(separator: ","))\n"
            }
            let results = try sampleRatio(rows, shares: "a=1,b=1") {
                $0.threshold = 0.05
                $0.attributes = ["k1", "k2", "k3", "k4"]
            }
            if results.isMismatch { alarms += 1 }
        }
        #expect(alarms <= 25)
    }
}
