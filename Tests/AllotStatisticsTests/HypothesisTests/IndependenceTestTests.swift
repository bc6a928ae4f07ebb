import AllotStatistics
import Testing

struct IndependenceTestTests {
    /// mpmath 1.3 with 60 digits; `scipy.stats.chi2_contingency(table, correction=False)` agrees as far as it has
    /// digits.
    static let cases: [([[Int]], Double, Int, Double, Double)] = [
        ([[10, 20], [30, 40]], 0.79365079365079365, 1, -0.9861809247259763, -0.089087080637474795),
        ([[40, 20], [30, 40]], 7.3696145124716553, 1, -5.0156204118624003, 0.2380952380952381),
        ([[10, 20, 30], [6, 9, 17]], 0.27157465150403522, 2, -0.13578732575201761, 0.054331375704222935),
        (
            [[10, 0, 20, 30], [0, 0, 0, 0], [6, 0, 9, 17], [50, 0, 4, 4]], 68.86121611654066, 4, -30.863031977297195,
            0.67755056941181229
        ),
        (
            [[250_000_000_000, 250_000_500_000], [250_000_500_000, 249_999_000_000]], 4.000004000009, 1,
            -3.0900395263428088, -2.000001000002e-6
        ),
        (
            [
                [9_000_000_000_000_000_000, 8_000_000_000_000_000_000],
                [9_000_000_000_000_000_000, 8_000_000_010_000_000_000],
            ], 3.3088235263705666, 1, -2.6749712714871813, 3.1195887386364886e-10
        ),
        (
            [[1_000_000_000_000, 1], [1, 1_000_000_000_000]], 1_999_999_999_994, 1, -1000000000011.3879,
            0.999999999998
        ),
        ([[0, 3], [5, 0]], 8, 1, -5.3649412646166376, -1),
    ]

    @Test("Tables, and transposed ones, have the statistic of scipy", arguments: cases)
    func tables(table: [[Int]], statistic: Double, degreesOfFreedom: Int, logarithm: Double, phi: Double) throws {
        let test = try IndependenceTest(table: table)
        expectClose(test.statistic, statistic)
        #expect(test.degreesOfFreedom == degreesOfFreedom)
        expectTail(test.pValue.logarithm, logarithm)
        expectClose(test.phi, phi)
        let columns = table[0].indices.map { column in table.map { $0[column] } }
        expectClose(try IndependenceTest(table: columns).statistic, statistic)
    }

    @Test("Proportional rows are independent")
    func proportionalRowsAreIndependent() throws {
        let test = try IndependenceTest(table: [[1, 2, 3], [10, 20, 30], [7, 14, 21]])
        #expect(test.statistic == 0)
        #expect(test.pValue == PValue(1))
        #expect(test.phi == 0)
    }

    @Test(
        "Tables without two rows and two columns are refused",
        arguments: [
            ([], IndependenceError.tooFewRows(count: 0), "0 rows have a count above 0; a test needs two or more"),
            ([[]], .tooFewRows(count: 0), "0 rows have a count above 0; a test needs two or more"),
            ([[1, 2], [0, 0]], .tooFewRows(count: 1), "1 row has a count above 0; a test needs two or more"),
            ([[1, 0], [3, 0]], .tooFewColumns(count: 1), "1 column has a count above 0; a test needs two or more"),
            (
                [[1, 2], [3]], .unequalRows(row: 1, columns: 1, expected: 2),
                "row 2 has 1 columns and the first row 2; give all rows the same columns"
            ),
            (
                [[1, 2], [3, -4]], .negativeCount(row: 1, column: 1, count: -4),
                "the count in row 2, column 2 is -4; a count is 0 or more"
            ),
        ])
    func refusals(table: [[Int]], error: IndependenceError, text: String) {
        #expect(throws: error) { try IndependenceTest(table: table) }
        #expect(error.description == text)
    }
}
