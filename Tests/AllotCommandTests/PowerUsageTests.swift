import TestSupport
import Testing

/// Questions about power that have no answer: exit 64, and what to write instead.
@Suite(.blocks) struct PowerUsageTests {
    struct Case: CustomTestStringConvertible {
        let options: String
        let message: String

        init(_ options: String, _ message: String) {
            self.options = options
            self.message = message
        }

        var testDescription: String { options }
    }

    private static let unmeasured =
        "Say what is measured: a baseline such as 10% for a rate, or a standard deviation such as 12.5 for a mean."

    static let contradictions = [
        Case("", unmeasured), Case("--effect 1%", unmeasured),
        Case(
            "--baseline 10% --standard-deviation 3 --effect 1",
            "A baseline is for a rate and a standard deviation for a mean; keep one of them."),
        Case(
            "--baseline 10% --mean 4 --effect 1%",
            "The mean goes with a standard deviation; the mean of a rate is its baseline."),
        Case(
            "--baseline 10%",
            "There is no quantity to calculate: give the effect for the units that are needed, the units for the "
                + "effect that can be found, or both for the power."),
        Case(
            "--baseline 10% --effect 1% --relative-effect 2%",
            "The effect and the relative effect state one quantity in two ways; keep one."),
        Case(
            "--baseline 10% --effect 1% --units 100 --power 80%",
            "Effect, units and power are all given; leave one out, and it is calculated from the others."),
        Case(
            "--baseline 10% --effect 1% --units 100 --days 3 --units-per-day 100",
            "The units and days state one quantity in several ways; keep one of them."),
        Case("--baseline 10% --effect 1% --days 14", "For a number of days, add the units per day."),
        Case(
            "--baseline 10% --effect 1% --traffic 10%",
            "The traffic is a share of the units of each day; add the units per day."),
        Case(
            "--baseline 10% --effect 1% --ramp 1%,10% --every 2d",
            "The ramp has shares of the units of each day; add the units per day."),
        Case(
            "--baseline 10% --effect 1% --units-per-day 100 --ramp 1%,10%",
            "A ramp needs both its shares and the time between them."),
        Case(
            "--baseline 10% --effect 1% --units-per-day 100 --ramp 1%,10% --every 2d --traffic 5%",
            "The ramp says which shares are enrolled; leave the traffic out."),
        Case(
            "--baseline 10% --effect 1% --allocation a=50,b=50 --variants 3",
            "3 variants contradict the 2 shares of the allocation; keep one."),
        Case(
            "--baseline 10% --units-per-variant 1000 --allocation 2,1",
            "A number of units per variant is for equal shares; with this allocation give the units in all."),
        Case(
            "--standard-deviation 3 --effect 1%",
            "An effect on a mean is a number in its units; for a percentage of the mean give a relative effect."),
        Case(
            "--standard-deviation 3 --relative-effect 1%",
            "A relative effect on a mean needs the mean; add it, or give an effect."),
        Case(
            "--standard-deviation 3 --mean 0 --relative-effect 1%",
            "A relative effect does not apply to a mean of 0; give an effect."),
    ]

    static let impossibilities = [
        Case(
            "--baseline 10% --effect 95%",
            "A change of +95 percentage points takes the rate of 10% to 105%; a rate stays from 0% to 100%."),
        Case(
            "--baseline 10% --effect -11%",
            "A change of -11 percentage points takes the rate of 10% to -1%; a rate stays from 0% to 100%."),
        Case(
            "--baseline 10% --relative-effect 1000%",
            "A change of +100 percentage points takes the rate of 10% to 110%; a rate stays from 0% to 100%."),
        Case("--baseline 10% --effect 1", "An effect on a rate is in percentage points, such as 1% or 0.01."),
        Case(
            "--baseline 10% --relative-effect 5",
            "A relative effect is a percentage of what the control has, such as 5% or 0.05."),
        Case("--baseline 10% --effect 0", "The effect is 0.0; it must be a finite number other than 0."),
        Case("--standard-deviation 1 --effect 0", "The effect is 0.0; it must be a finite number other than 0."),
        Case(
            "--baseline 10% --effect 1% --power 5%",
            "A power of 0.05 is reached without any data at a significance level of 0.05; ask for more power."),
        Case(
            "--baseline 10% --effect 1% --units-per-day 1e30 --ramp 1%,100% --every 1d",
            "There are 1e+30 units a day; it must be a number above 0 and below a quadrillion (1e15)."),
        Case("--baseline 10% --effect 1% --variants 1", "There are 2 to 1000 variants, with the control."),
        Case("--baseline 10% --effect 1% --variants 2000000000", "There are 2 to 1000 variants, with the control."),
    ]

    static let unanswerable = [
        Case(
            "--baseline 10% --effect 1% --units 3",
            "Variant 1 gets 1 unit; each needs two or more, so take more units."),
        Case(
            "--baseline 10% --units 4",
            "No effect is large enough to be found with a power of 0.8 in so few units; take more units."),
        Case(
            "--baseline 10% --effect 1e-9",
            "That is more than a quadrillion units; look for a larger effect, or plan for fewer days."),
        Case(
            "--baseline 10% --days 999999999 --units-per-day 1e12",
            "That is more than a quadrillion units; look for a larger effect, or plan for fewer days."),
        Case(
            "--baseline 10% --effect 1% --units-per-day 5 --traffic 10%",
            "Less than one unit a day is enrolled; raise the traffic."),
    ]

    @Test("That no test can do it is an answer, without usage", arguments: unanswerable)
    func withoutUsage(refusal: Case) throws {
        let result = try Program.run(["power"] + refusal.options.split(separator: " ").map(String.init))
        #expect(result.status == 1)
        #expect(result.errorLines == ["allot: \(refusal.message)"])
    }

    @Test("Questions that make no sense are refused", arguments: contradictions + impossibilities)
    func refused(refusal: Case) {
        let options = refusal.options.split(separator: " ").map(String.init)
        Program.answer(["power"] + options).expectUsageError(refusal.message)
    }

    @Test(
        "A text that is not a rate is a usage error",
        arguments: zip(
            ["0", "0%", "100%", "1", "-5%", "10", "1e3", "250%"], ["--baseline", "--alpha", "--power"].cycled(to: 8)))
    func noRate(text: String, option: String) {
        let name = option == "--baseline" ? "rate" : "probability"
        let hint = text == "10" ? "; is 10% meant?" : ""
        Program.answer(["power", option, text]).expectUsageError(
            "The value '\(text)' is invalid for '\(option) <\(name)>': write a rate above 0% and below 100%, such as "
                + "5% or 0.05\(hint)")
    }

    @Test(
        "A text that is not a number is a usage error",
        arguments: zip(
            ["ten", "", "%", "nan", "inf", "0x10", "1,5", "1 %", "--json"],
            ["--baseline <rate>", "--effect <change>", "--relative-effect <share>"].cycled(to: 9)))
    func noNumber(text: String, option: String) {
        Program.answer(["power", String(option.prefix { $0 != " " }), text]).expectUsageError(
            "The value '\(text)' is invalid for '\(option)': write a number such as 0.05 or 5%")
    }

    @Test(
        "A text that is not a count is a usage error",
        arguments: zip(
            ["0", "-5", "1e5", "1.5", "20,000", "1000000000000001", "many"],
            ["--units", "--units-per-variant", "--days"].cycled(to: 7)))
    func noCount(text: String, option: String) {
        Program.answer(["power", option, text]).expectUsageError(
            "The value '\(text)' is invalid for '\(option) <count>': write a whole number from 1 to "
                + "1000000000000000, such as 20000")
    }

    @Test(
        "A text that is not an allocation is a usage error",
        arguments: [
            ("50", "there is 1 variant; a comparison needs two or more"),
            ("50,0", "shares are numbers above 0, the control's first, such as 50,50 or control=1,blue=2"),
            ("50,x", "shares are numbers above 0, the control's first, such as 50,50 or control=1,blue=2"),
            ("50,", "shares are numbers above 0, the control's first, such as 50,50 or control=1,blue=2"),
            ("", "shares are numbers above 0, the control's first, such as 50,50 or control=1,blue=2"),
            ("a=50,50", "name all variants or none, as in control=50,treatment=50"),
            ("=50,=50", "name all variants or none, as in control=50,treatment=50"),
            ("a=50,a=50", "the name a is given twice"),
        ])
    func badAllocation(text: String, problem: String) {
        Program.answer(["power", "--allocation", text]).expectUsageError(
            "The value '\(text)' is invalid for '--allocation <shares>': \(problem)")
    }

    /// What was misspelt is said before what is missing because of it.
    @Test("A misspelt option is a usage error")
    func misspeltOption() throws {
        try Program.run(["power", "--basline", "10%", "--effect", "1%"]).expectUsageError(
            "Unknown option '--basline'. Did you mean '--baseline'?")
        Program.answer(["power", "--baseline", "10%", "--efect", "1%"]).expectUsageError(
            "Unknown option '--efect'. Did you mean '--effect'?")
    }

    @Test("Options that contradict each other are usage errors")
    func badOptions() {
        Program.answer(["power", "--correction", "holm"]).expectUsageError(
            "The value 'holm' is invalid for '--correction <correction>'. Please provide one of 'bonferroni' and "
                + "'none'."
        )
        Program.answer(["power", "--standard-deviation", "0"]).expectUsageError(
            "The value '0' is invalid for '--standard-deviation <number>': write a number above 0, such as 12.5")
        Program.answer(["power", "--traffic", "0"]).expectUsageError(
            "The value '0' is invalid for '--traffic <share>': write a share above 0% and at most 100%, such as 40%")
        Program.answer(["power", "--mean", "5%"]).expectUsageError(
            "The value '5%' is invalid for '--mean <number>': write a number such as 40, without %")
    }
}
