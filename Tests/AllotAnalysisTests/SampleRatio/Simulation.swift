import TestSupport

@testable import AllotAnalysis

/// Units with attributes and random variants, of which some are lost.
struct Simulation {
    struct Unit {
        let variant: String
        let country: String
        let platform: String
        let version: String
    }

    private let generator: SeededGenerator
    private let units: Int
    /// The probability that a unit is not recorded.
    var loss: (Unit) -> Double = { _ in 0 }
    var attributes: [String]?

    init(seed: Int, units: Int) {
        generator = SeededGenerator(seed: seed)
        self.units = units
    }

    private static func unit(using generator: inout SeededGenerator) -> Unit {
        let countries = ["DE", "DE", "DE", "DE", "US", "US", "US", "FR", "FR", "GB"]
        return Unit(
            variant: Bool.random(using: &generator) ? "control" : "green",
            country: countries.randomElement(using: &generator) ?? "",
            platform: ["ios", "android", "web"].randomElement(using: &generator) ?? "",
            version: "\(Int.random(in: 0..<12, using: &generator))")
    }

    func report() throws -> SampleRatioReport {
        var generator = generator
        var csv = "unit,variant,country,platform,version\n"
        for number in 0..<units {
            let unit = Self.unit(using: &generator)
            if Double.random(in: 0..<1, using: &generator) < loss(unit) { continue }
            csv += "u\(number),\(unit.variant),\(unit.country),\(unit.platform),\(unit.version)\n"
        }
        return try sampleRatio(csv, .shares(try GivenShares("control=1,green=1"))) {
            $0.attributes = attributes ?? []
            $0.isInTimeOrder = true
        }.reports[0]
    }
}
