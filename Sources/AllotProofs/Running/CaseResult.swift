import AllotConfiguration
import AllotCore

package struct CaseResult: Sendable {
    let testCase: TestCase
    /// The claims that do not hold, or are not proved, in the order of the case.
    var findings: [Finding] = []
    /// The number of tests of a claim: one for each combination of `each` and each instant.
    var checks = 0

    enum Verdict: String, Sendable {
        case passed, failed, unproved
    }

    var verdict: Verdict {
        if findings.contains(where: { $0.verdict == .failed }) { return .failed }
        return findings.isEmpty ? .passed : .unproved
    }

    struct Finding: Sendable {
        let verdict: Verdict
        let place: TestCase.Place
        /// The combination of `each`, and the instant of a period; empty without them.
        let circumstances: String
        /// The fact, and the expectation.
        let message: String
        /// The explanation, or a unit for which the claim does not hold.
        let details: String?
    }
}
