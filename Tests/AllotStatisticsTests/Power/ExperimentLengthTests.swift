import AllotStatistics
import Testing

@Suite struct ExperimentLengthTests {
    @Test(
        "Days are rounded up",
        arguments: [
            (29_502, 1000.0, 0.4, 74, 11), (29_502, 29_502, 1, 1, 1), (29_503, 29_502, 1, 2, 1), (1, 1e9, 1, 1, 1),
            (700, 100, 1, 7, 1), (701, 100, 1, 8, 2), (3, 10, 0.1, 3, 1),
            (1_000_000_000_000, 1, 1, 1_000_000_000_000, 142_857_142_858),
        ])
    func days(units: Int, unitsPerDay: Double, traffic: Double, days: Int, weeks: Int) throws {
        let length = try ExperimentLength(units: units, unitsPerDay: unitsPerDay, traffic: traffic)
        #expect(length.days == days)
        #expect(length.weeks == weeks)
    }

    @Test("Units of a number of days are rounded down")
    func unitsOfDays() throws {
        #expect(try ExperimentLength.units(in: 14, unitsPerDay: 1000, traffic: 0.3) == 4200)
        #expect(try ExperimentLength.units(in: 3, unitsPerDay: 10.5) == 31)
        #expect(throws: PowerError.tooManyUnits) { try ExperimentLength.units(in: 1_000_000, unitsPerDay: 1e10) }
    }

    @Test("Numbers of units and shares that are not valid are refused")
    func refusals() {
        for value in [0, -1, Double.infinity] {
            #expect(throws: PowerError.invalidUnitsPerDay(value)) {
                try ExperimentLength(units: 10, unitsPerDay: value)
            }
        }
        for traffic in [0, -0.1, 1.1] {
            #expect(throws: PowerError.invalidTraffic(traffic)) {
                try ExperimentLength(units: 10, unitsPerDay: 10, traffic: traffic)
            }
        }
        #expect(throws: PowerError.lessThanOneUnitPerDay) {
            try ExperimentLength(units: 10, unitsPerDay: 10, traffic: 0.09)
        }
        #expect(throws: PowerError.self) { try ExperimentLength(units: 10, unitsPerDay: .nan) }
    }
}
