import AllotStatistics
import Testing

@testable import AllotAnalysis

struct LocalisationTests {
    private func localisation(
        _ seed: Int, units: Int = 20_000, _ loss: @escaping (Simulation.Unit) -> Double
    ) throws -> SampleRatioReport {
        var simulation = Simulation(seed: seed, units: units)
        simulation.loss = loss
        return try simulation.report()
    }

    private func names(_ values: [Localisation.Value]) -> [String] {
        values.map { "\($0.attribute)=\($0.text ?? "-")" }
    }

    /// 3 in 10 French units of one variant are lost: 6 of 100 of all its units.
    @Test("The value that loses units is found", arguments: 0..<4)
    func findsTheValueThatLosesUnits(seed: Int) throws {
        let report = try localisation(seed, units: 60_000) { $0.variant == "green" && $0.country == "FR" ? 0.3 : 0 }
        #expect(report.isMismatch)
        guard case .source(let values, let without) = report.localisation.finding else {
            Issue.record("\(report.localisation.finding)")
            return
        }
        #expect(names(values) == ["country=FR"])
        #expect(without >= PValue(0.001))
        let first = try #require(report.localisation.values.first)
        #expect(names([first]) == ["country=FR"])
        #expect(first.adjusted < PValue(1e-6))
        #expect(first.without == without)
    }

    @Test("Several values are named together", arguments: 0..<4)
    func namesSeveralValuesTogether(seed: Int) throws {
        let report = try localisation(seed, units: 40_000) {
            $0.variant == "green" && ($0.version == "3" || $0.version == "7") ? 0.5 : 0
        }
        guard case .source(let values, _) = report.localisation.finding else {
            Issue.record("\(report.localisation.finding)")
            return
        }
        #expect(names(values).sorted() == ["version=3", "version=7"])
    }

    /// That some attribute looks uneven has a probability of 0.05, and more than 2 of 8 one of 0.006.
    @Test("A loss everywhere has no source")
    func aLossEverywhereHasNoSource() throws {
        var uneven = 0
        for seed in 0..<8 {
            let report = try localisation(seed) { $0.variant == "green" ? 0.08 : 0 }
            #expect(report.isMismatch)
            switch report.localisation.finding {
            case .everywhere: break
            case .uneven: uneven += 1
            default: Issue.record("\(report.localisation.finding)")
            }
        }
        #expect(uneven <= 2)
    }

    /// What one country loses of one variant another loses of the other.
    @Test("A mismatch that the total hides is found", arguments: 0..<4)
    func findsWhatTheTotalHides(seed: Int) throws {
        let report = try localisation(seed, units: 40_000) {
            ($0.variant == "green" && $0.country == "FR") || ($0.variant == "control" && $0.platform == "")
                ? 0.2
                : $0.variant == "control" && $0.country != "FR" ? 0.05 : 0
        }
        guard case .hidden(let value) = report.localisation.finding else {
            Issue.record("\(report.localisation.finding), \(report.mismatches)")
            return
        }
        #expect(!report.isMismatch)
        #expect(names([value]) == ["country=FR"])
    }

    @Test("Units without a value are a value")
    func unitsWithoutAValueAreAValue() throws {
        var tally = SampleRatioTally(try .halves())
        var units = ExposedUnits()
        for number in 0..<3000 {
            let isGreen = number % 2 == 0
            if isGreen, number % 3 == 0, number % 4 == 0 { continue }
            let country = number % 3 == 0 ? "" : "DE"
            tally.add("u\(number)", isGreen ? "green" : "control", [("country", country)], units: &units)
        }
        let report = try tally.report(order: .unknown)
        guard case .source(let values, _) = report.localisation.finding else {
            Issue.record("\(report.localisation.finding)")
            return
        }
        #expect(values.map(\.text) == [nil])
    }

    @Test("Attributes with very many values are skipped")
    func attributesThatTellNothingAreSkipped() throws {
        var tally = SampleRatioTally(try .halves())
        var units = ExposedUnits()
        for number in 0..<2000 {
            tally.add(
                "u\(number)", number % 2 == 0 ? "green" : "control",
                [("constant", "x"), ("id", "\(number)"), ("rare", number < 4 ? "yes" : "no")],
                units: &units)
        }
        let localisation = try tally.report(order: .unknown).localisation
        #expect(localisation.attributes.map(\.name) == ["rare"])
        #expect(localisation.droppedAttributes == ["id"])
        #expect(localisation.untestedCount == 1)
        #expect(localisation.finding == .nothing)
    }

    @Test("Named attributes may have many values")
    func attributesThatWereAskedForMayHaveManyValues() throws {
        var question = try SampleRatioQuestion.halves()
        question.attributes = ["city", "contry"]
        var tally = SampleRatioTally(question)
        var units = ExposedUnits()
        for number in 0..<4000 {
            tally.add(
                "u\(number)", number % 2 == 0 ? "green" : "control", [("city", "c\(number % 200)"), ("country", "DE")],
                units: &units)
        }
        let report = try tally.report(order: .unknown)
        #expect(report.localisation.values.count == 200)
        #expect(report.localisation.tally.missing == ["contry"])
        #expect(report.localisation.tally.others.map(\.text) == ["country"])
    }

    @Test("Members of JSON are attributes")
    func membersOfJSON() throws {
        var tally = SampleRatioTally(try .halves())
        _ = tally.localisation.column("plan")
        var units = ExposedUnits()
        let rows = [
            #"{"country":"DE","device":{"os":"ios","ids":[1,2]},"seats":12,"paid":true,"plan":"free"}"#,
            #"{"device":{"os":"ios"},"device.os":"android","country":null}"#, "", "[1]", "{",
        ]
        for number in 0..<1000 {
            let unit = "u\(number)"
            let variant = number % 2 == 0 ? "green" : "control"
            let taken = unit.withBytes { unit in
                variant.withBytes { tally.take(unit: unit, variant: $0, line: number + 2, period: 0, units: &units) }
            }
            guard case .counted(let taken) = taken else { continue }
            rows[number % 5].withBytes { tally.localisation.count(json: $0, variant: taken, 1, line: number + 2) }
        }
        let report = try tally.report(order: .unknown)
        let values = Dictionary(
            uniqueKeysWithValues: zip(
                names(report.localisation.values), report.localisation.values.map { $0.counts.reduce(0, +) }))
        // Of the two ways in which the second row spells one path the first in order counts.
        #expect(
            values == [
                "country=DE": 200, "country=-": 800, "device.os=ios": 400, "device.os=-": 600,
                "seats=12": 200, "seats=-": 800, "paid=true": 200, "paid=-": 800,
            ])
        #expect(report.localisation.tally.unreadableCount == 400)
        #expect(report.localisation.tally.firstUnreadableLine == 5)
    }

    /// As many tests as values, each of two sums: the time of 100,000 values is that of 100,000 chi-square tests.
    @Test("Many values are tested")
    func manyValues() throws {
        var question = try SampleRatioQuestion.halves()
        question.attributes = ["city"]
        var tally = SampleRatioTally(question)
        let attribute = tally.localisation.column("city") ?? -1
        let counts = ["control": 10, "green": 10]
        for (variant, count) in counts {
            let index = variant.withBytes { tally.take(count: count * 20_000, variant: $0, line: 2) } ?? -1
            for city in 0..<20_000 {
                "c\(city)".withBytes { tally.localisation.count(attribute, $0, variant: index, count) }
            }
        }
        let localisation = try tally.report(order: .unknown).localisation
        #expect(localisation.values.count == 20_000)
        #expect(localisation.values.allSatisfy { $0.adjusted == PValue(1) })
    }
}
