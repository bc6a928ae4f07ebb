import Allot
import AllotBatch
import AllotConfiguration

/// The summary of a batch, for people.
struct BatchReport {
    private let summary: BatchSummary
    private let batch: BatchAssignment
    private let seconds: Double

    init(_ summary: BatchSummary, batch: BatchAssignment, duration: Duration) {
        self.summary = summary
        self.batch = batch
        seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    var lines: [String] {
        let indices = batch.selection ?? Array(batch.plan.experiments.indices)
        let live = indices.filter { batch.plan.experiments[$0].canAssign(at: batch.instant) }
        var lines = [rateLine]
        if summary.rejectCount > 0 {
            lines.append("\(counted(summary.rejectCount, "malformed row")) set aside")
        }
        if summary.counts.boundCount > 0 {
            lines.append(
                "\(summary.counts.boundCount) texts were too long for a pattern to be searched for, and did not match")
        }
        if !summary.missingColumns.isEmpty {
            let names = summary.missingColumns.sorted().joined(separator: ", ")
            lines.append("the input has no column for: \(names) (conditions see them as missing)")
        }
        lines += unitLines(live)
        if live.isEmpty, batch.selection == nil { lines.append("no experiment can assign anybody at \(batch.instant)") }
        for index in batch.selection == nil ? live : indices {
            lines +=
                ExperimentReport(batch.plan.experiments[index], at: batch.instant, index: index, summary.counts).lines
        }
        return lines
    }

    private var rateLine: String {
        let rows = summary.counts.rowCount
        let rate = seconds > 0 ? Int(Double(rows) / seconds) : 0
        return "\(counted(rows, "row")) in \(FixedPoint.text(seconds, 2)) s, \(rate) rows/s"
    }

    /// How many rows have no unit ID, for each attribute that holds one.
    private func unitLines(_ live: [Int]) -> [String] {
        var firsts: [String: Int] = [:]
        for index in live.reversed() { firsts[batch.plan.experiments[index].unit] = index }
        return firsts.sorted { $0.value < $1.value }.compactMap { unit, index in
            let count = summary.counts.count(experiment: index, reason: .noUnit)
            guard count > 0, !summary.missingColumns.contains(unit) else { return nil }
            let rows = count == 1 ? "1 row has" : "\(count) rows have"
            return "\(rows) no valid \(unit) (empty, or longer than \(UnitID.maximumLength) bytes)"
        }
    }
}
