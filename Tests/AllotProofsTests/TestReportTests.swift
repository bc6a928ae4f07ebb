import AllotConfiguration
import AllotDefinitions
import TestSupport
import Testing

@testable import AllotProofs

struct TestReportTests {
    /// Definitions with a warning, and a test file with another, a case that passes and one that fails.
    private static let files = [
        "base.yaml": "config_sections: { Page: { settings: { Color: { value: blue } } } }\n",
        "page.yaml": """
        status: running
        audience: { country: "DE, AT" }
        variants: [{ key: a }, { key: b }]
        forced: { tester: b }

        """,
        "tests/t.yaml": """
        at: 2026-11-21T12:00:00Z
        cases:
          - name: good
            unit: u
            attributes: { plan: pro }
            expect: { page: none }
          - name: "bad <&> 100%"
            unit: tester
            expect: { page: a }

        """,
    ]

    private static let messages = (
        definitions: #""DE, AT" is one text and not a list; write [DE, AT] below $in (audience.country)"#,
        tests: "no experiment reads the attribute \"plan\", so it changes nothing; remove it "
            + "(cases[0].attributes.plan)", failure: "page is b (forced), expected a",
        reason: "tester gets b in page, because the definition forces it (a tester, not randomised)."
    )

    @Test("Each form has the warnings, which do not fail, the failures with their places, and the counts")
    func forms() throws {
        let folder = try TemporaryFolder(Self.files)
        let report = try DefinitionTests(folder: folder.path).run()
        let (page, tests, messages) = (folder.path("page.yaml"), folder.path("tests/t.yaml"), Self.messages)
        let warnings = ["\(page):2:22: warning: \(messages.definitions)", "\(tests):5:25: warning: \(messages.tests)"]
        let summary = "2 cases, 2 checks: 1 passed, 1 failed"
        #expect(
            report.lines == warnings + [
                "\(tests):9:15: failed: bad <&> 100%: \(messages.failure)", "    \(messages.reason)", summary,
            ])
        #expect(
            report.annotations == [
                "::warning title=allot test,file=\(page),line=2,col=22::\(messages.definitions)",
                "::warning title=allot test,file=\(tests),line=5,col=25::\(messages.tests)",
                "::error title=allot test%3A failed,file=\(tests),line=9,col=15::bad <&> 100%25: \(messages.failure)"
                    + "%0A\(messages.reason)", summary,
            ])
        #expect(
            report.junit.joined(separator: "\n") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="allot test" tests="2" failures="1">
                  <testsuite name="\(tests)" tests="2" failures="1">
                    <testcase name="good" classname="\(tests)" file="\(tests)" line="3"/>
                    <testcase name="bad &lt;&amp;&gt; 100%" classname="\(tests)" file="\(tests)" line="7">
                      <failure type="failed" message="\(messages.failure)">\(tests):9:15: bad &lt;&amp;&gt; 100%: \
                \(messages.failure)
                \(messages.reason)</failure>
                    </testcase>
                  </testsuite>
                  <testsuite name="warnings" tests="0" failures="0">
                    <system-out>\(warnings.joined(separator: "\n").replacing("\"", with: "&quot;"))</system-out>
                  </testsuite>
                </testsuites>
                """)
        #expect(report.json[["passed"]] == false)
        #expect(report.json[["counts"]] == ["cases": 2, "passed": 1, "failed": 1, "unproved": 0, "checks": 2])
        #expect(report.json[["warnings"]] == .strings(warnings))
        #expect(report.json[["coverage"]] == nil)
        guard case .array(let cases)? = report.json[["cases"]] else {
            Issue.record("the cases are a list")
            return
        }
        #expect(
            cases.first == [
                "name": "good", "file": .string(tests), "line": 3, "column": 5, "result": "passed", "checks": 1,
                "findings": [],
            ])
    }

    @Test(
        "Errors in test files, and tests that cannot be read, are listed with the warnings about definitions",
        arguments: [("tests/t.yaml", "cases: 5\n"), ("tests/inner/t.yaml", "cases: []\n"), ("README.md", "")])
    func faults(file: String, text: String) throws {
        let folder = try TemporaryFolder(Self.files.filter { !$0.key.hasPrefix("tests/") })
        try folder.write(text, to: file)
        do {
            _ = try DefinitionTests(folder: folder.path)
            Issue.record("a file has an error")
        } catch {
            guard case DefinitionsError.tests(let problems) = error else { throw error }
            #expect(problems.map(\.severity) == [.warning, .error])
            let junit = TestFault(error, folder: folder.path).junit.joined(separator: "\n")
            #expect(junit.contains("errors=\"1\">"))
            #expect(
                junit.contains("<system-out>\(folder.path)/page.yaml:2:22: warning: &quot;DE, AT&quot; is one text"))
        }
    }
}
