import AllotStatistics
import Testing

@testable import AllotAnalysis

struct LocalisationTests {
    private func report(
        _ seed: Int, units: Int, _ loss: @escaping (Simulation.Unit) -> Double
    ) throws -> SampleRatioReport {
        try Simulation(seed: seed, units: units, loss: loss).report()
    }

    /// 3 in 10 French units of one variant are lost: 6 of 100 of all its units.
    @Test("The value that loses units is found", arguments: 0..<4)
    func findsTheValueThatLosesUnits(seed: Int) throws {
        let report = try report(seed, units: 60_000) { $0.variant == "green" && $0.country == "FR" ? 0.3 : 0 }
        #expect(report.isMismatch)
        let first = try #require(report.localisation.values.first)
        #expect(first.name == "country=FR")
        #expect(first.adjusted < PValue(1e-6))
        let without = try #require(first.without)
        #expect(without >= PValue(0.001))
        #expect(report.localisation.finding == .source([first], without: without))
    }

    @Test("Several values are named together", arguments: 0..<4)
    func namesSeveralValuesTogether(seed: Int) throws {
        let report = try report(seed, units: 40_000) {
            $0.variant == "green" && ($0.version == "3" || $0.version == "7") ? 0.5 : 0
        }
        #expect(report.localisation.finding.text == "source version=3, version=7")
    }

    /// That some attribute looks uneven has a probability of 0.05, and more than 2 of 8 one of 0.006.
    @Test("A loss everywhere has no source")
    func aLossEverywhereHasNoSource() throws {
        var uneven = 0
        for seed in 0..<8 {
            let report = try report(seed, units: 20_000) { $0.variant == "green" ? 0.08 : 0 }
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
        let report = try report(seed, units: 40_000) {
            ($0.variant == "green" && $0.country == "FR") || ($0.variant == "control" && $0.platform == "")
                ? 0.2
                : $0.variant == "control" && $0.country != "FR" ? 0.05 : 0
        }
        #expect(!report.isMismatch)
        #expect(report.localisation.finding.text == "hidden country=FR")
    }

    /// Units of rows with further columns.
    private func report(
        _ columns: String, _ count: Int, by attributes: [String] = [],
        _ row: (Int) -> (variant: String, values: String)?
    ) throws -> SampleRatioReport {
        let rows = (0..<count).compactMap { number in row(number).map { "u\(number),\($0.variant),\($0.values)\n" } }
        return try sampleRatio("unit,variant,\(columns)\n" + rows.joined(), shares: "control=1,green=1") {
            $0.attributes = attributes
        }.reports[0]
    }

    private func half(_ number: Int) -> String { number % 2 == 0 ? "green" : "control" }

    @Test("Units without a value are a value")
    func unitsWithoutAValueAreAValue() throws {
        let report = try report("country", 3000) { number in
            number % 12 == 0 ? nil : (half(number), number % 3 == 0 ? "" : "DE")
        }
        #expect(report.localisation.finding.text == "source country=(missing)")
    }

    @Test("Attributes with very many values are skipped")
    func attributesThatTellNothingAreSkipped() throws {
        let localisation = try report("constant,id,rare", 2000) { number in
            (half(number), "x,\(number),\(number < 4 ? "yes" : "no")")
        }.localisation
        #expect(localisation.attributes.map(\.name) == ["rare"])
        #expect(localisation.droppedAttributes == ["id"])
        #expect(localisation.untestedCount == 1)
        #expect(localisation.finding == .nothing)
    }

    @Test("Named attributes may have many values")
    func attributesThatWereAskedForMayHaveManyValues() throws {
        let report = try report("city,attributes", 4000, by: ["city", "plan"]) { number in
            (half(number), "c\(number % 200),\(number == 0 ? #""{""plan"":1,""country"":""DE""}""# : "")")
        }
        #expect(report.localisation.values.count { $0.attribute == "city" } == 200)
        #expect(report.localisation.tally.others.map(\.text) == ["country"])
    }

    @Test("Members of JSON are attributes")
    func membersOfJSON() throws {
        let rows = [
            #"{"country":"DE","device":{"os":"ios","ids":[1,2]},"seats":12,"paid":true,"plan":"free"}"#,
            #"{"device":{"os":"ios"},"device.os":"android","country":null}"#, "", "[1]", "{",
        ]
        let report = try report("plan,attributes", 1000) { number in
            (half(number), ",\"\(rows[number % 5].replacing("\"", with: "\"\""))\"")
        }
        let values = Dictionary(
            uniqueKeysWithValues: report.localisation.values.map { ($0.name, $0.counts.reduce(0, +)) })
        // Of the two ways in which the second row spells one path the first in order counts.
        #expect(
            values == [
                "country=DE": 200, "country=(missing)": 800, "device.os=ios": 400, "device.os=(missing)": 600,
                "seats=12": 200, "seats=(missing)": 800, "paid=true": 200, "paid=(missing)": 800,
            ])
        #expect(report.localisation.tally.unreadableCount == 400)
    }
}
