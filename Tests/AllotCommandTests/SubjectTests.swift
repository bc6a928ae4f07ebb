import TestSupport
import Testing

/// Subjects on the command line that mean nothing, or probably something else.
@Suite(.blocks) struct SubjectTests {
    private static let commands = ["config", "explain"]

    private static let form = #"--attributes takes a JSON object such as '{"country": "DE"}'."#
    private static let invalid = "--attributes is not valid JSON, at line 1, column "

    static let mistakes: [(arguments: [String], message: String)] = [
        ([], "No subject; give a unit ID and attributes, such as: user-42 country=DE"),
        (["u", "country"], #""country" is not an attribute; write it as name=value, such as country=DE."#),
        (["u", "=DE"], #""=DE" is not an attribute; write it as name=value, such as country=DE."#),
        (["u", "country=DE", "country=US"], "The attribute country is given twice; keep one."),
        (
            ["u", "country=DE", "--attributes", #"{"country": "US"}"#],
            "The attribute country is given twice; keep one."
        ),
        (
            ["u", "user_id=v"],
            "The attribute user_id is given twice (it is the unit ID, the first argument); keep one."
        ),
        (
            ["u", "--attributes", #"{"user_id": "v"}"#],
            #"The unit ID is given twice, as "u" and as typed user_id; keep one."#
        ),
        (["u", "--attributes=[1]"], form), (["u", "--attributes", "[{}]"], form), (["u", "--attributes=true"], form),
        (["u", "--attributes", #"{"a": 1, "a": 2}"#], invalid + #"10: the key "a" is given twice; keep one."#),
        (["u", "--attributes", #"{"a": 1"#], invalid + #"1: this is never closed; add "}"."#),
        (
            ["u", "--attributes", String(repeating: "[", count: 100_000)],
            invalid + "101: nested deeper than 100 levels; flatten it."
        ),
    ]

    /// Both commands have the same reading of a subject, so they share the mistakes.
    @Test("A wrong subject is a usage error", arguments: zip(mistakes.indices, commands.cycled(to: mistakes.count)))
    func isRefused(index: Int, command: String) {
        let (arguments, message) = Self.mistakes[index]
        Program.answer([command] + arguments).expectUsageError(message)
    }

    /// Attributes that decisions of the shop's experiments on `user-42` rest on.
    private static let missing =
        #"allot: note: experiments look at "app_version", "country", "is_pro", "org_id", "plan", "seats", "#
        + "which are not given"

    @Test("An attribute that cannot change a decision is not noted as missing", arguments: commands)
    func settledAttributesAreNotNoted(command: String) throws {
        let workspace = try Workspace.withButton(
            "status: running\naudience: { country: DE, orders: { $lt: 5 } }\nvariants: [{ key: only }]")
        #expect(try workspace.run(command, "u", "country=US").errorLines == [])
        #expect(
            try workspace.run(command, "u", "country=DE").errorLines == [
                #"allot: note: experiments look at "orders", which is not given"#
            ])
    }

    @Test("Attributes that no experiment looks at, and those that are missing, are noted", arguments: commands)
    func unreadAndMissingAttributesAreNoted(command: String) throws {
        let result = try Shop.run(command, "user-42", "contry=DE", "Plan=free", "colour=red", "x\u{7}=1")
        #expect(
            result.errorLines == [
                #"allot: note: no experiment looks at "Plan"; did you mean "plan"?"#,
                #"allot: note: no experiment looks at "contry"; did you mean "country"?"#,
                #"allot: note: no experiment looks at "colour", "x\u0007""#, Self.missing,
            ])
        #expect(result.status == 0)
    }

    @Test("Without the attribute of any unit there is no answer", arguments: commands)
    func withoutUnitID(command: String) throws {
        let message =
            "No unit ID is given; write it first, as in user-42 country=DE, or as an attribute: org_id=ID or "
            + "user_id=ID, where the ID may contain \"=\"."
        for arguments in [
            ["country=DE"], ["country=DE", "plan=free"], ["user_id=", "country=DE"], ["dXNlci00Mg=="],
            ["--attributes", #"{"country": "DE"}"#],
        ] {
            Program.answer([command] + arguments + ["--definitions", Shop.folder.path, "--at", Shop.instant])
                .expectUsageError(message)
        }
        // Where no experiment has a unit, none is required.
        let everyone = try Workspace([
            "Experiments/everyone.yaml": "status: running\nunit: none\naudience: { a: b }\nvariants: [{ key: only }]"
        ])
        #expect(try everyone.run(command, "a=b").text.contains("only"))
        for arguments in [["user-42"], ["user_id=user-42"], ["org_id=7"], ["--attributes", #"{"org_id": 7}"#]] {
            #expect(try Shop.run([command] + arguments).status == 0, "\(arguments)")
        }
    }

    @Test("Every name=value is an attribute, the unit ID too, and typed attributes give the same", arguments: commands)
    func formsOfAttributes(command: String) throws {
        let first = try Shop.run(command, "user-42", "country=DE", "app_version=2.10.1", "is_pro=true")
        #expect(first.text.contains("larger-basket"))
        for arguments in [
            ["user_id=user-42", "country=DE", "app_version=2.10.1", "is_pro=true"],
            ["country=DE", "user_id=user-42", "app_version=2.10.1", "is_pro=true"],
            ["user-42", "--attributes", #"{"country": "DE", "app_version": "2.10.1", "is_pro": true}"#],
            ["user-42", "country=DE", "--attributes", #"{"app_version":"2.10.1","is_pro":true}"#],
            ["--attributes", #"{"user_id": "user-42", "country": "DE", "app_version": "2.10.1", "is_pro": true}"#],
        ] where command == "config" || !arguments.contains("--attributes") {
            let other = try Shop.run([command] + arguments)
            #expect(other.text == first.text)
            #expect(other.errors == first.errors)
        }
        #expect(try Shop.run("explain", "user_id=a=b==", "--json").text.contains(#""unit_id": "a=b==""#))
    }

    @Test("An attribute without a value is missing")
    func attributeWithoutValueIsMissing() throws {
        try Shop.run(
            "explain", "user-42", "country=", "app_version=2.10.1", "--experiment", "checkout-button"
        ).expectText(#"country is one of "DE", "FR", "NL", "NO", "SE" (missing)"#, status: nil)
    }

    @Test("A value may contain any text")
    func valuesMayHoldAnything() throws {
        let workspace = try Workspace.withButton(
            #"{ status: running, audience: { note: "a=b c,\"d\"" }, variants: [{ key: only }] }"#)
        #expect(try workspace.run("config", "u", "note=a=b c,\"d\"").text.contains("\"only\""))
    }
}
