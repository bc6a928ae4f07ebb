import AllotConfiguration
import TestSupport
import Testing

@Suite(.blocks) struct ReweightTests {
    @Test("Nothing is written without --write")
    func nothingIsWrittenUnasked() throws {
        let workspace = try Workspace.withButton()
        let before = try workspace.read("Experiments/button.yaml")
        let result = try workspace.run("reweight", "button", "--shares", "control=20%,green=80%")
        result.expectText(
            start: "1 of 1 experiment changed; enrolled units would move in button.\n\nbutton\n",
            end: """
                    Page.Color: "blue" → "green" for 30% (control → green)

                Experiments/button.yaml
                    -   - { key: green, overrides: { Page: { Color: green } } }
                    +     buckets: [0%..<20%]
                    +   - { key: green, buckets: [20%..<100%], overrides: { Page: { Color: green } } }
                not written yet; --write does it

                """, status: 2)
        #expect(try workspace.read("Experiments/button.yaml") == before)
    }

    @Test("A change that changes nothing says so, and gives no advice")
    func nothingChanges() throws {
        let workspace = try Workspace.withButton()
        #expect(try workspace.run("reweight", "button", "--traffic", "100%", "--write").status == 0)
        let before = try workspace.read("Experiments/button.yaml")
        try workspace.run("reweight", "button", "--traffic", "100%", "--write").expectText(
            end: "Experiments/button.yaml\nstays as it is\n")
        #expect(try workspace.read("Experiments/button.yaml") == before)
        try workspace.run("reweight", "button", "--shares", "control=50%").expectText(without: ["do not pool"])
        let json = try workspace.json("reweight", "button", "--shares", "control=10%,green=90%")
        #expect(json["changed"] == true)
        #expect(json["written"] == false)
        #expect(
            json["notes"] == ["do not pool data from before and after: analyse by revision, or restart with a new salt"]
        )
        #expect(json["reassignment"]?["experiments"]?[0]?["experiment"] == "button")
    }

    @Test("The written file is the one that was shown")
    func whatIsWrittenIsWhatWasShown() throws {
        let workspace = try Workspace.withButton()
        try workspace.run("reweight", "button", "--shares", "control=20%,green=80%", "--traffic", "40%", "--write")
            .expectText(
                end: "\nwritten\n")
        #expect(
            try workspace.read("Experiments/button.yaml") == """
                status: running
                traffic: 40%
                variants:
                  - key: control
                    buckets: [0%..<20%]
                  - { key: green, buckets: [20%..<100%], overrides: { Page: { Color: green } } }
                """)
        #expect(try workspace.run("check").status == 0)
        // Back again: the units that moved come back.
        _ = try workspace.run("reweight", "button", "--shares", "control=50%,green=50%", "--traffic", "100%", "--write")
        let text = try workspace.read("Experiments/button.yaml")
        #expect(text.contains("buckets: [0%..<50%]"))
        #expect(text.contains("traffic: 100%"))
    }

    @Test(
        "Shares are percentages or weights, with names or in the order of the variants",
        arguments: [
            ("control=20%,green=80%", 20), ("green=80%,control=20%", 20), ("control=1,green=4", 20),
            ("control=0.2,green=0.8", 20), ("20%,80%", 20), ("20,80", 20), ("1:4", 20), ("20%/80%", 20), ("0:1", 0),
        ])
    func formsOfShares(shares: String, percentage: Int) throws {
        let workspace = try Workspace.withButton()
        #expect(try workspace.run("reweight", "button", "--shares", shares, "--write").status == 0)
        #expect(try workspace.read("Experiments/button.yaml").contains("buckets: [\(percentage)%..<100%]"))
    }

    @Test("Weights divide what the other variants and no variant keep")
    func weightsOfSome() throws {
        let definition = """
            status: running
            variants:
              - { key: control, buckets: [0%..<25%] }
              - { key: green, buckets: [25%..<50%], overrides: { Page: { Color: green } } }
              - { key: red, buckets: [50%..<90%], overrides: { Page: { Color: red } } }
            """
        let workspace = try Workspace.withButton(definition)
        #expect(try workspace.run("reweight", "button", "--shares", "control=1,green=4", "--write").status == 0)
        let text = try workspace.read("Experiments/button.yaml")
        #expect(text.contains("key: control, buckets: [0%..<10%]"))
        #expect(text.contains("key: red, buckets: [50%..<90%]"))
        let freed = ["reweight", "button", "--shares", "1,1,2", "--unallocated", "0%", "--write"]
        #expect(try workspace.run(freed).status == 0)
        #expect(try workspace.json("show", "button")[0]?["variants"]?[2]?["share"] == "50%")
    }

    @Test("A variant can be closed or added")
    func closingAndAdding() throws {
        let workspace = try Workspace.withButton()
        #expect(try workspace.run("check", "--write-manifest").status == 0)
        let added = try workspace.run("reweight", "button", "--add", "red=10%", "--write")
        #expect(added.status == 0)
        // The manifest is written with the file.
        try workspace.shell("cd Experiments && sha256sum --quiet -c MANIFEST.sha256").expectOutput("")
        #expect(try workspace.read("Experiments/button.yaml").contains("- key: red\n    buckets: ["))
        let closed = try workspace.run("reweight", "button", "--close", "green", "--write")
        #expect(closed.status == 0)
        #expect(try workspace.read("Experiments/button.yaml").contains("buckets: []"))
        let again = try workspace.run("reweight", "button", "--close", "green")
        #expect(again.status == 1)
        #expect(again.errors == "allot: green owns no bucket, so it is closed already\n")
    }

    @Test(
        "Wrong shares are errors",
        arguments: [
            (
                ["button", "--shares", "control=20%"], 1,
                "the shares come to 70% (green keeps 50%) and have to come to 100%; or leave 30% unallocated"
            ),
            (
                ["button", "--shares", "control=60%"], 1,
                "the shares come to 110% (green keeps 50%) and have to come to 100%"
            ),
            (["button", "--shares", "blue=20%"], 1, #"button has no variant "blue"; it has control, green"#),
            (["button", "--shares", "control=20%,control=80%"], 64, #"the variant "control" is given twice"#),
            (["buton", "--shares", "control=20%"], 1, #"unknown experiment "buton"; did you mean "button"?"#),
            (["button", "--add", "green=20%"], 1, "button has a variant green already"),
            (["button", "--add", "a:b=20%"], 1, "is not a valid key of a variant"),
            (["button", "--close", "blue"], 1, "button has no variant"),
            (["button"], 64, "No change is given"),
            (["button", "--shares", "control"], 64, "is not a list of shares"),
            (["button", "--shares", "control=20"], 1, "write 20% if that is meant"),
            (["button", "--shares", "control=1"], 1, "write 100% or 1%, whichever is meant"),
            (["button", "--shares", "control=20%,green=4"], 64, "some shares are percentages and some are weights"),
            (["button", "--shares", "1:1:1"], 1, "button has 2 variants, and 3 shares are given"),
            (["button", "--shares", "0:0"], 1, "the weights are all 0"),
            (["button", "--shares", "control=20%", "--shares", "green=80%"], 64, "--shares is given more than once"),
            (["button", "--traffic", "1"], 64, "write 100% or 1%, whichever is meant"),
            (["button", "--shares", "control=20%", "--close", "green"], 64, "one of them at a time"),
            (["button", "--add", "a=1%", "--add", "b=1%"], 64, "one of them at a time"),
            (["button", "--close", "control", "--close", "green"], 64, "one of them at a time"),
            (["button", "--traffic", "101%"], 64, "a percentage is text"),
            (["button", "--shares", "control=0%,green=0%", "--unallocated", "100%"], 1, "no variant would get a unit"),
        ])
    func badInput(arguments: [String], status: Int32, message: String) throws {
        let workspace = try Workspace.withButton()
        let before = try workspace.read("Experiments/button.yaml")
        let reweight = ["reweight", "--write"] + arguments
        let result = try status == 64 ? Program.answer(reweight) : workspace.run(reweight)
        #expect(result.status == status)
        #expect(result.errors.contains(message))
        #expect(result.text == "")
        #expect(try workspace.read("Experiments/button.yaml") == before)
    }
}
