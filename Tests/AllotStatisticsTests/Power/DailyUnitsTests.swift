import AllotStatistics
import Testing

struct DailyUnitsTests {
    @Test(
        "Days are rounded up",
        arguments: [
            (29_502, 1000.0, 0.4, 74, 11), (29_502, 29_502, 1, 1, 1), (29_503, 29_502, 1, 2, 1), (1, 1e9, 1, 1, 1),
            (700, 100, 1, 7, 1), (701, 100, 1, 8, 2), (3, 10, 0.1, 3, 1),
            (1_000_000_000_000, 1, 1, 1_000_000_000_000, 142_857_142_858),
        ])
    func days(units: Int, unitsPerDay: Double, traffic: Double, days: Int, weeks: Int) throws {
        let length = try DailyUnits(unitsPerDay, traffic: traffic).length(of: units)
        #expect(length.days == days)
        #expect(length.weeks == weeks)
    }

    @Test("Units of a number of days are rounded down")
    func unitsOfDays() throws {
        #expect(try DailyUnits(1000, traffic: 0.3).units(in: 14) == 4200)
        #expect(try DailyUnits(10.5).units(in: 3) == 31)
        #expect(throws: PowerError.tooManyUnits) { try DailyUnits(1e10).units(in: 1_000_000) }
    }

    @Test("While the traffic rises, each stage enrols its share of the new units")
    func ramp() throws {
        let daily = DailyUnits(1000, ramp: [0.01, 0.1, 0.5, 1], days: 2)
        // 20, 200 and 1000 units in the first six days.
        #expect(try daily.units(in: 6) == 1220)
        #expect(try daily.units(in: 5.0) == [20, 200, 500, 0])
        for (units, days) in [(1, 1), (20, 2), (21, 3), (220, 4), (221, 5), (1220, 6), (1221, 7), (3220, 8), (3221, 9)]
        {
            #expect(try daily.length(of: units).days == days, "\(units)")
        }
        #expect(daily.traffic == 1)
        // A stage of half a day.
        #expect(try DailyUnits(1000, ramp: [0.1, 1], days: 0.5).length(of: 551).days == 2)
        #expect(try DailyUnits(1000, ramp: [0.1, 1], days: 0.5).length(of: 550).days == 1)
        #expect(throws: PowerError.invalidTraffic(0)) { try DailyUnits(10, ramp: [0, 1], days: 1).length(of: 10) }
    }

    @Test("Numbers of units and shares that are not valid are refused")
    func refusals() {
        for value in [0, -1, Double.infinity, 1e15, 1e30] {
            #expect(throws: PowerError.invalidUnitsPerDay(value)) { try DailyUnits(value).length(of: 10) }
            #expect(throws: PowerError.invalidUnitsPerDay(value)) {
                try DailyUnits(value, ramp: [0.01, 1], days: 1).units(in: 1.0)
            }
        }
        for traffic in [0, -0.1, 1.1] {
            #expect(throws: PowerError.invalidTraffic(traffic)) { try DailyUnits(10, traffic: traffic).length(of: 10) }
        }
        #expect(throws: PowerError.lessThanOneUnitPerDay) { try DailyUnits(10, traffic: 0.09).length(of: 10) }
        #expect(throws: PowerError.self) { try DailyUnits(.nan).length(of: 10) }
    }
}
