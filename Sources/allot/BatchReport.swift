import Allot
import AllotBatch
import AllotStatistics

/// The summary of a batch, for people.
struct BatchReport {
    private let summary: BatchSummary
    private let batch: BatchAssignment
    private let seconds: Double

    /// Below this p-value the sample ratio is taken to be broken, as the field does.
    private static let alarm = 0.001

    init(_ summary: BatchSummary, batch: BatchAssignment, duration: Duration) {
        self.summary = summary
        self.batch = batch
        seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    var lines: [String] {
        let rows = summary.counts.rowCount
        let rate = seconds > 0 ? Int(Double(rows) / seconds) : 0
        var lines = ["\(rows) rows in \(Self.rounded(seconds, 2)) s, \(rate) rows/s"]
        if summary.rejectCount > 0 {
            lines.append("\(ProblemSummary.counted(summary.rejectCount, "malformed row")) set aside")
        }
        if summary.counts.boundCount > 0 {
            lines.append(
                "\(summary.counts.boundCount) texts were too long for a pattern to be searched for, and did not match")
        }
        if !summary.missingColumns.isEmpty {
            let names = summary.missingColumns.sorted().joined(separator: ", ")
            lines.append("the input has no column for: \(names) (conditions see them as missing)")
        }
        let indices = batch.selection ?? Array(batch.plan.experiments.indices)
        return lines + indices.flatMap(lines(of:))
    }

    private func lines(of index: Int) -> [String] {
        let experiment = batch.plan.experiments[index]
        guard experiment.canAssign(at: batch.instant) else { return [] }
        let held = summary.counts.held(experiment: index)
        let splits = summary.counts.splits(experiment: index)
        let total = held.reduce(0, +)
        let drawn = splits.reduce(0, +)
        var line = "\(experiment.key): \(total) held"
        if total > drawn {
            let others = [Reason.forced, .winner].map { ($0, summary.counts.count(experiment: index, reason: $0)) }
                .filter { $0.1 > 0 }.map { "\($0.1) \($0.0.text)" }
            line += " (\(([(drawn > 0 ? "\(drawn) split" : nil)].compactMap { $0 } + others).joined(separator: ", ")))"
        }
        guard drawn > 0 else { return [line] }
        let owned = experiment.variants.map(\.bucketCount)
        let shares = owned.reduce(0, +)
        for (variant, count) in zip(experiment.variants, splits) {
            let share = Double(count) * 100 / Double(drawn)
            let expected = Double(variant.bucketCount) * 100 / Double(shares)
            line += "\n    \(variant.key): \(count), \(Self.rounded(share, 2))% (expected \(Self.rounded(expected, 2))%)"
        }
        if let test = ChiSquare(counts: splits, shares: owned.map(Double.init)) {
            let verdict = test.pValue < Self.alarm ? ": SAMPLE RATIO MISMATCH, do not trust results before it is explained" : ""
            line += "\n    SRM p = \(Self.significant(test.pValue))\(verdict)"
        }
        return [line]
    }

    /// A number with so many decimals.
    private static func rounded(_ value: Double, _ places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (value * scale).rounded()
        let whole = Int(scaled) / Int(scale)
        let fraction = String(Int(scale) + Int(scaled) % Int(scale)).dropFirst()
        return places == 0 ? "\(whole)" : "\(whole).\(fraction)"
    }

    /// A probability with two digits that matter.
    private static func significant(_ value: Double) -> String {
        if value >= 0.001 { return rounded(value, 4) }
        var mantissa = value
        var exponent = 0
        while mantissa > 0, mantissa < 1 {
            mantissa *= 10
            exponent -= 1
        }
        return value > 0 ? "\(rounded(mantissa, 1))e\(exponent)" : "0"
    }
}
