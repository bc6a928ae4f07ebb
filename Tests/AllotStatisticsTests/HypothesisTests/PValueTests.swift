import AllotStatistics
import Testing

struct PValueTests {
    @Test(
        "A p-value is written with four decimals or as a power of ten",
        arguments: [
            (1.0, "1.0000"), (0.99999, "1.0000"), (0.7584, "0.7584"), (0.05, "0.0500"), (0.00861, "0.0086"),
            (0.001, "0.0010"), (0.00099999, "1.0e-3"), (0.00094, "9.4e-4"), (2.54e-10, "2.5e-10"), (9.96e-8, "1.0e-7"),
            (1e-300, "1.0e-300"), (Double.leastNonzeroMagnitude, "4.9e-324"), (0.0, "0"),
        ])
    func description(probability: Double, expected: String) {
        #expect(PValue(probability).description == expected)
    }

    @Test(
        "A p-value below the least double is written from its logarithm",
        arguments: [
            (-1178.6599, "1.3e-512"), (-2302.5850929940457, "1.0e-1000"), (-1e12, "5.6e-434294481904"),
            (-1e14, "1e-43429448190325"), (-1e20, "1e-4.342944819032518e+19"), (-Double.infinity, "0"), (0.0, "1.0000"),
        ])
    func descriptionOfLogarithms(logarithm: Double, expected: String) {
        #expect(PValue(logarithm: logarithm).description == expected)
    }

    @Test("The smaller p-value is the less likely one")
    func smallerIsLess() {
        let sorted = [-Double.infinity, -1e300, -2000, -1999, -1, 0].map { PValue(logarithm: $0) }
        #expect(sorted.shuffled().sorted() == sorted)
        #expect(PValue(0.0009) < PValue(0.001))
        #expect(PValue(0.001) == PValue(0.001))
    }

    @Test("A number that is not a probability becomes the nearest one")
    func numberThatIsNotAProbability() {
        #expect(PValue(1.0000000000000002) == PValue(1))
        #expect(PValue(-1e-17) == PValue(0))
        #expect(PValue(.nan) == PValue(1))
        #expect(PValue(logarithm: 1e-17) == PValue(1))
        #expect(PValue(logarithm: .nan) == PValue(1))
    }
}
