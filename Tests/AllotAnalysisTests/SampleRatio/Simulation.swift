import TestSupport

@testable import AllotAnalysis

/// Units with attributes and random variants, of which some are lost.
struct Simulation {
    struct Unit {
        let variant: String
        let country: String
        let platform: String
        let version: String

        init(using generator: inout SeededGenerator) {
            variant = Bool.random(using: &generator) ? "control" : "green"
            country = generator.pick(["DE", "DE", "DE", "DE", "US", "US", "US", "FR", "FR", "GB"])
            platform = generator.pick(["ios", "android", "web"])
            version = "\(Int.random(in: 0..<12, using: &generator))"
        }
    }

    let seed: Int
    let units: Int
    /// The probability that a unit is not recorded.
    var loss: (Unit) -> Double = { _ in 0 }

    func report() throws -> SampleRatioReport {
        var generator = SeededGenerator(seed: seed)
        var csv = "unit,variant,country,platform,version\n"
        for number in 0..<units {
            let unit = Unit(using: &generator)
            if generator.chance(loss(unit)) { continue }
            csv += "u\(number),\(unit.variant),\(unit.country),\(unit.platform),\(unit.version)\n"
        }
        return try sampleRatio(csv, shares: "control=1,green=1") { $0.isInTimeOrder = true }.reports[0]
    }
}
