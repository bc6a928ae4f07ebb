import AllotConfiguration
import AllotDefinitions
import TestSupport
import Testing

@testable import AllotProofs

struct TestReportTests {
    private func report() throws -> TestReport {
        try Shop.tests(
            """
            at: 2026-11-21T12:00:00Z
            cases:
              - name: good
                unit: tester
                expect: { button: green }
              - name: "bad <&> 100%"
                unit: tester
                expect: { button: control }
            """
        ).run()
    }

    @Test("Text names the place, the case and what is wrong, then the counts")
    func text() throws {
        #expect(
            try report().lines == [
                "t.yaml:8:15: failed: bad <&> 100%: button is green (forced), expected control",
                "    tester gets green in button, because the definition forces it (a tester, not randomised).",
                "2 cases, 2 checks: 1 passed, 1 failed",
            ])
    }

    @Test("GitHub annotates the line of the claim")
    func gitHub() throws {
        let lines = try report().lines(.github)
        #expect(
            lines.first
                == "::error title=allot test%3A failed,file=t.yaml,line=8,col=15::bad <&> 100%25: button is green "
                + "(forced), expected control%0Atester gets green in button, because the definition forces it (a "
                + "tester, not randomised).")
        #expect(lines.last == "2 cases, 2 checks: 1 passed, 1 failed")
    }

    @Test("JUnit has a suite for each file and a failure for each finding")
    func junit() throws {
        let text = String(decoding: try report().junit, as: UTF8.self)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="allot test" tests="2" failures="1">
                  <testsuite name="t.yaml" tests="2" failures="1">
                    <testcase name="good" classname="t.yaml" file="t.yaml" line="3"/>
                    <testcase name="bad &lt;&amp;&gt; 100%" classname="t.yaml" file="t.yaml" line="6">
                      <failure type="failed" message="button is green (forced), expected control">t.yaml:8:15: bad \
                &lt;&amp;&gt; 100%: button is green (forced), expected control
                tester gets green in button, because the definition forces it (a tester, not randomised).</failure>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test("JSON has the counts, each case and its findings")
    func json() throws {
        guard case .object(let report) = try report().json, case .array(let cases)? = report["cases"] else {
            Issue.record("the report is an object")
            return
        }
        #expect(report["passed"] == false)
        #expect(report["counts"] == ["cases": 2, "passed": 1, "failed": 1, "unproved": 0, "checks": 2])
        #expect(
            cases.first == [
                "name": "good", "file": "t.yaml", "line": 3, "column": 5, "result": "passed", "checks": 1,
                "findings": [],
            ])
        #expect(report["coverage"] == nil)
    }

    private static let doubtfulFiles = [
        "base.yaml": "config_sections: { Page: { settings: { Color: { value: blue } } } }\n",
        "page.yaml": """
        status: running
        audience: { country: "DE, AT" }
        variants: [{ key: a }, { key: b }]

        """,
        "tests/t.yaml": """
        at: 2026-11-21T12:00:00Z
        cases:
          - { name: n, unit: u, attributes: { plan: pro }, expect: { page: none } }

        """,
    ]

    private static let messages = (
        definitions: #""DE, AT" is one text and not a list; write [DE, AT] below $in (audience.country)"#,
        tests: #"no experiment reads the attribute "plan", so it changes nothing; remove it (cases[0].attributes.plan)"#
    )

    @Test(
        "Each form has the warnings about definitions and about test files, which do not fail",
        arguments: ["text", "github", "json", "junit"])
    func warnings(_ form: String) throws {
        let folder = try TemporaryFolder(Self.doubtfulFiles)
        let report = try DefinitionTests(folder: folder.path).run()
        #expect(report.isPassed)
        let lines = [
            "\(folder.path)/page.yaml:2:22: warning: \(Self.messages.definitions)",
            "\(folder.path)/tests/t.yaml:3:45: warning: \(Self.messages.tests)",
        ]
        let summary = "1 case, 1 check: 1 passed"
        switch form {
        case "text": #expect(report.lines == lines + [summary])
        case "github":
            #expect(
                report.lines(.github) == [
                    "::warning title=allot test,file=\(folder.path)/page.yaml,line=2,col=22::"
                        + Self.messages.definitions,
                    "::warning title=allot test,file=\(folder.path)/tests/t.yaml,line=3,col=45::"
                        + Self.messages.tests,
                    summary,
                ])
        case "json": #expect(report.json[["warnings"]] == .strings(lines))
        default:
            let output = lines.joined(separator: "\n").replacing("\"", with: "&quot;")
            #expect(
                String(decoding: report.junit, as: UTF8.self).hasSuffix(
                    """
                      <testsuite name="warnings" tests="0" failures="0">
                        <system-out>\(output)</system-out>
                      </testsuite>
                    </testsuites>

                    """))
        }
    }

    @Test(
        "Errors in test files, and tests that cannot be read, are listed with the warnings about definitions",
        arguments: [("tests/t.yaml", "cases: 5\n"), ("tests/inner/t.yaml", "cases: []\n"), ("README.md", "")])
    func faults(file: String, text: String) throws {
        let folder = try TemporaryFolder(Self.doubtfulFiles.filter { !$0.key.hasPrefix("tests/") })
        try folder.write(text, to: file)
        do {
            _ = try DefinitionTests(folder: folder.path)
            Issue.record("a file has an error")
        } catch {
            guard case DefinitionsError.tests(let problems) = error else { throw error }
            #expect(problems.map(\.severity) == [.warning, .error])
            let junit = String(decoding: TestFault(error, folder: folder.path).junit, as: UTF8.self)
            #expect(junit.contains("errors=\"1\">"))
            #expect(
                junit.contains("<system-out>\(folder.path)/page.yaml:2:22: warning: &quot;DE, AT&quot; is one text"))
        }
    }
}
