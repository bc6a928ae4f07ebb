import AllotExposures
import TestSupport

extension SeededGenerator {
    /// A random exposure out of few, so that many are equal in part.
    mutating func exposure(unit: String? = nil) -> Exposure {
        let letters = ["a", "b", "ü", "u\u{308}", "\"", ",", "\n", "\r", " ", "🙂"]
        let units = (0..<2).map { _ in letters[Int.random(in: 0..<letters.count, using: &self)] }.joined()
        return Exposure(
            id: Bool.random(using: &self) ? "event-\(Int.random(in: 0..<200, using: &self))" : nil,
            unit: unit ?? units, experiment: "experiment \(Int.random(in: 0..<3, using: &self))",
            variant: ["control", "treatment"][Int.random(in: 0..<2, using: &self)],
            at: Int64.random(in: 0..<1000, using: &self),
            attributes: Bool.random(using: &self) ? #"{"n":\#(Int.random(in: 0..<9, using: &self))}"# : nil)
    }
}
