import AllotConfiguration
import AllotCore

/// The parts of the definitions that the cases of a run reach: of each experiment that a case names.
struct Coverage: Sendable {
    /// The parts of one experiment that cases reach.
    struct Reached: Sendable {
        var variants: Set<Int> = []
        var reasons: Set<Reason> = []
        /// The tests of the audience that some unit passes, and that some unit fails.
        var passed: Set<Int> = []
        var failed: Set<Int> = []
        var instants: Set<Instant> = []
    }

    private(set) var experiments: [Int: Reached] = [:]

    mutating func note(_ outcome: Decision, of experiment: Int) {
        experiments[experiment, default: Reached()].reasons.insert(outcome.reason)
        if let variant = outcome.variant { experiments[experiment, default: Reached()].variants.insert(variant) }
    }

    mutating func note(_ instant: Instant, of experiments: [Int]) {
        for experiment in experiments { self.experiments[experiment, default: Reached()].instants.insert(instant) }
    }

    mutating func note(cells: inout DecisionCells, of experiments: [Int]) {
        for experiment in experiments {
            for cell in cells.cells(of: experiment) { note(cell.outcome, of: experiment) }
        }
    }

    /// Notes which tests of the audiences of experiments some unit passes or fails.
    mutating func note(_ space: AudienceSpace, _ experiments: [Int], canHold: [Bool], canFail: [Bool]) {
        for experiment in experiments {
            guard let range = space.testRanges[experiment] else { continue }
            var reached = self.experiments[experiment] ?? Reached()
            for test in range {
                if canHold[test] { reached.passed.insert(test - range.lowerBound) }
                if canFail[test] { reached.failed.insert(test - range.lowerBound) }
            }
            self.experiments[experiment] = reached
        }
    }
}
