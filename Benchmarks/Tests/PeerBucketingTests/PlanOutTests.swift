import PeerBucketing
import Testing

/// PlanOut's operators; expected values by PlanOut 0.6.0 (PyPI) for Python.
@Suite struct PlanOutTests {
    private let message = Array("exp-1.variant.1".utf8)

    /// `a = Assignment("exp-1"); a.variant = RandomFloat(min=0, max=1, unit="1")`
    @Test("Uniform")
    func uniform() {
        #expect(PlanOut.uniform(message.span) == 0.6669864548409482)
    }

    /// `a.variant = WeightedChoice(choices=[0, 1, 2], weights=W, unit="1")`
    @Test(
        "Weighted choice",
        arguments: [([1, 1, 1], 2), ([2, 1], 1), ([3, 1], 0), ([0, 0, 5], 2), ([1], 0), ([], nil)] as [([Double], Int?)]
    )
    func weightedChoice(_ weights: [Double], _ choice: Int?) {
        #expect(PlanOut.weightedChoice(message.span, weights: weights) == choice)
    }
}
