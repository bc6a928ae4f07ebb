import AllotConfiguration
import TestSupport
import Testing

/// `allot power`: the numbers are those of statsmodels, see the tests of AllotStatistics.
@Suite(.blocks) struct PowerTests {
    private func power(_ options: String) throws -> Outcome {
        try Program.run(["power"] + options.split(separator: " ").map(String.init))
    }

    private func json(_ options: String) throws -> JSONValue {
        try JSONValue(parsing: power(options + " --json").output)
    }

    /// Options, and the whole answer.
    private static let answers: [(options: String, text: String)] = [
        (
            "--baseline 10% --effect 1% --units-per-day 1500",
            """
            Units needed: 29502
                control    14751
                treatment  14751
            A change of +1 percentage point, from 10% to 11% (+10%), is found with a probability of 80%, the power; \
            where there is none, one is reported with a probability of 5%.
            Duration: 20 days with 1500 units a day; 3 whole weeks (21 days) would count each weekday equally.
            Method: two-sided z-test of two proportions (variances pooled for the test, separate for its power), at a \
            significance level of 5%.

            """
        ),
        (
            "--baseline 0.1 --relative-effect 20% --shares control=2,blue=1,green=1 "
                + "--units-per-day 2000 --traffic 40%",
            """
            Units needed: 13784
                control  6892
                blue     3446
                green    3446
            A change of +2 percentage points, from 10% to 12% (+20%), is found with a probability of 80%, the power; \
            where there is none, one is reported with a probability of at most 5%.
            Duration: 18 days with 40% of 2000 units a day; 3 whole weeks (21 days) would count each weekday equally.
            Method: two-sided z-test of two proportions (variances pooled for the test, separate for its power), at a \
            significance level of 2.5% for each of 2 comparisons with the control (5% divided by their number, \
            Bonferroni's correction).

            """
        ),
        (
            "--baseline 10% --units 100000",
            """
            Detectable effect: +0.5379 percentage points, from 10% to 10.54% (+5.379%); or -0.5253 percentage points, \
            from 10% to 9.475% (-5.253%)
                control    50000
                treatment  50000
            A change of that size is found with a probability of 80%, the power; where there is none, one is reported \
            with a probability of 5%.
            Method: two-sided z-test of two proportions (variances pooled for the test, separate for its power), at a \
            significance level of 5%.

            """
        ),
        (
            "--standard-deviation 12.5 --mean 40 --effect 0.5 --days 14 --units-per-day 1000",
            """
            Power: 65.77%
                control    7000
                treatment  7000
            A change of +0.5, from 40 to 40.5 (+1.25%, 0.04 standard deviations), is found with a probability of \
            65.77%, the power; where there is none, one is reported with a probability of 5%.
            Duration: 14 days with 1000 units a day; 2 whole weeks, so each weekday counts equally.
            Method: two-sided t-test of two means (power by the noncentral t distribution), at a significance level of \
            5%.

            """
        ),
        (
            "--standard-deviation 1 --units-per-variant 10000 --one-sided",
            """
            Detectable effect: +0.03517 (0.03517 standard deviations); or -0.03517 (0.03517 standard deviations)
                control    10000
                treatment  10000
            A change of that size is found with a probability of 80%, the power; where there is none, one is reported \
            with a probability of 5%.
            Method: one-sided t-test of two means (power by the noncentral t distribution), at a significance level of \
            5%.

            """
        ),
    ]

    @Test(
        "What is asked is answered with the number of units in each variant, the duration and the method",
        arguments: answers.indices)
    func answer(index: Int) throws {
        try power(Self.answers[index].options).expectOutput(Self.answers[index].text)
    }

    @Test("The duration while the traffic rises in steps")
    func durationOfARamp() throws {
        let ramp = "--baseline 10% --units-per-day 2000 --every 2d --ramp 1%,10%,50%"
        let result = try power(ramp + ",100% --effect 1%")
        #expect(
            result.text.contains(
                """
                Duration: 20 days with up to 100% of 2000 units a day; 3 whole weeks (21 days) would count each \
                weekday equally.
                    from day 1    1%     40 units
                    from day 3   10%    400 units
                    from day 5   50%   2000 units
                    from day 7  100%  28000 units
                Without the ramp it would take 15 days.
                Method:
                """), "\(result.text)")
        let short = try power(ramp + " --days 3").text
        #expect(short.contains("; the later shares are not reached.\n"), "\(short)")
    }

    @Test(
        "That no test can do it is an answer, without usage",
        arguments: [
            ("--effect 1% --units 3", "Variant 1 gets 1 unit; each needs two or more, so take more units."),
            (
                "--units 4",
                "No effect is large enough to be found with a power of 0.8 in so few units; take more units."
            ),
            (
                "--effect 1e-9",
                "That is more than a quadrillion units; look for a larger effect, or plan for fewer days."
            ),
            (
                "--effect 1% --units-per-day 5 --traffic 10%",
                "Less than one unit a day is enrolled; raise the traffic."
            ),
        ])
    func withoutUsage(options: String, message: String) throws {
        try power("--baseline 10% " + options).expectFailure(message)
    }

    @Test("Without correction fewer units are needed")
    func withoutCorrection() throws {
        let lines = try power("--baseline 10% --effect -1% --variants 3 --correction none").text.split(separator: "\n")
        #expect(lines.first == "Units needed: 40485")
        #expect(lines.contains("    treatment 2  13495"))
        #expect(lines.contains { $0.hasSuffix("each comparison reports one with a probability of 5%.") })
        #expect(lines.last?.hasSuffix("(without correction for their number).") == true)
    }

    @Test("JSON has the numbers of the text")
    func json() throws {
        let json = try json("--baseline 10% --effect 1% --shares 3,2,1 --units-per-day 3000")
        func number(_ value: JSONValue?) throws -> Double { try #require(value.flatMap { Double($0.canonicalText) }) }
        #expect(json["asked"] == "units")
        for (name, value) in [
            "alpha": 0.05, "alpha_per_comparison": 0.025, "control": 0.1, "effect": 0.01, "sides": 2,
            "target_power": 0.8,
        ] {
            #expect(try number(json[name]) == value)
        }
        #expect(json["decrease"] == .null)
        #expect(json["standard_deviation"] == .null)
        let power = try number(json["power"])
        #expect((0.8..<0.8001).contains(power))
        let variants = (0..<3).map { json["variants"]?[$0] }
        #expect(variants.map { $0?["variant"]?.text } == ["control", "treatment 1", "treatment 2"])
        #expect(json["variants"]?[3] == nil)
        let units = try variants.map { try number($0?["units"]) }
        #expect(try units.reduce(0, +) == number(json["units"]))
        #expect(abs(units[0] - 3 * units[2]) <= 3)
        let days = try number(json["days"])
        #expect(days == (units.reduce(0, +) / 3000).rounded(.up))
        #expect(try number(json["weeks"]) == (days / 7).rounded(.up))
    }

    @Test("Doubtful plans get a caution")
    func cautions() throws {
        let few = "\nNote: fewer than 10 successes or failures are expected in a variant;"
        try power("--baseline 0.1% --units 5000").expectText(few)
        // 1,100 × 0.11% are 1.2 successes after the decrease; 11 before, and 25 after the increase.
        try power("--baseline 1% --units 2200").expectText("\nNote: fewer than 10 successes")
        try power("--standard-deviation 1 --effect 2").expectText("\nNote: with fewer than 30 units in a variant")
        let skewed =
            "\nNote: with fewer than 1000 units in a variant, means of skewed values such as revenue are not normal;"
        try power("--standard-deviation 1 --effect 0.5 --shares 95,5").expectText(skewed)
        try power("--standard-deviation 1 --units 2000").expectText(without: ["Note"])
        try power("--baseline 10% --effect 1%").expectText(without: ["Note"])
    }

    @Test("A decrease of a high rate is found")
    func decreaseOfHighRate() throws {
        try power("--baseline 99.99% --effect=-0.02% --units 150000").expectText(start: "Power: 78.2%\n")
    }

    @Test("Dunnett's test needs fewer units than Bonferroni's correction, and more than none")
    func dunnett() throws {
        let units = try ["bonferroni", "dunnett", "none"].map { correction in
            let json = try json("--baseline 10% --effect 1% --variants 3 --correction \(correction)")
            return try #require(json["units"].flatMap { Double($0.canonicalText) })
        }
        #expect(units[0] > units[1])
        #expect(units[1] > units[2])
        try power("--baseline 10% --effect 1% --variants 3 --correction dunnett").expectText(
            "one is reported with a probability of 5%.",
            "for each of 2 comparisons with the control (5% for all together, by Dunnett's test in large samples).")
    }

    /// Near 0% and 100% a rate can be found to go one way only, whatever else is asked.
    @Test(
        "Each direction is looked for by itself",
        arguments: [
            ("--baseline 99.99% --units 150000", false, true), ("--baseline 0.01% --units 150000", true, false),
            ("--baseline 99.99% --units 150000 --one-sided", true, true),
            ("--baseline 0.01% --units 100000 --one-sided", true, false),
            ("--baseline 99.99% --days 15 --units-per-day 10000", false, true),
            ("--baseline 99.99% --units 300000 --variants 4", false, true),
            ("--baseline 99.99% --units 400000 --shares 80,10,10", false, true),
            ("--standard-deviation 2 --mean -3 --units 1000 --one-sided", true, true),
        ])
    func directions(options: String, increases: Bool, decreases: Bool) throws {
        let text = try power(options).text
        #expect(text.hasPrefix("Detectable effect: "), "\(text)")
        #expect(text.contains("; no increase is large enough\n") == !increases, "\(text)")
        #expect(text.contains("; no decrease is large enough\n") == !decreases, "\(text)")
        let json = try json(options)
        #expect((json["effect"] != .null, json["decrease"] != .null) == (increases, decreases))
        // Each effect is one that is found with the power that was asked for.
        for case .number(let effect)? in [json["effect"], json["decrease"]] {
            let again = try self.json("\(options) --effect=\(effect.text)")["power"]
            let power = try #require(again.flatMap { Double($0.canonicalText) })
            #expect(abs(power - 0.8) < 1e-6)
        }
    }

    @Test(
        "A change has the sign of its direction, whatever that of the mean",
        arguments: [
            ("-3", "0.5", "from -3 to -2.5 (+16.67%"), ("-3", "-0.5", "from -3 to -3.5 (-16.67%"),
            ("3", "-0.5", "from 3 to 2.5 (-16.67%"),
        ])
    func negativeMeans(mean: String, effect: String, text: String) throws {
        try power("--standard-deviation 5 --mean=\(mean) --effect=\(effect)").expectText(text)
        try power("--standard-deviation 5 --mean=\(mean) --relative-effect=10%").expectText("(+10%")
    }
}
