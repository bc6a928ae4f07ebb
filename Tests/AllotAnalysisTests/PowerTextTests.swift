import AllotConfiguration
import TestSupport
import Testing

@testable import AllotAnalysis

struct PowerTextTests {
    private let golden = GoldenFiles()

    private func check(_ name: String, _ ask: (inout PowerQuestion) throws -> Void) throws {
        var question = PowerQuestion()
        try ask(&question)
        try golden.expect(question.report().lines.joined(separator: "\n") + "\n", in: "power-\(name).txt")
    }

    @Test("The report on a design has the same text")
    func texts() throws {
        let onePercent = try WrittenNumber(argument: "1%")
        try check("units") { ($0.baseline, $0.effect) = (0.1, onePercent) }
        try check("duration") { ($0.baseline, $0.effect, $0.unitsPerDay, $0.traffic) = (0.1, onePercent, 1500, 0.4) }
        try check("effect") { ($0.baseline, $0.units) = (0.1, 100_000) }
        try check("power-of-mean") {
            ($0.standardDeviation, $0.mean, $0.days, $0.unitsPerDay) = (12.5, 40, 14, 1000)
            $0.effect = try WrittenNumber(argument: "0.5")
        }
        try check("arms") {
            ($0.baseline, $0.effect) = (0.1, onePercent)
            $0.allocation = try PlannedVariants(argument: "control=2,blue=1,green=1")
        }
        try check("uncorrected-arms") {
            ($0.baseline, $0.effect, $0.variants, $0.correction) = (0.1, onePercent, 4, .none)
        }
        try check("ramp") {
            ($0.baseline, $0.effect, $0.unitsPerDay) = (0.1, onePercent, 8000)
            ($0.ramp, $0.every) = ([0.01, 0.1, 1], TimeSpan("2d"))
        }
        try check("ramp-that-ends-early") {
            ($0.baseline, $0.effect, $0.unitsPerDay) = (0.1, onePercent, 8000)
            ($0.ramp, $0.every) = ([0.5, 0.8, 1], TimeSpan("4w"))
        }
        try check("rough") { ($0.baseline, $0.unitsPerVariant) = (0.01, 100) }
    }
}
