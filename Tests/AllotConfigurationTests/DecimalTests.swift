import AllotConfiguration
import Testing

struct DecimalTests {
    private func decimal(_ text: String) throws -> Decimal { try #require(JSONNumber(text)).decimal }

    @Test(
        "Decimals are ordered by value",
        arguments: [
            ("0", "0.000", 0), ("-0", "0", 0), ("1.0", "1", 0), ("1e2", "100", 0), ("0.1e1", "1", 0),
            ("1e400", "1e401", -1), ("1e4294967297", "10", 1), ("1e-4294967297", "0.1", -1),
            ("-1", "1", -1), ("-2", "-1", -1), ("0.1", "0.09999999999999999999999999", 1), ("123", "13", 1),
            ("-0.5", "0", -1),
            ("99999999999999999999", "1e20", -1), ("1e-400", "0", 1), ("12.5", "12.50", 0),
        ])
    func comparison(left: String, right: String, order: Int) throws {
        let (first, second) = (try decimal(left), try decimal(right))
        #expect((first < second ? -1 : first == second ? 0 : 1) == order)
        #expect((second < first ? -1 : first == second ? 0 : 1) == -order)
    }

    @Test(
        "Scaling is exact or fails",
        arguments: [
            ("1", 6, 1_000_000), ("0.000001", 6, 1), ("0.0000001", 6, nil), ("1e400", 6, nil), ("-1", 6, nil),
            ("0e999999999", 6, 0),
            ("12.5", 4, 125_000), ("1000000000000", 6, 1_000_000_000_000_000_000), ("1000000000001", 6, nil),
        ] as [(String, Int, UInt64?)])
    func scaling(text: String, places: Int, expected: UInt64?) throws {
        #expect(try decimal(text).scaled(byPowerOfTen: places, limit: 1_000_000_000_000_000_000) == expected)
    }

    @Test(
        "Text that is not a JSON number is not read",
        arguments: ["", "-", "+1", ".5", "1.", "01", "1e", "1e+", "0x10", "1_000", " 1", "1 ", "NaN", "١"])
    func noNumbers(text: String) {
        #expect(JSONNumber(text) == nil)
    }
}
