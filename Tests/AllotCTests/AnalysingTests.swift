import AllotConfiguration
import CAllot
import Foundation
import TestSupport
import Testing

/// Reports are those of the commands, to the byte.
@Suite(.blocks) struct AnalysingTests {
    private static let folder = "Experiments"

    private func command(_ arguments: String..., input: String? = nil) throws -> Outcome {
        try Outcome(of: BuiltProgram("allot").url, arguments, input: input.map { Array($0.utf8) }, in: root)
    }

    private func sampleRatio(_ plan: OpaquePointer?, csv: String? = nil, _ options: String?) throws -> String {
        try text { allot_srm(plan, csv, csv?.utf8.count ?? 0, options, $0, $1) }
    }

    private static let units =
        "user_id,variant\n"
        + (0..<200).map { "u-\($0),\($0 % 3 == 0 ? "control" : "green")\n" }.joined()

    @Test("Counts of variants against given shares")
    func countsAndShares() throws {
        let counts = #""counts": {"control": 44700, "green large": 45989}"#
        let shares = #""shares": {"control": 0.5, "green large": 0.5}"#
        let report = try sampleRatio(nil, "{\(counts), \(shares)}")
        let printed = try command(
            "srm", "--shares", "control=0.5,green large=0.5", "--json",
            input: "variant,count\ncontrol,44700\ngreen large,45989\n")
        #expect(report + "\n" == printed.text)
        #expect(printed.status == 2)
        #expect(
            try sampleRatio(nil, #"{"format": "text", \#(counts), "shares": "control=1,green large=1"}"#)
                .hasPrefix("SAMPLE RATIO MISMATCH (p = "))
        let html = try sampleRatio(nil, #"{"format": "html", "counts": {"<a>": 100, "b": 102}, "shares": "1:1"}"#)
        #expect(html.contains("<td class=\"text\">&lt;a&gt;</td><td>100</td><td>101.0</td>"))
        #expect(html.contains("<p class=\"verdict\">no sign of a sample ratio mismatch"))
        let options = #""counts": {"<a>": 100, "b": 102}, "shares": "1:1"}"#
        let all = try JSONValue(parsing: Array(sampleRatio(nil, #"{"format": "all", \#(options)"#).utf8))
        let text = try sampleRatio(nil, #"{"format": "text", \#(options)"#)
        let json = try JSONValue(parsing: Array(sampleRatio(nil, "{\(options)").utf8))
        #expect(all == ["html": .string(html), "json": json, "text": .string(text)])
    }

    @Test("Counts against the shares of an experiment")
    func countsAndPlan() throws {
        let printed = try command(
            "srm", "--experiment", "buy-button", "--json",
            input: "variant,count\ncontrol,100\ngreen,96\nlarge-green,205\n")
        let counts = #"{"control": 100, "green": 96, "large-green": 205}"#
        let report = try withPlan { try sampleRatio($0, #"{"experiment": "buy-button", "counts": \#(counts)}"#) }
        #expect(report + "\n" == printed.text)
        #expect(printed.status == 0)
    }

    @Test("Rows of units, with all options")
    func rows() throws {
        let printed = try command(
            "srm", "--shares", "1:1", "--unit-column", "user_id", "--column", "variant=variant", "--time-order",
            "--alpha", "0.01", "--json", input: Self.units)
        let options = #"""
            {"shares": "1:1", "unit_column": "user_id", "variant_column": "variant", "time_order": true,
             "threshold": 0.01}
            """#
        #expect(try sampleRatio(nil, csv: Self.units, options) + "\n" == printed.text)
    }

    @Test(
        "What cannot be tested, and how to fix it",
        arguments: [
            ("{}", nil, #"without a plan, give the option shares: {"control": 1, "green": 1}"#),
            (#"{"shares": "1:1"}"#, nil, "give csv, or the option counts"),
            (
                #"{"shares": "1:1", "counts": {"a": 1}}"#, "a",
                "csv and the option counts are both given; keep one of them"
            ),
            (
                #"{"shares": "1:1", "counts": {"a": -1}}"#, nil,
                "the option counts is {VARIANT: number of units}, whole numbers from 0"
            ),
            (
                #"{"shares": {"a": 1, "b": "x"}, "counts": {}}"#, nil,
                #"the option shares is an object such as {"control": 2, "green": 1}, or a text such as "1:1""#
            ),
            (
                #"{"shares": {"a": 1}, "counts": {}}"#, nil,
                "the option shares: there is only one variant, so there is no ratio to test"
            ),
            (#"{"shares": "1:1", "counts": {}}"#, nil, "the table of counts: there is no row to test"),
            (#"{"shares": "1:1", "count": {}}"#, nil, #"unknown option "count"; did you mean "counts"?"#),
            (
                #"{"shares": "1:1", "counts": {}, "threshold": 2}"#, nil,
                #"the option threshold, "2": a p-value lies between 0 and 1, such as 0.001"#
            ),
            (
                #"{"shares": "1:1", "counts": {}, "format": "xml"}"#, nil,
                #"the option format is one of "json", "text", "html", "all""#
            ),
            (#"{"shares": "1:1"}"#, "x,y\n1,2\n", nil),
        ] as [(String, String?, String?)])
    func sampleRatioErrors(options: String, csv: String?, message: String?) throws {
        let failure = #expect(throws: Failure.self) { try sampleRatio(nil, csv: csv, options) }
        if let message { #expect(failure?.message == message) }
    }

    @Test("The bucketing on generated and on given unit IDs")
    func distribution() throws {
        let printed = try command(
            "distribution", "--generate", "2000", "--shape", "uuid", "--salts", "20", "--seed", "7", "--experiment",
            "buy-button", "--json")
        let options =
            #"{"units": 2000, "shape": "uuid", "salts": 20, "seed": 7, "experiment": "buy-button", "threads": 0}"#
        try withPlan { plan in
            let report = try text { allot_distribution(plan, nil, 0, options, $0, $1) }
            #expect(report + "\n" == printed.text)

            let csv = "id\n" + (0..<500).map { "\($0)\n" }.joined()
            let own = try text {
                allot_distribution(
                    plan, csv, csv.utf8.count, #"{"unit_column": "id", "salts": 0, "format": "text"}"#, $0, $1)
            }
            #expect(own.contains("column id"))
            let page = try text {
                allot_distribution(plan, nil, 0, #"{"units": 200, "salts": 0, "format": "html"}"#, $0, $1)
            }
            #expect(page.hasPrefix("<!DOCTYPE html>"))
            for (options, message) in [
                (#"{"units": 5}"#, "the option units is a whole number from 100 to 1000000000"),
                (#"{"shape": "uid"}"#, #"the option shape is one of "sequential", "uuid","#),
                (#"{"hash": "md5"}"#, #"the option hash is one of "sha256/1", "#),
                (#"{"experiment": "buy-buton"}"#, "buy-button"),
                (#"{"unit_column": "id"}"#, "unit_column goes with csv"),
                (#"{"seed": -1}"#, "the option seed is a whole number from 0"),
                (#"{"alarm": 1}"#, #"the option alarm, "1": "#),
            ] {
                let failure = #expect(throws: Failure.self) {
                    try text { allot_distribution(plan, nil, 0, options, $0, $1) }
                }
                #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
            }
        }
    }

    @Test(
        "The power of an experiment",
        arguments: [
            (#"{"baseline": 0.1, "effect": "1%"}"#, "--baseline 0.1 --effect 1%"),
            (
                #"{"baseline": "10%", "relative_effect": 0.05, "units_per_day": 8000, "#
                    + #""ramp": ["1%", "10%", 1], "every": "2d"}"#,
                "--baseline 10% --relative-effect 0.05 --units-per-day 8000 --ramp 1%,10%,1 --every 2d"
            ),
            (#"{"baseline": 0.1, "units": 100000, "power": 0.9}"#, "--baseline 0.1 --units 100000 --power 0.9"),
            (
                #"{"standard_deviation": 12.5, "mean": 40, "effect": 0.5, "allocation": [80, 10, 10], "#
                    + #""one_sided": true, "alpha": 0.01, "correction": "none"}"#,
                "--standard-deviation 12.5 --mean 40 --effect 0.5 --shares 80,10,10 --one-sided --alpha 0.01 "
                    + "--correction none"
            ),
            (
                #"{"baseline": 0.1, "effect": 0.01, "variants": 3, "days": 14, "units_per_day": 500, "traffic": 0.5}"#,
                "--baseline 0.1 --effect 0.01 --variants 3 --days 14 --units-per-day 500 --traffic 0.5"
            ),
        ] as [(String, String)])
    func power(options: String, arguments: String) throws {
        let arguments = arguments.split(separator: " ").map(String.init)
        let printed = try Outcome(of: BuiltProgram("allot").url, ["power", "--json"] + arguments)
        #expect(printed.status == 0)
        #expect(try text { allot_power(options, $0, $1) } + "\n" == printed.text)
    }

    @Test(
        "Questions of power without an answer",
        arguments: [
            (
                "{}",
                "Say what is measured: a baseline such as 10% for a rate, or a standard deviation such as 12.5 for a "
                    + "mean."
            ),
            (#"{"baseline": 0.1, "effect": 0.1, "days": 7}"#, "For a number of days, add the units per day."),
            (
                #"{"baseline": 2, "effect": 0.1}"#,
                #"the option baseline, "2": write a rate above 0% and below 100%, such as 5% or 0.05; is 2% meant?"#
            ),
            (#"{"baseline": true}"#, "the option baseline is a number"),
            (#"{"baseline": 0.1, "effects": 0.1}"#, #"unknown option "effects"; did you mean "effect"?"#),
            (
                #"{"baseline": 0.1, "effect": 0.1, "units": 1.5}"#,
                #"the option units, "1.5": write a whole number from 1 to 1000000000000000, such as 20000"#
            ),
            (
                #"{"baseline": 0.1, "effect": 0.1, "every": "2 days"}"#,
                #"the option every is a time such as "2d" or "12h""#
            ),
            (
                #"{"baseline": 0.1, "effect": 0.95}"#,
                "A change of +95 percentage points takes the rate of 10% to 105%; a rate stays from 0% to 100%."
            ),
            (
                #"{"baseline": 0.1, "effect": 0.1, "format": "xml"}"#,
                #"the option format is one of "json", "text", "html", "all""#
            ),
        ] as [(String, String)])
    func powerErrors(options: String, message: String) throws {
        let failure = #expect(throws: Failure.self) { try text { allot_power(options, $0, $1) } }
        #expect(failure?.message == message)
        #expect(failure?.status == Int(ALLOT_INVALID_ARGUMENT))
    }
}
