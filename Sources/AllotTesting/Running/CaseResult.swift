import AllotConfiguration
import AllotCore

/// What became of one case.
package struct CaseResult: Sendable {
    let testCase: TestCase
    /// The claims that do not hold, or are not proved, in the order of the case.
    var findings: [Finding] = []
    /// How often a claim was tested: once for each combination of `each` and each instant.
    var checks = 0

    /// Whether a claim holds.
    enum Verdict: String, Sendable {
        case passed, failed, unproved
    }

    var verdict: Verdict {
        if findings.contains(where: { $0.verdict == .failed }) { return .failed }
        return findings.isEmpty ? .passed : .unproved
    }

    /// A claim that does not hold, or is not proved.
    struct Finding: Sendable {
        let verdict: Verdict
        let place: TestCase.Place
        /// The combination of `each`, and the instant of a period; empty without them.
        let circumstances: String
        /// What is the case, and what was expected.
        let message: String
        /// Why, or a unit for which the claim does not hold.
        let details: String?
    }
}
