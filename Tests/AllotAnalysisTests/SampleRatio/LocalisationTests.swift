import AllotStatistics
import Testing

@testable import AllotAnalysis

struct LocalisationTests {
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

    /// A loss of 250 units of 3,000, with one variant and no country, on each platform alike.
    @Test("The value that loses units is found among several attributes, and units without a value are a value")
    func valueThatLosesUnits() throws {
        let report = try report("country,platform", 3000) { number in
            let values = "\(number % 3 == 0 ? "" : "DE"),\(number % 5 < 2 ? "ios" : "web")"
            return number % 12 == 0 ? nil : (half(number), values)
        }
        let first = try #require(report.localisation.values.first)
        #expect(first.adjusted < PValue(1e-6))
        #expect(report.localisation.finding == .source([first], without: PValue(1)))
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
