import Testing

@testable import AllotStatistics

/// Expected values: all counts enumerated in Python, in whole numbers up to 103 units and with `scipy.stats.binom`
/// (scipy 1.17) for more; those of two categories are also `scipy.stats.binomtest`.
struct MultinomialTestTests {
    static let exact: [([Int], [Double], Double)] = [
        ([4, 96], [0.1, 99.9], 3.6316817007725614e-06),
        ([2, 0], [1, 1], 0.5),
        ([1, 0], [1, 1], 1),
        ([8, 0], [1, 1], 0.0078125),
        ([2, 4], [1, 1], 0.6875),
        ([30, 1000], [1, 999], 2.2698236378540288e-33),
        ([0, 100_000], [0.4, 9999.6], 0.039675226538580716),
        ([12, 99_988], [0.4, 9999.6], 0.0009149597347391425),
        ([0, 3, 9], [1, 1, 1], 0.00411522633744856),
        ([1, 2, 3, 9], [1, 2, 3, 4], 0.57260718198784),
        ([0, 0, 7, 1, 4], [1, 1, 1, 1, 1], 0.00227903488),
        ([3, 40, 60], [1, 500, 500], 2.670104817280334e-05),
        ([5, 4800, 5195], [1, 5000, 4999], 3.287882328684617e-06),
        ([0, 4800, 5200], [1, 5000, 4999], 0.000282603192392876),
    ]

    @Test("Few units have the p-value of all counts that are possible", arguments: exact)
    func agreesWithAllCounts(counts: [Int], shares: [Double], pValue: Double) throws {
        let test = try MultinomialTest(counts: counts, shares: shares)
        #expect(test.method == .exact)
        expectClose(test.pValue.value, pValue, within: 1e-6)
    }

    /// 4 trillion units: the count of a share of 1 in 2⁴² is a Poisson variable, and P(8 or more) is 1.0249e-5.
    @Test("A tiny share of very many units has the tail of Poisson")
    func tinyShares() throws {
        let test = try MultinomialTest(counts: [8, 1 << 42], shares: [1, 0x1p42])
        expectClose(test.pValue.value, 1.024919667464169e-05, within: 1e-6)
    }

    /// One small category, and the chi-square distribution of three large ones.
    @Test(
        "A small category does not hide what large ones show",
        arguments: [
            ([3, 150, 200, 247], [1.0, 66, 66, 67], 4.392692801267904e-05),
            ([12, 190, 200, 198], [1, 66, 66, 67], 0.0006118651694092473),
        ])
    func partlyExact(counts: [Int], shares: [Double], pValue: Double) throws {
        let test = try MultinomialTest(counts: counts, shares: shares)
        #expect(test.method == .partlyExact)
        // Chi-square is an approximation for the others.
        expectClose(test.pValue.value, pValue, within: 0.2)
    }

    /// All 24,040,016 counts, enumerated in C with 64-bit mantissas, give 0.0023947. Pearson's statistic of five
    /// categories with 8 to 18 expected units each is too far from their probabilities; `RatioTest` takes the larger
    /// p-value of this one and of the likelihood ratio, 0.00197.
    @Test("With few units of every category the partly exact p-value is a third of the exact one; random ones agree")
    func fewUnitsOfEveryCategory() throws {
        let (counts, shares) = ([5, 2, 30, 12, 7, 19], [43.0, 18, 80, 97, 67, 98])
        let exact = 0.002394748023846825
        let partly = try MultinomialTest(counts: counts, shares: shares)
        #expect(partly.method == .partlyExact)
        // The same sum with scipy.stats.chi2.
        expectClose(partly.pValue.value, 0.0007587959257756716, within: 1e-5)
        let random = try MultinomialTest(
            counts: counts, shares: shares, few: 100, enumerationLimit: 1, mostDraws: 20_000)
        #expect(random.method == .monteCarlo(draws: 20_000))
        #expect(abs(random.pValue.value - exact) < 4 * (exact / 20_000).squareRoot())
    }

    /// Within four standard errors, and each time the same.
    @Test(
        "Random draws agree with the enumeration",
        arguments: [
            ([0, 1, 2, 3, 4, 14], [1.0, 1, 1, 1, 1, 1], 3.2329449414706386e-05),
            ([9, 3, 3, 3, 3, 3], [1, 1, 1, 1, 1, 1], 0.31906779702425453),
        ])
    func monteCarlo(counts: [Int], shares: [Double], pValue: Double) throws {
        func test() throws -> MultinomialTest {
            try MultinomialTest(counts: counts, shares: shares, few: 5, enumerationLimit: 1, mostDraws: 4000)
        }
        let first = try test()
        #expect(first.method == .monteCarlo(draws: 4000))
        let error = (pValue / 4000).squareRoot()
        #expect(abs(first.pValue.value - pValue) < 4 * error + 1.0 / 4000)
        #expect(try test() == first)
    }

    @Test("Many small categories are drawn at random, and a large one is computed")
    func manySmallCategories() throws {
        let shares = Array(repeating: 1.0, count: 30) + [999_970]
        func test(_ counts: [Int]) throws -> MultinomialTest {
            try MultinomialTest(counts: counts, shares: shares, few: 5, enumerationLimit: 1000, mostDraws: 1000)
        }
        let calm = try test(Array(repeating: 1, count: 30) + [999_970])
        #expect(calm.method == .monteCarlo(draws: 1000))
        #expect(calm.pValue == PValue(1))
        let wrong = try test([20] + Array(repeating: 1, count: 29) + [999_951])
        #expect(wrong.pValue < PValue(0.0011))
    }

    /// The farther the counts are from the shares, the more of those of small categories matter: 600,000 at the end.
    @Test(
        "Small categories next to a large mismatch are not enumerated, as it would take minutes",
        arguments: [[30_000, 20_000, 3, 3, 3], [36_000, 14_000, 3, 3, 3], [9000, 1000, 1, 1, 1]])
    func largeMismatch(counts: [Int]) throws {
        let shares = [49.9925, 49.9925, 0.005, 0.005, 0.005]
        #expect(try MultinomialTest(enumerating: counts, shares: shares) == nil)
        let test = try MultinomialTest(counts: counts, shares: shares)
        #expect(test.method == .bound)
        // That of the two large ones alone, which is exact, is near it.
        let large = try MultinomialTest(counts: Array(counts.prefix(2)), shares: [1, 1])
        #expect(test.pValue.logarithm < 0.9 * large.pValue.logarithm)
        let near = [25_100, 24_900, 3, 3, 3]
        let enumerated = try #require(try MultinomialTest(enumerating: near, shares: shares))
        #expect(try MultinomialTest(counts: near, shares: shares) == enumerated)
    }

    /// All counts of 12 categories and 40 units, C(51, 11) of them, have at most the probability of these, 12⁻⁴⁰.
    @Test("Counts that no random draw would have keep a small p-value")
    func bound() throws {
        let counts = [40] + Array(repeating: 0, count: 11)
        let test = try MultinomialTest(counts: counts, shares: counts.map { _ in 1 })
        #expect(test.method == .bound)
        // math.comb(51, 11) / 12**40
        expectClose(test.pValue.value, 3.2403686401288256e-33, within: 1e-6)
    }

    @Test("A count of a share of 0 is impossible")
    func impossibleCounts() throws {
        #expect(try MultinomialTest(counts: [1, 1, 1], shares: [1, 1, 0]).pValue == PValue(0))
        #expect(try MultinomialTest(counts: [1, 1, 0], shares: [1, 1, 0]).pValue == PValue(1))
        #expect(throws: CountsError.nothingCounted) { try MultinomialTest(counts: [0, 0], shares: [1, 1]) }
    }
}
