import TestSupport
import Testing

/// `--experiment`
@Suite(.blocks) struct SelectionTests {
    @Test(
        "An unknown experiment is an error with a hint",
        arguments: [["assign", Shop.users, "-o", "out.csv"], ["explain", "u"], ["sql", "--dialect", "duckdb"]])
    func unknownExperiment(command: [String]) throws {
        let workspace = try Workspace()
        let definitions = ["--definitions", Shop.folder.path]
        try workspace.run(command + definitions + ["--experiment", "chekout-button"]).expectFailure(
            #"unknown experiment "chekout-button"; did you mean "checkout-button"?"#)
        try workspace.run(command + definitions + ["--experiment", "zzz"]).expectFailure(
            """
            unknown experiment "zzz"; there are checkout-button, checkout-text, larger-basket, next-idea, old-layout, \
            semantic-search
            """)
        #expect(try workspace.files == [])
    }

    @Test("An experiment cannot be selected if the definitions have none")
    func definitionsWithoutExperiment() throws {
        let workspace = try Workspace([
            "Experiments/base.json": #"{"config_sections": {"S": {"settings": {"a": {"value": 1}}}}}"#
        ])
        try workspace.run("explain", "u", "--experiment", "a").expectFailure(
            #"unknown experiment "a"; the definitions have no experiment"#)
    }

    @Test("A selected experiment that cannot assign has no column")
    func oneThatCannotAssign() throws {
        let result = try Program.run(
            [
                "assign", Shop.users, "--definitions", Shop.folder.path, "--at", "2027-01-01T00:00:00Z", "--experiment",
                "checkout-text",
            ])
        #expect(try result.output == Shop.bytes("users.csv"))
        #expect(result.errorLines.last == "checkout-text: assigns no unit, it has ended")
        #expect(result.status == 0)
    }
}
