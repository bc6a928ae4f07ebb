import Allot
import AllotAnalysis
import AllotBatch
import AllotStatistics

/// What a batch has come to in one experiment, for people.
struct ExperimentReport {
    private let experiment: Plan.Experiment
    private let instant: Instant
    private let index: Int
    private let counts: AssignmentCounts

    /// Below this p-value the sample ratio is taken to be broken, as the field does.
    private static let alarm = PValue(0.001)
    /// The chi-square test is an approximation that holds from so many expected units on.
    private static let fewest = 5.0

    init(_ experiment: Plan.Experiment, at instant: Instant, index: Int, _ counts: AssignmentCounts) {
        self.experiment = experiment
        self.instant = instant
        self.index = index
        self.counts = counts
    }

    var lines: [String] {
        if let obstacle = experiment.obstacle(at: instant) {
            return ["\(experiment.key): assigns nobody, \(text(of: obstacle))"]
        }
        let splits = counts.splits(experiment: index)
        let drawn = splits.reduce(0, +)
        let held = counts.assigned(experiment: index).reduce(0, +)
        guard drawn > 0 else { return ["\(experiment.key): \(held) held\(others(besides: drawn))"] }
        let owned = experiment.variants.map(\.bucketCount)
        let shares = Double(owned.reduce(0, +))
        var lines = ["\(experiment.key): \(held) held\(others(besides: drawn))"]
        for (variant, count) in zip(experiment.variants, splits) {
            let share = FixedPoint.text(Double(count) * 100 / Double(drawn), 2)
            let expected = FixedPoint.text(Double(variant.bucketCount) * 100 / shares, 2)
            lines.append("    \(variant.key): \(count), \(share)% (expected \(expected)%)")
        }
        guard let test = try? ChiSquare(counts: splits, shares: owned.map(Double.init)) else { return lines }
        let leastExpected = owned.filter { $0 > 0 }.map { Double($0) * Double(drawn) / shares }.min() ?? 0
        if experiment.unit != Subject.defaultUnit {
            lines.append("    SRM not tested: several rows can have one \(experiment.unit)")
        } else if leastExpected < Self.fewest {
            lines.append("    SRM not tested: fewer than \(Int(Self.fewest)) units are expected of a variant")
        } else {
            let verdict =
                test.pValue < Self.alarm ? ": SAMPLE RATIO MISMATCH, do not trust results before it is explained" : ""
            lines.append("    SRM p = \(test.pValue)\(verdict)")
        }
        return lines
    }

    /// Of those who hold a variant, how many were drawn and how many got it otherwise.
    private func others(besides drawn: Int) -> String {
        let others = [Reason.forced, .winner].map { ($0, counts.count(experiment: index, reason: $0)) }.filter {
            $0.1 > 0
        }
        guard !others.isEmpty else { return "" }
        let parts = (drawn > 0 ? [(Reason.split, drawn)] : []) + others
        return " (\(parts.map { "\($0.1) \($0.0.text)" }.joined(separator: ", ")))"
    }

    /// Why the experiment can assign nobody, in words.
    private func text(of obstacle: Reason) -> String {
        switch obstacle.check {
        case .paused: "it is paused"
        case .draft: "it is a draft that forces no unit"
        case .schedule:
            if obstacle == .notStarted, let starts = experiment.starts {
                "it starts at \(starts)"
            } else {
                "it has ended"
            }
        case .conclusion: "it is concluded without a winner"
        // These depend on the unit.
        case .unit, .forced, .displacement, .holdout, .slot, .requirement, .audience, .traffic, .split: obstacle.text
        }
    }
}
