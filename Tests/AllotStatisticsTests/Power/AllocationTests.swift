import AllotStatistics
import Testing

struct AllocationTests {
    @Test("Shares are proportional to weights")
    func shares() throws {
        #expect(try Allocation(variants: 4).shares == [0.25, 0.25, 0.25, 0.25])
        #expect(try Allocation(weights: [50, 50]) == Allocation(variants: 2))
        #expect(try Allocation(weights: [3, 1]).shares == [0.75, 0.25])
        #expect(try Allocation(weights: [1e308, 1e308]).shares == [0.5, 0.5])
        #expect(try Allocation(weights: [2, 2]).isEqual)
        #expect(try !Allocation(weights: [2, 1]).isEqual)
    }

    @Test("Counts of a number of units are rounded down")
    func counts() throws {
        #expect(try Allocation(variants: 2).counts(of: 100_001) == [50_000, 50_000])
        #expect(try Allocation(weights: [0.1, 0.2, 0.7]).counts(of: 1000) == [100, 200, 700])
        #expect(try Allocation(variants: 3).counts(of: 2) == [0, 0, 0])
        #expect(try Allocation(variants: 3).counts(of: 3_000_000_003).allSatisfy { $0 == 1_000_000_001 })
    }

    @Test("Weights that are not valid are refused")
    func refusals() {
        #expect(throws: PowerError.tooFewVariants(1)) { try Allocation(variants: 1) }
        #expect(throws: PowerError.tooFewVariants(-5)) { try Allocation(variants: -5) }
        #expect(throws: PowerError.tooFewVariants(0)) { try Allocation(weights: []) }
        #expect(throws: PowerError.invalidWeight(index: 1, weight: 0)) { try Allocation(weights: [1, 0]) }
        #expect(throws: PowerError.invalidWeight(index: 0, weight: -1)) { try Allocation(weights: [-1, 2]) }
        #expect(throws: PowerError.invalidWeight(index: 1, weight: 1e-9)) { try Allocation(weights: [1, 1e-9]) }
        #expect(throws: PowerError.self) { try Allocation(weights: [.nan, 1]) }
    }
}
