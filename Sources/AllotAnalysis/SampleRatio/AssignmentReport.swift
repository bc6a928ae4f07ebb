import AllotBatch
import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

/// The summary of a batch, for people: rows, rate, revision and instant, and for each experiment its counts and the
/// test of `allot srm`, of rows: it is left out where one unit may have several.
package struct AssignmentReport {
    private let summary: BatchSummary
    private let batch: BatchAssignment
    private let seconds: Double
    private let instantOption: String?

    package init(_ summary: BatchSummary, of batch: BatchAssignment, duration: Duration, instantOption: String? = nil) {
        self.summary = summary
        self.batch = batch
        self.instantOption = instantOption
        seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private var experiments: [Plan.Experiment] { batch.plan.experiments }

    package var lines: [String] {
        let counts = summary.counts
        let indices = batch.selection ?? Array(experiments.indices)
        let live = indices.filter { experiments[$0].obstacle(at: batch.commonInstant) == nil }
        var lines = [rateLine]
        if let first = summary.rejects.first {
            lines += [rejectLine, "    the first, in line \(first.line), column \(first.column): \(first.reason)"]
        }
        if counts.boundCount > 0 {
            lines.append("\(counts.boundCount) texts were too long for a pattern to be searched for, and did not match")
        }
        if !summary.missingColumns.isEmpty {
            let names = summary.missingColumns.sorted().map { name in
                let near = NearestName.hint(for: name, among: summary.sample.columnNames)
                return near.map { "\(PrintableText(name)) (did you mean \(QuotedText($0))?)" }
                    ?? PrintableText(name).description
            }.joined(separator: ", ")
            lines.append("the input has no column for: \(names) (conditions see them as missing)")
        }
        lines += unitLines(live) + counts.doubts.sentences
        if batch.selection == nil { lines += idleLine(live) }
        let isEmpty = live.contains { counts.assigned(experiment: $0).allSatisfy { $0 == 0 } } && counts.rowCount > 0
        let report = isEmpty ? StoppedRowsReport(summary, of: batch) : nil
        return lines + (batch.selection == nil ? live : indices).flatMap { experimentLines($0, report) }
    }

    private var rateLine: String {
        let rows = summary.counts.rowCount
        let rate = seconds > 0 ? Int(Double(rows) / seconds) : 0
        return "\(counted(rows, "row")) in \(NumberFormat.fixed(seconds, 2)) s, \(rate) rows/s; \(evaluation)"
    }

    /// The revision and the instant, with which the same rows get the same answers.
    private var evaluation: String {
        let revision = "revision \(batch.plan.revision)"
        guard let instant = batch.commonInstant else { return "\(revision), each row at its own instant" }
        return "\(revision), \(instantOption ?? "at") \(instant)"
    }

    private var rejectLine: String {
        let rejects = summary.rejects
        let rows = counted(rejects.rowCount, "malformed row")
        guard let longest = rejects.longest else { return "\(rows) set aside" }
        guard rejects.rowCount > 1 else {
            let place = "\(longest.lineCount) lines, from line \(longest.line)"
            return "\(rows) of \(place), set aside (\(longest.byteCount) bytes)"
        }
        return "\(rows) of \(rejects.lineCount) lines set aside (\(rejects.byteCount) bytes); the longest has "
            + "\(longest.lineCount) lines, from line \(longest.line)"
    }

    /// How many rows have no unit ID, for each attribute that holds one.
    private func unitLines(_ live: [Int]) -> [String] {
        let firsts = Dictionary(
            live.compactMap { index in experiments[index].unit.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        return firsts.sorted { $0.value < $1.value }.compactMap { unit, index in
            let count = summary.counts.count(experiment: index, reason: .noUnit)
            guard count > 0, !CompositeUnit.parts(of: unit).contains(where: summary.missingColumns.contains) else {
                return nil
            }
            let rows = count == 1 ? "1 row has" : "\(count) rows have"
            return "\(rows) no valid \(PrintableText(unit)) (empty, or longer than \(UnitID.maximumLength) bytes)"
        }
    }

    private func idleLine(_ live: [Int]) -> [String] {
        let idle = experiments.compactMap { experiment in
            experiment.obstacle(at: batch.commonInstant).map { "\(experiment.key) (it \(experiment.text(of: $0)))" }
        }
        guard live.isEmpty || !idle.isEmpty else { return [] }
        let instant = batch.commonInstant?.description ?? "any instant"
        let start = live.isEmpty ? "no experiment can assign any unit at" : "left out, with no unit to assign at"
        return ["\(start) \(instant)\(idle.isEmpty ? "" : ": \(idle.listed(atMost: 8))")"]
    }

    private func experimentLines(_ index: Int, _ stopped: StoppedRowsReport?) -> [String] {
        let experiment = experiments[index]
        if let obstacle = experiment.obstacle(at: batch.commonInstant) {
            return ["\(experiment.key): assigns no unit, it \(experiment.text(of: obstacle))"]
        }
        let splits = summary.counts.splits(experiment: index)
        let total = splits.reduce(0, +)
        let assigned = summary.counts.assigned(experiment: index).reduce(0, +)
        var lines = ["\(experiment.key): \(assigned) assigned\(reasons(index, splits: total))"]
        if assigned == 0, let stopped { lines += stopped.lines(index) }
        guard total > 0 else { return lines }
        let weights = experiment.variants.map { Double($0.bucketCount) }
        let sum = weights.reduce(0, +)
        for (place, variant) in experiment.variants.enumerated() {
            let share = NumberFormat.share(Double(splits[place]) / Double(total))
            let expected = NumberFormat.share(weights[place] / sum)
            lines.append("    \(variant.key): \(splits[place]), \(share) (expected \(expected))")
        }
        guard let unit = experiment.unit, let test = RatioTest(counts: splits, shares: weights) else { return lines }
        guard unit == Subject.defaultUnit, batch.timeColumn == nil else {
            return lines + ["    SRM not tested: several rows can have one \(PrintableText(unit))"]
        }
        guard !summary.counts.repeatedUsers.areEvents else {
            return lines + [
                "    SRM not tested: the counts are rows, not users; many rows have the \(unit) of the row before "
                    + "(allot srm counts each user once)"
            ]
        }
        let method = test.methodText.map { " \($0)" } ?? ""
        let isMismatch = test.pValue < PValue(RatioTest.threshold)
        let verdict = isMismatch ? "; if no user has several rows: \(RatioTest.mismatchText())" : ""
        lines.append("    SRM p = \(test.pValue)\(method)\(verdict)")
        return lines
    }

    /// How many units were assigned by each reason, if there are others than the split.
    private func reasons(_ index: Int, splits: Int) -> String {
        let reasons: [Reason] = [.forced, .winner, .everyone]
        let others = reasons.map { ($0, summary.counts.count(experiment: index, reason: $0)) }.filter { $0.1 > 0 }
        guard !others.isEmpty else { return "" }
        let parts = (splits > 0 ? [(Reason.split, splits)] : []) + others
        return " (\(parts.map { "\($0.1) \($0.0.text)" }.joined(separator: ", ")))"
    }
}

extension BatchSummary {
    /// The fault of a batch although its output is complete: every row was rejected, or rows may have been
    /// rejected together with a malformed one. `nil` if neither is so.
    public var failure: String? {
        if let longest = rejects.longest {
            let rows = rejects.swallowedCount == 1 ? "1 malformed row" : "\(rejects.swallowedCount) malformed rows"
            return "\(rows) of several lines, of \(longest.lineCount) from line \(longest.line) on: a quote there "
                + "is probably not closed, and the rows after it were set aside with it; correct the quote and "
                + "assign again"
        }
        guard counts.rowCount == 0, rejects.rowCount > 0 else { return nil }
        let rows = rejects.rowCount == 1 ? "the only row is" : "all \(rejects.rowCount) rows are"
        return "no row was assigned, as \(rows) malformed; correct the input and assign again"
    }
}

extension Plan.Experiment {
    /// The reason for which the experiment can assign no unit, after "it".
    fileprivate func text(of obstacle: Reason) -> String {
        switch obstacle {
        case .paused: "is paused"
        case .draft: "is a draft that forces no unit"
        case .notStarted: starts.map { "starts at \($0.writtenText)" } ?? obstacle.text
        case .ended: "has ended"
        case .concluded: "is concluded without a winner"
        case .traffic: "has a traffic of 0%"
        // These depend on the unit.
        case .noUnit, .forced, .displaced, .holdout, .slot, .requirement, .audience, .winner, .everyone, .unallocated,
            .split:
            obstacle.text
        }
    }
}
