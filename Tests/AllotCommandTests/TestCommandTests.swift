import AllotConfiguration
import TestSupport
import Testing

/// `allot test`
@Suite(.blocks) struct TestCommandTests {
    private func workspace(_ body: String) throws -> Workspace {
        let workspace = try Workspace.withButton(and: [
            "Experiments/tests/page.yaml": "at: 2026-11-21T12:00:00Z\ncases:\n  - name: n\n    \(body)\n"
        ])
        return workspace
    }

    private func run(_ workspace: Workspace, _ arguments: String...) throws -> Outcome {
        try Program.run(["test"] + arguments, in: workspace.url)
    }

    @Test("The exit status is 0 if all cases pass, 2 if one fails, 1 if a file is wrong, 64 for a wrong command line")
    func exitStatus() throws {
        let good = try workspace("shares: { button: { control: 50%, green: 50% } }")
        let passed = try run(good)
        #expect((passed.status, passed.text) == (0, "1 case, 2 checks: 1 passed\n"))
        try run(good, "--format", "junit", "-o", "out.xml").expectOutput("")
        #expect(try good.read("out.xml").contains("failures=\"0\""))
        try run(good, "--mutate").expectText("survives: button: control and green exchanged", status: 2)
        try good.write(
            "Experiments/next.yaml", "status: draft\naudience: { country: \"DE, AT\" }\nvariants: [{ key: a }]\n")
        try run(good).expectText(start: "Experiments/next.yaml:2:22: warning: \"DE, AT\" is one text and not a list;")
        try run(workspace("expect: { button: control }")).expectText(
            "Experiments/tests/page.yaml:4:15: failed: n: button is green (split), expected control", status: 2)
        let wrong = try run(workspace("expect: { buton: control }"))
        #expect(wrong.status == 1)
        #expect(wrong.text.isEmpty)
        #expect(wrong.errors.contains("Experiments/tests/page.yaml:4:15: error: unknown experiment \"buton\""))
        #expect(Program.answer(["test", "--format", "xml"]).status == 64)
        #expect(try run(Workspace.withButton()).status == 1)
        try good.write("Experiments/tests/page.yaml", "cases: 5\n")
        let listed = try run(good).errorLines
        #expect(listed.first?.hasPrefix("Experiments/next.yaml:2:22: warning: \"DE, AT\" is one text") == true)
        #expect(listed.contains { $0.hasPrefix("allot: 1 error, ") }, "\(listed)")
    }

    @Test("Each format reports files that are wrong")
    func wrongFiles() throws {
        let wrong = try workspace("expect: { buton: control }")
        let message = #"unknown experiment "buton"; did you mean "button"?"#
        let gitHub = try run(wrong, "--format", "github")
        #expect((gitHub.status, gitHub.errors) == (1, ""))
        #expect(
            gitHub.text == """
                ::error title=allot test,file=Experiments/tests/page.yaml,line=4,col=15::\(message) \
                (cases[0].expect.buton)
                1 error, 0 warnings; no test runs until the errors are fixed

                """)
        let junit = try run(wrong, "--format", "junit").text
        #expect(junit.contains(#"<testsuites name="allot test" tests="1" errors="1">"#))
        #expect(junit.contains(#"file="Experiments/tests/page.yaml" line="4">"#))
        #expect(junit.contains(#"<error type="invalid" message="unknown experiment"#))
        let file = try run(wrong, "--format", "junit", "-o", "out.xml")
        #expect((file.status, file.text) == (1, ""))
        #expect(try wrong.read("out.xml") == junit)
        let json = try run(wrong, "--json")
        #expect((json.status, json.errors) == (1, ""))
        let report = try JSONValue(parsing: json.output)
        #expect(report["passed"] == false)
        #expect(report["problems"]?[0]?["line"] == 4)
        #expect(report["problems"]?[0]?["message"]?.text == message)
        try wrong.write("Experiments/button.yaml", "status: runing\nvariants: [{ key: a }]\n")
        #expect(try run(wrong, "--format", "github").text.contains("file=Experiments/button.yaml,line=1,col=9::"))
        let missing = try JSONValue(parsing: run(Workspace(), "--json").output)
        #expect(missing["problems"]?[0]?["file"]?.text == "Experiments")
    }
}
