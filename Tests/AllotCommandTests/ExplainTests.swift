import TestSupport
import Testing

@Suite(.blocks) struct ExplainTests {
    @Test("An explanation lists every check in order")
    func everyCheckInOrder() throws {
        try Shop.run("explain", "user-42", "country=DE", "app_version=2.10.1", "--experiment", "checkout-button")
            .expectOutput(
                """
                user-42 gets green in checkout-button, because its second bucket belongs to green.
                    unit        user_id is user-42
                    status      running
                    holdout     half-2-2026: first bucket 674333 of salt half-2-2026; held out below 20000 (2%): free
                    slot        checkout: first bucket 216619 of salt checkout; slots 0..<500000: inside
                    audience    matches
                                  in the segment europe:
                                    yes country is one of "DE", "FR", "NL", "NO", "SE" ("DE")
                                  yes app_version is version "2.3.0" or later ("2.10.1")
                    traffic     first bucket 448386 of salt checkout-button is below 800000 (80%)
                    split       second bucket 428254 of salt checkout-button belongs to green
                                control 0..<250000 (25%), green 250000..<500000 (25%), green-large 500000..<1000000 \
                (50%)
                    owner       payments@example.com
                    revision    850c78732f9014ab

                """)
    }

    @Test("An explanation can be put into Markdown and HTML")
    func forms() throws {
        let command = ["explain", "user-42", "country=DE", "app_version=2.10.1", "--experiment", "checkout-button"]
        let sentence = "user-42 gets green in checkout-button, because its second bucket belongs to green."
        let markdown = try Shop.run(command + ["--format", "markdown"])
        for part in ["\(sentence)\n\n", "```\nunit        user_id is user-42\n", "revision    850c78732f9014ab\n```"] {
            #expect(markdown.text.contains(part), "\(markdown.text)")
        }
        let html = try Shop.run(command + ["--format", "html"])
        #expect(html.text.contains(sentence) && html.text.contains("Why these variants"))
    }

    @Test("Several experiments can be selected")
    func severalExperiments() throws {
        try Shop.run("explain", "user-7", "--experiment", "next-idea", "--experiment", "checkout-button").expectOutput(
            """
            user-7 gets green in checkout-button, because the definition forces it (a tester, not randomised).
                unit        user_id is user-7
                status      running
                forced      the definition gives this unit green
                owner       payments@example.com
                revision    850c78732f9014ab

            user-7 gets no variant of next-idea: the experiment is still a draft.
                unit        user_id is user-7
                status      draft
                revision    508c7ee9c9d69813

            """)
    }

    @Test("Without a selection every experiment is explained")
    func everyExperimentWithoutSelection() throws {
        let sentences = try Shop.run("explain", "user-42", "country=DE", "app_version=2.10.1").text
            .split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(
            sentences == [
                "user-42 gets green in checkout-button, because its second bucket belongs to green.",
                "user-42 gets no variant of checkout-text: the unit's slot of the layer checkout belongs to others.",
                "user-42 gets no variant of larger-basket if it has no is_pro: the unit is not in the audience, "
                    + "which requires that is_pro is true; it is missing.",
                "user-42 gets no variant of next-idea: the experiment is still a draft.",
                "user-42 gets sticky in old-layout, because the experiment is over and sticky won.",
                "This subject gets no variant of semantic-search: org_id is missing, so there is no unit to "
                    + "assign.",
            ])
    }

    @Test("A decision names the attributes that it rests on and that were not given")
    func dependencies() throws {
        func explained(_ arguments: String...) throws -> String {
            try Shop.run(["explain", "user-42"] + arguments + ["--experiment", "checkout-button"]).text
        }
        let nothing = try explained()
        #expect(
            nothing.hasPrefix(
                "user-42 gets no variant of checkout-button if it has none of app_version, country: the unit is not "
                    + "in the audience.\n"))
        #expect(nothing.contains("\n    depends on  app_version, country (not given)\n    owner "))
        #expect(try explained("country=US").contains("user-42 gets no variant of checkout-button: the unit is not in"))
        #expect(try explained("country=DE").contains("checkout-button if it has no app_version: the unit is not in"))
        // Said to be absent, and whatever else it has.
        #expect(try explained("country=").contains("user-42 gets no variant of checkout-button: the unit is not in"))
        let json = try Shop.run("explain", "user-42", "contry=DE", "colour=red", "--json").text
        #expect(json.contains(#""depends_on": ["app_version", "country"]"#))
        #expect(json.contains(#"{"attribute": "contry", "meant": "country"}"#))
        #expect(json.contains(#"{"attribute": "colour", "meant": null}"#))
    }

    private static let draft = """
        {
          "at": "2026-11-21T12:00:00Z",
          "configuration_revision": "c43a9a53f17455d8",
          "experiments": [
            {
              "bucket": null,
              "experiment": "next-idea",
              "reason": "draft",
              "revision": "508c7ee9c9d69813",
              "sentence": "user-42 gets no variant of next-idea: the experiment is still a draft.",
              "steps": [
                {"attribute": "user_id", "given": "user-42", "step": "unit", "valid": true},
                {"status": "draft", "step": "status"}
              ],
              "unit": "user_id",
              "unit_id": "user-42",
              "variant": null
            }
          ],
          "hash": "sha256/1"
        }

        """

    @Test(
        "--json prints JSON, wherever it is",
        arguments: [
            ["user-42", "--json"], ["--json", "user-42"], ["user-42", "--json", "country=DE"],
            ["user-42", "--format", "json"],
        ])
    func jsonOutput(arguments: [String]) throws {
        try Shop.run(["explain"] + arguments + ["--experiment", "next-idea"]).expectOutput(Self.draft)
    }

    @Test(
        "--attributes gives typed attributes",
        arguments: [#"{"user_id": "user-42"}"#, #"  {"user_id": "user-42"}"#])
    func jsonInput(object: String) throws {
        let text = try Shop.run("explain", "--attributes", object, "--experiment", "next-idea").text
        #expect(text.hasPrefix("user-42 gets no variant of next-idea"))
        try Shop.run("explain", "--attributes=" + object, "--experiment", "next-idea", "--json").expectOutput(
            Self.draft)
    }

    /// After "--" nothing is an option, not even `--json`.
    @Test("After \"--\" a unit ID may look like an option")
    func unitIDThatLooksLikeAnOption() throws {
        try Program.run(
            [
                "explain", "--definitions", Shop.folder.path, "--at", Shop.instant, "--experiment", "next-idea", "--",
                "--json",
            ]).expectText(start: "--json gets no variant of next-idea", status: nil)
    }
}
