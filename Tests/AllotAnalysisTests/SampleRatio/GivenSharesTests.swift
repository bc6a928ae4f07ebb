import Testing

@testable import AllotAnalysis

struct GivenSharesTests {
    private func weights(_ text: String) throws -> [String: UInt64] {
        guard case .named(let shares) = try GivenShares(text) else { return [:] }
        return Dictionary(uniqueKeysWithValues: zip(shares.variants, shares.weights))
    }

    @Test("Named shares have their weights, and add up to 1")
    func namedShares() throws {
        #expect(try weights("control=50%,green=50%") == ["control": 50_000_000, "green": 50_000_000])
        #expect(try weights("a=2,b=0.5,c=1e3") == ["a": 2_000_000, "b": 500_000, "c": 1_000_000_000])
        // A name may hold "=".
        #expect(try weights("a=b=1,c=0,d=1") == ["a=b": 1_000_000, "c": 0, "d": 1_000_000])
        guard case .named(let shares) = try GivenShares("a=3,b=1,c=0") else { return #expect(Bool(false)) }
        #expect(shares.shares == [0.75, 0.25, 0])
    }

    @Test(
        "Percentages are 100 together, but for rounding",
        arguments: ["a=33%,b=33%,c=33%", "a=33.3%,b=33.3%,c=33.3%", "a=16.66%,b=16.67%,c=66.67%", "a=90%,b=10%,c=0%"])
    func roundedPercentages(text: String) throws {
        #expect(try weights(text).count == 3)
    }

    @Test(
        "Equal numbers are equal shares",
        arguments: [
            ("1:1", 2), ("50/50", 2), ("50%:50%", 2), ("50,50", 2), ("50%,50%", 2), ("0.5:0.50", 2), ("1:1:1", 3),
        ])
    func equalShares(text: String, count: Int) throws {
        #expect(try GivenShares(text) == .equal(count: count))
    }

    @Test(
        "Text that is not a list of shares is refused",
        arguments: [
            ("", "not a list of shares"), ("control", "not a list of shares"),
            ("2:1", "which variant gets which share"), ("80,10,10", "which variant gets which share"),
            ("0:0", "which variant gets which share"), ("1:", "\"\" is not a share"), ("a=1", "only one variant"),
            ("a=1,b=0", "fewer than two variants"), ("a=0,b=0", "fewer than two variants"),
            ("a=-1,b=1", "\"-1\" is not a share"),
            ("a=nan,b=1", "\"nan\" is not a share"), ("a=inf,b=1", "is not a share"),
            ("a=1.0000001,b=1", "is not a share"),
            ("a=1e13,b=1", "is not a share"), ("a=0x1,b=1", "is not a share"), ("a= 1,b=1", "is not a share"),
            ("a=1%%,b=1%", "is not a share"), ("a=50%,b=1", "percentages and some are weights"),
            ("a=1,a=1", "given twice"), ("a=50%,b=50.000001%", "more than 100%"),
            ("=1,b=1", "does not name a variant"), ("a=1,", "does not name a variant"),
            ("a=1,b", "does not name a variant"),
            ("a=50%,b=40%", "less than 100%"), ("a=50%,b=49%", "less than 100%"), ("a=50%,b=49.99%", "less than 100%"),
            ("a=0.5%,b=0.5%", "less than 100%"), ("40%:40%", "less than 100%"), ("a=60%,b=60%", "more than 100%"),
            ("a=33.3%,b=66.6%", "less than 100%"),
        ])
    func refused(text: String, part: String) {
        let error = #expect(throws: AnalysisError.self) { try GivenShares(text) }
        #expect(error?.description.contains(part) == true)
    }
}
