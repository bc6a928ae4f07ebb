import AllotConfiguration
import TestSupport
import Testing

@Suite(.blocks) struct SlotsTests {
    private func workspace() throws -> Workspace {
        let workspace = try Workspace(["Experiments/layers.yaml": "checkout: {}\nsearch: {}\n"])
        let experiments = [
            ("running", "status: running\nslots: [0%..<30%, 60%..<65%]"),
            ("paused", "status: paused\nslots: [30%..<50%]"),
            ("over", "status: concluded\nslots: [50%..<60%]"),
            ("soon", "status: running\nslots: [90%..<95%]\nstarts: 2027-01-01T00:00:00Z"),
            ("windows", "status: running\nslots: [95%..<100%]\nperiod: { every: 1h, from: 2027-01-01T00:00:00Z }"),
        ]
        for (key, text) in experiments {
            try workspace.write("Experiments/\(key).yaml", text + "\nlayer: checkout\nvariants: [{ key: a }]\n")
        }
        return workspace
    }

    @Test("The slots of experiments and the free slots are listed")
    func holdersAndGaps() throws {
        try workspace().run("slots", "checkout").expectOutput(
            """
            checkout: 35% free (unit user_id, salt checkout)
                0%..<30%    running  running
                30%..<50%   paused   paused
                50%..<60%   over     concluded, so its slots are free
                50%..<60%   free
                60%..<65%   running  running
                65%..<90%   free
                90%..<95%   soon     running, from 2027-01-01T00:00:00Z
                95%..<100%  windows  running, from 2027-01-01T00:00:00Z

            """)
    }

    @Test("A new experiment gets the smallest gap that fits")
    func theSmallestGapIsTaken() throws {
        let small = try workspace().run("slots", "checkout", "--place", "10%")
        #expect(
            small.text.hasSuffix(
                """
                    slots: [50%..<60%]
                its units have met the variants of over; give it a salt of its own, which spreads that evenly

                """))
        try workspace().run("slots", "checkout", "--place", "20%").expectText(
            end: "a new experiment of 20%:\n    layer: checkout\n    slots: [65%..<85%]\n", status: nil)
        let both = try workspace().run("slots", "checkout", "--place", "30%", "--json")
        #expect(try JSONValue(parsing: both.output)["place"] == ["50%..<55%", "65%..<90%"])
    }

    @Test("Slots are free if schedules do not overlap")
    func timeCounts() throws {
        try workspace().run("slots", "checkout", "--place", "35%", "--ends", "2026-12-31T00:00:00Z").expectText(
            end: "slots: [65%..<100%]\n")
    }

    @Test("Wrong input is an error")
    func badInput() throws {
        let workspace = try workspace()
        try workspace.run("slots", "checkout", "--place", "40%").expectErrors(
            "allot: checkout has only 35% free, not 40%\n", status: 2)
        let json = try workspace.run("slots", "checkout", "--place", "40%", "--json")
        #expect(json.status == 2)
        #expect(try JSONValue(parsing: json.output)["place"] != nil)
        try workspace.run("slots", "chekout").expectFailure(#"unknown layer "chekout"; did you mean "checkout"?"#)
        let late = ["slots", "checkout", "--ends", "2020-01-01T00:00:00Z"]
        #expect(Program.answer(late).errorLines[1].hasPrefix("Usage: allot slots <layer> "))
        #expect(Program.answer(["slots", "checkout", "--place", "x"]).status == 64)
        #expect(try Workspace.withButton().run("slots", "checkout").errors.contains("have no layer"))
    }
}
