import TestSupport

@testable import AllotAnalysis

/// Units with attributes and variants drawn by chance, of which some are lost.
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
        var question = try SampleRatioQuestion.halves()
        question.attributes = attributes
        var tally = SampleRatioTally(question)
        var exposed = ExposedUnits()
        for number in 0..<units {
            let unit = Self.unit(using: &generator)
            if Double.random(in: 0..<1, using: &generator) < loss(unit) { continue }
            tally.add(
                "u\(number)", unit.variant,
                [("country", unit.country), ("platform", unit.platform), ("version", unit.version)], line: number + 2,
                units: &exposed)
        }
        return try tally.report(order: .known)
    }
}
