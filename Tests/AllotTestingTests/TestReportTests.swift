import AllotConfiguration
import Testing

@testable import AllotTesting

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
}
