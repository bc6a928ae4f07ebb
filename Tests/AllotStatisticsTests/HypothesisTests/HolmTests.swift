import AllotStatistics
import Testing

struct HolmTests {
    /// statsmodels 0.15, `multipletests([…], method="holm")[1]`.
    @Test("Adjusted p-values are those of statsmodels")
    func adjusted() {
        let adjusted = Holm.adjusted([0.01, 0.04, 0.03, 0.005, 0.5, 0.02].map { PValue($0) })
        for (value, expected) in zip(adjusted, [0.05, 0.09, 0.09, 0.03, 0.5, 0.08]) {
            expectClose(value.value, expected, within: 1e-14)
        }
    }

    @Test("A single p-value needs no adjustment, and no adjusted one is above 1")
    func few() {
        #expect(Holm.adjusted([]) == [])
        #expect(Holm.adjusted([PValue(0.3)]) == [PValue(0.3)])
        #expect(Holm.adjusted([PValue(0.9), PValue(0.8)]) == [PValue(1), PValue(1)])
    }

    @Test("Adjustment keeps p-values below the least double")
    func logarithmsStay() {
        let adjusted = Holm.adjusted([PValue(logarithm: -5000), PValue(logarithm: -.infinity)])
        #expect(adjusted == [PValue(logarithm: -5000), PValue(logarithm: -.infinity)])
        let three = Holm.adjusted([PValue(logarithm: -5000), PValue(1), PValue(1)])
        expectClose(three[0].logarithm, -5000 + logarithm(3), within: 1e-15)
    }
}
