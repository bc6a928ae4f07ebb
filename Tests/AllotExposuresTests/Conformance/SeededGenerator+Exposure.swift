import TestSupport

@testable import AllotExposures

extension SeededGenerator {
    /// A random exposure out of few, so that many are equal in part. The experiments, salts and variants are ASCII.
    mutating func exposure(unit: String? = nil) -> Exposure {
        let letters = ["a", "b", "ü", "u\u{308}", "\"", ",", "\n", "\r", " ", "🙂"]
        let units = (0..<2).map { _ in letters[Int.random(in: 0..<letters.count, using: &self)] }.joined()
        let experiment = "experiment \(Int.random(in: 0..<3, using: &self))"
        var exposure = Exposure(
            id: Bool.random(using: &self) ? "event-\(Int.random(in: 0..<200, using: &self))" : nil,
            unit: unit ?? units, experiment: experiment,
            salt: Int.random(in: 0..<3, using: &self) == 0 ? "other" : experiment,
            variant: ["control", "treatment"][Int.random(in: 0..<2, using: &self)],
            reason: ["split", "split", "winner", "forced"][Int.random(in: 0..<4, using: &self)],
            at: Int64.random(in: -500..<500, using: &self), receivedAt: Int64.random(in: 0..<1000, using: &self))
        exposure.revision = [nil, "r1", "r2", ""][Int.random(in: 0..<4, using: &self)]
        exposure.isOverridden = Int.random(in: 0..<5, using: &self) == 0
        if Int.random(in: 0..<3, using: &self) == 0 { exposure.window = Int64.random(in: 0..<3, using: &self) }
        if Bool.random(using: &self) { exposure.attributes = #"{"n":\#(Int.random(in: 0..<9, using: &self))}"# }
        if Int.random(in: 0..<3, using: &self) == 0 {
            exposure.doubt = Exposure.Doubt.allCases[Int.random(in: 0..<2, using: &self)]
            exposure.reportedAt = Int64.random(in: 0..<1000, using: &self)
        }
        return exposure
    }

    mutating func exposures(_ counts: Range<Int>) -> [Exposure] {
        (0..<Int.random(in: counts, using: &self)).map { _ in exposure() }
    }
}
