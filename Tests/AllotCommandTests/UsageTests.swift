import Foundation
import TestSupport
import Testing

/// A command line, and the message about it.
struct UsageMistake: CustomTestStringConvertible {
    let line: String
    let message: String

    var testDescription: String { line }

    /// The words of the line. Two single quotes are an empty one.
    var words: [String] { line.split(separator: " ").map { $0 == "''" ? "" : String($0) } }

    /// The mistakes of a text: command lines with bars between, an arrow, and what is said; it may go on in indented
    /// lines.
    static func all(_ text: String) -> [UsageMistake] {
        text.replacing("\n    ", with: " ").split(separator: "\n").flatMap { row -> [UsageMistake] in
            let parts = row.components(separatedBy: " -> ")
            return parts[0].components(separatedBy: " | ").map { UsageMistake(line: $0, message: parts[1]) }
        }
    }
}

/// Command lines that mean nothing: exit 64, and what to write instead.
@Suite(.blocks) struct UsageTests {
    @Test(
        "A command line that means nothing is a usage error with the fix",
        arguments: UsageMistake.known)
    func mistakes(mistake: UsageMistake) {
        Program.answer(mistake.words).expectUsageError(mistake.message)
    }
}

extension UsageMistake {
    static let known = [calls, options, powerQuestions, values].flatMap { all($0) }

    static let calls = #"""
        help asign -> There is no command "asign"; did you mean assign?
        version -> There is no command "version"; did you mean --version?
        -v -> There is no option "-v"; did you mean --version?
        generate kotlin -> There is no command "generate kotlin"; the commands are generate swift, generate openfeature.
        help exposures cuonts -> There is no command "exposures cuonts"; did you mean exposures counts?
        --definitions shop list --json -> Options come after the command; write allot list --definitions shop --json
        catalog -o - -> A catalogue is a folder of files; name one with --output.
        import growthbook features.json -o - -> An import writes a folder of files; name one with --output.
        slots --null NULL -> This command has no option '--null'; allot assign, allot power, allot salt, allot holdout,
            allot srm, allot rerandomise, allot distribution, allot diff and 1 more have it
        check / | test / | list / -> Unexpected argument '/'; for a folder of definitions write --definitions /
        assign a.csv b.csv -> Unexpected argument 'b.csv'
        config a --frobnicate | diff a b --frobnicate -> Unknown option '--frobnicate'
        explain user-42 --definition Experiments | assign --definition x -> Unknown option '--definition'. Did you mean
            '--definitions'?
        power --baseline 10% --efect 1% -> Unknown option '--efect'. Did you mean '--effect'?
        sql -> Missing expected argument '--dialect <dialect>'
        """#

    static let options = #"""
        assign in.csv --all | assign in.csv --all --layout json -> --all requires --layout long.
        assign in.csv --threads 0 | assign in.csv --threads 1025 | distribution --threads 0 -> --threads takes a number
            from 1 to 1024.
        assign in.csv -o out.csv --rejects out.csv -> --rejects and --output name the same file.
        assign in.csv --at-column at --at 2026-11-01T00:00:00Z -> --at-column gives each row its own instant; leave
            out --at and --as-of.
        sql --dialect duckdb --at 2026-11-01T00:00:00Z --at-column at -> --at-column gives each row its own instant;
            leave out --at and --as-of.
        sql --dialect duckdb --column a=b --column a=c -> --column names "a" twice; keep one.
        sql --dialect duckdb --create view | sql --dialect duckdb --create index x | sql --dialect duckdb --create view
            a b -> --create takes view, table or function, and a name: --create view assignments.
        diff a b --delimiter tab -> --delimiter goes with --users.
        distribution --delimiter tab -> --delimiter goes with a CSV file.
        exposures export a.sqlite --format ndjson --delimiter tab -> --delimiter goes with --format csv.
        srm in.csv --shares 1:1 --experiment a --experiment b -> --shares are those of one experiment; name only one
            with --experiment.
        srm in.csv --unit-column a --column count=b -> Rows hold units or counts of them; name the column unit or count,
            not both.
        srm in.csv --column units=a -> --column is for unit, variant, count, experiment, time, attributes, not for
            "units".
        assign in.csv --unit-column a --column user_id=b -> --column names "user_id" twice; keep one.
        distribution --generate 99 -> --generate takes a number from 100 to 1000000000.
        distribution --salts 1000001 -> --salts takes a number from 0 to 1000000.
        distribution --salt-units 10 -> --salt-units takes a number from 100 to 1000000.
        distribution --unit-column x -> --unit-column goes with a CSV file.
        distribution in.csv --generate 1000 | distribution in.csv --shape hex -> --generate and --shape are for
            generated unit IDs, not for a CSV file.
        sign --key key.pem -> No file to sign; name a file, or - for standard input.
        sign file --key key.pem --device d -> A token is for one device and one app; give both --device and --app.
        sign file --key key.pem --reset -> --reset, --expires, --variant, --definitions and --at require --device and
            --app.
        sign file --key key.pem --reset --device d --app a -> A reset has no values; leave the file out.
        sign file --key key.pem --link shop | sign file --key key.pem --qr -> --link and --qr require --device and
            --app.
        keys export --key key.pem --access public -> --access requires --swift.
        verify file --signature x -> No key; name the trusted public keys with --public.
        verify file --public public.pem -> No signature to verify; give a file and --signature, or --token.
        verify file --token x --public public.pem -> A token contains the signed bytes and the signature; leave out the
            file and --signature.
        import growthbook features.json -o moved --decryption-key secret -> --decryption-key takes @ and a file, so that
            no list of processes shows the key.
        import growthbook features.json -o moved --section A.B -> A section's name is not empty and contains no ".".
        exposures purge store.sqlite -> Missing which exposures; add '--before', '--experiment', '--unknown' or '--all'
        exposures purge store.sqlite --all --unknown -> --all means every exposure; leave out --experiment and
            --unknown.
        exposures export store.sqlite --salt again -> --salt needs --experiment.
        check -d a --definitions b -> --definitions is given more than once; give it once.
        list --at 2026-11-21T12:00:00Z --at=2026-11-22T12:00:00Z -> --at is given more than once; give it once.
        assign in.csv -o a --output b -> --output is given more than once; give it once.
        check --json --format sarif | test --json --format github | diff old new --json --format markdown
            | list --format text --json | show e --json --format=html -> --json is --format json; leave out one of the
            two.
        config u --as-of 2026-11-21T12:00:00Z --at 2026-11-21T12:00:00Z -> --as-of is the instant of evaluation too;
            leave out --at.
        slots checkout --ends 2020-01-01T00:00:00Z -> --ends is not after now.
        bucket s -> Missing expected argument '<unit-id> ...'
        exposures purge store.sqlite --before 9999-01-01T00:00:00Z --write -> --before 9999-01-01T00:00:00Z is in the
            future; give an instant of the past, or --all for every exposure.
        exposures export store.sqlite --cursor-file - -> --cursor-file names a file that the next export reads; it
            cannot be -.
        slots checkout --ends 2020-01-01T00:00:00Z --at 2026-11-21T12:00:00Z -> --ends is not after --at.
        slots checkout --ends 2020-01-01T00:00:00Z --starts 2020-01-01T00:00:00Z -> --ends is not after --starts.
        diff old new --unit-column id -> --unit-column goes with --users.
        owners -o CODEOWNERS --check CODEOWNERS -> --check writes nothing; leave out --output.
        generate swift --check a --output b -> --check writes nothing; leave out --output.
        slots checkout --place 0% -> --place takes a share above 0%.
        """#

    /// Options of `allot power` that contradict each other, or ask for what cannot be.
    static let powerQuestions = #"""
        power -> Say what is measured: a baseline such as 10% for a rate, or a standard deviation such as 12.5 for a
            mean.
        power --baseline 10% --standard-deviation 3 --effect 1 -> A baseline is for a rate and a standard deviation for
            a mean; keep one of them.
        power --baseline 10% --mean 4 --effect 1% -> The mean goes with a standard deviation; the mean of a rate is its
            baseline.
        power --baseline 10% -> There is no quantity to calculate: give the effect for the units that are needed, the
            units for the effect that can be found, or both for the power.
        power --baseline 10% --effect 1% --relative-effect 2% -> The effect and the relative effect state one quantity
            in two ways; keep one.
        power --baseline 10% --effect 1% --units 100 --power 80% -> Effect, units and power are all given; leave one
            out, and it is calculated from the others.
        power --baseline 10% --effect 1% --units 100 --days 3 --units-per-day 100 -> The units and days state one
            quantity in several ways; keep one of them.
        power --baseline 10% --effect 1% --days 14 -> For a number of days, add the units per day.
        power --baseline 10% --effect 1% --traffic 10% -> The traffic is a share of the units of each day; add the units
            per day.
        power --baseline 10% --effect 1% --ramp 1%,10% --every 2d -> The ramp has shares of the units of each day; add
            the units per day.
        power --baseline 10% --effect 1% --units-per-day 100 --ramp 1%,10% -> A ramp needs both its shares and the time
            between them.
        power --baseline 10% --effect 1% --units-per-day 100 --ramp 1%,10% --every 2d --traffic 5% -> The ramp says
            which shares are enrolled; leave the traffic out.
        power --baseline 10% --effect 1% --shares a=50,b=50 --variants 3 -> 3 variants contradict the 2 shares of
            the allocation; keep one.
        power --baseline 10% --units-per-variant 1000 --shares 2,1 -> A number of units per variant is for equal
            shares; with this allocation give the units in all.
        power --standard-deviation 3 --effect 1% -> An effect on a mean is a number in its units; for a percentage of
            the mean give a relative effect.
        power --standard-deviation 3 --relative-effect 1% -> A relative effect on a mean needs the mean; add it, or give
            an effect.
        power --standard-deviation 3 --mean 0 --relative-effect 1% -> A relative effect does not apply to a mean of 0;
            give an effect.
        power --baseline 10% --effect 95% -> A change of +95 percentage points takes the rate of 10% to 105%; a rate
            stays from 0% to 100%.
        power --baseline 10% --relative-effect 1000% -> A change of +100 percentage points takes the rate of 10% to
            110%; a rate stays from 0% to 100%.
        power --baseline 10% --effect 1 -> An effect on a rate is in percentage points, such as 1% or 0.01.
        power --baseline 10% --relative-effect 5 -> A relative effect is a percentage of what the control has, such as
            5% or 0.05.
        power --standard-deviation 1 --effect 0 -> The effect is 0.0; it must be a finite number other than 0.
        power --baseline 10% --effect 1% --power 5% -> A power of 0.05 is reached without any data at a significance
            level of 0.05; ask for more power.
        power --baseline 10% --effect 1% --units-per-day 1e30 --ramp 1%,100% --every 1d -> There are 1e+30 units a day;
            it must be a number above 0 and below a quadrillion (1e15).
        power --baseline 10% --effect 1% --variants 1 | power --baseline 10% --effect 1% --variants 2000000000 -> There
            are 2 to 1000 variants, with the control.
        """#

    static let values = #"""
        check --at 02/01/2027 -> The value '02/01/2027' is invalid for '--at <instant>': it is not an instant of RFC
            3339; write 2027-02-01T00:00:00Z or 2027-01-02T00:00:00Z, whichever is meant
        check --at 9999-12-31T23:59:59-23:59 -> The value '9999-12-31T23:59:59-23:59' is invalid for '--at <instant>':
            it is not within the years 0 to 9999 in UTC; choose an instant within them
        assign in.csv --layout wid -> The value 'wid' is invalid for '--layout <layout>'. Please provide one of 'wide',
            'long' or 'json'.
        assign in.csv --delimiter :: -> The value '::' is invalid for '--delimiter <delimiter>': give one of , ; tab and
            |
        sql --dialect duckdb --column user_id -> The value 'user_id' is invalid for '--column <ours=theirs>': write
            attribute=column, such as user_id=id, or attribute= if no column has it
        srm in.csv --shares control=1 -> The value 'control=1' is invalid for '--shares <shares>': there is only one
            variant, so there is no ratio to test
        srm in.csv --shares a=-1,b=1 -> The value 'a=-1,b=1' is invalid for '--shares <shares>': "-1" is not a share; a
            share is a number from 0 to 1000000000000 with at most 6 decimals, with or without "%"
        srm in.csv --alpha 0 | distribution --alpha 0 -> The value '0' is invalid for '--alpha <probability>': write a
            rate above 0% and below 100%, such as 5% or 0.05
        srm in.csv --column a -> The value 'a' is invalid for '--column <ours=theirs>': write our name and the other
            one, such as user_id=id
        bucket s u --format markdown -> The value 'markdown' is invalid for '--format <format>'. Please provide one of
            'text' and 'json'.
        check --format junit -> The value 'junit' is invalid for '--format <format>'. Please provide one of the
            following:
        slots checkout --place 2 -> The value '2' is invalid for '--place <share>': "2" is not a valid share: write 2%
            if that is meant, 100% being everyone
        power --correction holm -> The value 'holm' is invalid for '--correction <correction>'. Please provide one of
            'bonferroni', 'dunnett' or 'none'.
        power --standard-deviation 0 -> The value '0' is invalid for '--standard-deviation <number>': write a number
            above 0, such as 12.5
        power --traffic 0 -> The value '0' is invalid for '--traffic <share>': write a share above 0% and at most 100%,
            such as 40%
        power --mean 5% -> The value '5%' is invalid for '--mean <number>': write a number such as 40, without %
        power --baseline 10 -> The value '10' is invalid for '--baseline <rate>': write a rate above 0% and below 100%,
            such as 5% or 0.05; is 10% meant?
        """#
}

extension UsageTests {
    /// A value that is not one of an option's, and what is said of it.
    @Test(
        "A value that an option does not have is a usage error",
        arguments: [
            (
                ["sql", "--dialect", "duckdb", "--column"], "ours=theirs", ["=id", "", "="],
                "write attribute=column, such as user_id=id, or attribute= if no column has it"
            ),
            (
                ["explain", "u", "--at"], "instant", ["now", "", "2026-02-30T12:00:00Z", "21.13.2026"],
                "it is not an instant; an instant is RFC 3339 with an offset, such as 2026-11-21T12:00:00Z or "
                    + "2026-11-21T13:00:00+01:00"
            ),
            (
                ["power", "--alpha"], "probability", ["0", "0%", "100%", "1", "-5%", "1e3", "250%"],
                "write a rate above 0% and below 100%, such as 5% or 0.05"
            ),
            (
                ["power", "--effect"], "change", ["ten", "", "%", "nan", "inf", "0x10", "1,5", "1 %", "--json"],
                "write a number such as 0.05 or 5%"
            ),
            (
                ["power", "--units"], "count", ["0", "-5", "1e5", "1.5", "20,000", "1000000000000001", "many"],
                "write a whole number from 1 to 1000000000000000, such as 20000"
            ),
            (["power", "--shares"], "shares", ["a=50"], "there is 1 variant; a comparison needs two or more"),
            (
                ["power", "--shares"], "shares", ["50,0"],
                "each planned variant has a share above 0; leave out those without"
            ),
            (
                ["power", "--shares"], "shares", ["50%,60%"],
                "the percentages add up to more than 100%; correct them, or write weights, such as control=2,green=1"
            ),
        ] as [([String], String, [String], String)])
    func values(words: [String], form: String, values: [String], problem: String) throws {
        let option = try #require(words.last)
        for value in values {
            Program.answer(words + [value]).expectUsageError(
                "The value '\(value)' is invalid for '\(option) <\(form)>': \(problem)")
        }
    }

    @Test(
        "Every command reads shares in the same forms",
        arguments: [["srm", "in.csv"], ["power", "--baseline", "10%", "--effect", "1%"], ["reweight", "button"]])
    func shares(command: [String]) throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "variant,count\ncontrol,500\ngreen,500\n"])
        for text in [
            "control=50%,green=50%", "control=1,green=1", "control=0.5,green=0.5", "50%,50%", "50,50", "1:1", "50/50",
        ] {
            let outcome = try Program.run(command + ["--shares", text], in: workspace.url)
            #expect(outcome.status == 0, "\(text): \(outcome.errors)")
        }
        for (text, problem) in [
            ("50", "is not a list of shares"), ("", "is not a list of shares"), ("50,x", "\"x\" is not a share"),
            ("50,", "\"\" is not a share"), ("a=50,50", "\"50\" does not name a variant with a share"),
            ("=50,=50", "\"=50\" does not name a variant"), ("a=50,a=50", "the variant \"a\" is given twice"),
            ("a=50%,b=1", "some shares are percentages and some are weights"),
        ] {
            let outcome = Program.answer(command + ["--shares", text])
            #expect(outcome.status == 64 && outcome.errors.contains(problem), "\(text): \(outcome.errors)")
        }
    }

    @Test("An option that is given twice is explained with the usage of its command")
    func repetition() {
        let lines = Program.answer(["exposures", "counts", "s.sqlite", "-o", "a", "-o", "b"]).errorLines
        #expect(lines.dropFirst().first?.hasPrefix("Usage: allot exposures counts <store>") == true, "\(lines)")
        #expect(lines.last == "  See 'allot exposures counts --help' for more information.")
    }

    @Test("An unknown command is a usage error with a hint")
    func unknownCommand() throws {
        try Program.run(["asign", "users.csv"]).expectUsageError(#"There is no command "asign"; did you mean assign?"#)
        try Program.run(["frobnicate"]).expectUsageError(
            #"There is no command "frobnicate"; the commands are init, check, test, list, show, catalog, "#
                + "owners, generate, assign, config, explain, bucket, sql, device, power, salt, holdout, slots, srm, "
                + "rerandomise, exposures, distribution, diff, history, reweight, ramp, import, import-verify, keys, "
                + "sign, verify, help."
        )
    }
}
