import TestSupport
import Testing

/// Command lines that mean nothing: exit 64, and what to write instead.
@Suite(.blocks) struct UsageTests {
    @Test("An unknown command is a usage error with a hint")
    func unknownCommand() throws {
        try Program.run(["asign", "users.csv"]).expectUsageError(#"There is no command "asign"; did you mean assign?"#)
        try Program.run(["frobnicate"]).expectUsageError(
            #"There is no command "frobnicate"; the commands are check, test, list, show, catalog, assign, config, "#
                + "explain, bucket, power, slots, diff, history, reweight, ramp, srm, exposures, distribution, "
                + "sql, owners, keys, sign, verify, generate, import, help."
        )
    }

    @Test(
        "Words that call nothing are a usage error with the fix",
        arguments: [
            (["help", "asign"], #"There is no command "asign"; did you mean assign?"#),
            (["version"], #"There is no command "version"; did you mean --version?"#),
            (["-v"], #"There is no option "-v"; did you mean --version?"#),
            (
                ["generate", "kotlin"],
                #"There is no command "generate kotlin"; the commands are generate swift, generate openfeature."#
            ),
            (
                ["help", "exposures", "cuonts"],
                #"There is no command "exposures cuonts"; did you mean exposures counts?"#
            ),
            (
                ["--definitions", "my shop", "list", "--json"],
                "Options come after the command; write allot list --definitions 'my shop' --json"
            ),
            (["catalog", "-o", "-"], "A catalogue is a folder of files; name one with --output."),
            (
                ["import", "growthbook", "features.json", "-o", "-"],
                "An import writes a folder of files; name one with --output."
            ),
            (
                ["list", "--as-of", "2026-11-21T12:00:00Z"],
                "This command has no option '--as-of'; allot assign, allot config, allot explain, allot sql have it"
            ),
            (
                ["list", "/"],
                "Unexpected argument '/'; for a folder of definitions write --definitions /"
            ),
        ] as [([String], String)])
    func wordsThatCallNothing(arguments: [String], message: String) {
        Program.answer(arguments).expectUsageError(message)
    }

    @Test(
        "An unknown option is a usage error",
        arguments: [
            ["check", "a"], ["assign", "a"], ["config", "a"], ["explain", "a"], ["srm", "a"], ["bucket", "a", "b"],
            ["diff", "a", "b"],
            ["reweight", "a", "b=1%"], ["slots", "a"], ["power"],
        ])
    func unknownOption(command: [String]) {
        Program.answer(command + ["--frobnicate"]).expectUsageError("Unknown option '--frobnicate'")
    }

    @Test("A misspelt option is a usage error with a hint")
    func nearlyKnownOption() {
        Program.answer(["assign", "--definition", "x"]).expectUsageError(
            "Unknown option '--definition'. Did you mean '--definitions'?")
    }

    /// Its value looks like an attribute.
    @Test("A misspelt option after a subject is reported as an option", arguments: ["explain", "config"])
    func misspeltOptionAfterASubject(command: String) {
        Program.answer([command, "user-42", "--definition", "Experiments"]).expectUsageError(
            "Unknown option '--definition'. Did you mean '--definitions'?")
    }

    @Test(
        "--all without the long layout is a usage error", arguments: [[], ["--layout", "wide"], ["--layout", "json"]])
    func allWithoutLong(options: [String]) {
        Program.answer(["assign", "in.csv", "--all"] + options).expectUsageError("--all requires --layout long.")
    }

    @Test(
        "A text that is not an instant is a usage error",
        arguments: ["now", "", "2026-02-30T12:00:00Z", "21.13.2026"])
    func badInstant(text: String) {
        for command in [["check"], ["assign", "in.csv"], ["config", "u"], ["explain", "u"]] {
            Program.answer(command + ["--at", text]).expectUsageError(
                """
                The value '\(text)' is invalid for '--at <instant>': it is not an instant; an instant is RFC 3339 with \
                an offset, such as 2026-11-21T12:00:00Z or 2026-11-21T13:00:00+01:00
                """)
        }
    }

    @Test("A day in another notation is a usage error that names what it can stand for")
    func otherNotation() {
        Program.answer(["check", "--at", "02/01/2027"]).expectUsageError(
            """
            The value '02/01/2027' is invalid for '--at <instant>': it is not an instant of RFC 3339; write \
            2027-02-01T00:00:00Z or 2027-01-02T00:00:00Z, whichever is meant
            """)
    }

    @Test("An instant beyond the year 9999 is a usage error")
    func instantBeyondTheYears() {
        Program.answer(["check", "--at", "9999-12-31T23:59:59-23:59"]).expectUsageError(
            """
            The value '9999-12-31T23:59:59-23:59' is invalid for '--at <instant>': it is not within the years 0 to \
            9999 in UTC; choose an instant within them
            """)
    }

    @Test("A number of threads that is out of range is a usage error", arguments: ["0", "1025"])
    func badThreadCount(count: String) {
        Program.answer(["assign", "in.csv", "--threads", count]).expectUsageError(
            "--threads takes a number from 1 to 1024.")
    }

    @Test("An unknown layout is a usage error")
    func badLayout() {
        Program.answer(["assign", "in.csv", "--layout", "wid"]).expectUsageError(
            "The value 'wid' is invalid for '--layout <layout>'. Please provide one of 'wide', 'long' or 'json'.")
    }

    @Test("More than one input is a usage error")
    func tooManyInputs() {
        Program.answer(["assign", "a.csv", "b.csv"]).expectUsageError("Unexpected argument 'b.csv'")
    }
}
