import Allot
import AllotBatch
import AllotConfiguration

/// Compares the recorded variants of one experiment with those that Allot computes.
struct RecordedVersusRecomputed {
    private let experiment: Plan.Experiment
    let recomputation: Recomputation
    private var check: RepeatedDecision
    /// By the attributes of the check the columns that hold them.
    private let columns: [Int]
    private let json: Int?
    /// The instant of decisions about rows without a time.
    private let instant: Instant
    private let usesRowTimes: Bool

    /// - Parameter isFixed: whether `instant` is that of all decisions; otherwise each row may have its own.
    init(
        _ plan: Plan, experiment index: Int, columns: SampleRatioColumns, variant: Int, unit: Int, at instant: Instant,
        isFixed: Bool
    ) {
        experiment = plan.experiments[index]
        recomputation = Recomputation(plan, experiment: index)
        let candidates = columns.attributeColumns(unit: unit, variant: variant)
        check = RepeatedDecision(plan, experiment: index, attributes: candidates.map { columns.header.names[$0] })
        self.columns = check.attributeNames.compactMap { columns.header.indices(of: $0).first }
        json = columns.attributes
        self.instant = isFixed ? instant : experiment.liveInstant(near: instant)
        usesRowTimes = !isFixed
    }

    /// Whether decisions say something about single units: not if the experiment as a whole enrols no unit.
    private var decides: Bool { experiment.status == .running }

    /// Compares the recorded variant of a unit with the one that Allot assigns to it.
    mutating func compare(
        _ recorded: Int, _ rows: borrowing CSVRows, unit: Int, order: TimeOrder?, tally: inout SampleRatioTally
    ) {
        let bytes = rows.bytes.span
        let id = bytes.extracting(rows[unit])
        var reason: Reason?
        if decides {
            check.begin(id)
            for attribute in columns.indices { check.set(attribute, bytes.extracting(rows[columns[attribute]])) }
            let now = usesRowTimes ? order?.instant ?? instant : instant
            if let json {
                reason = check.decide(json: bytes.extracting(rows[json]), at: now)
            } else {
                reason = check.decide(at: now)
            }
        }
        tally.attribution.count(id, recorded: recorded, recomputed: recomputation.variant(of: id), line: rows.line)
        if let reason { tally.attribution.count(reason) }
    }

    /// What the decisions were repeated with.
    var basis: MismatchAttribution.Basis {
        guard decides else { return .buckets(experiment.status) }
        let missing = check.missingAttributes
        return missing.isEmpty ? .decision : .withoutAttributes(missing)
    }
}

extension Plan.Experiment {
    /// The instant at which rows without a time are decided: within the schedule, until `instant`, and with the highest
    /// traffic, so that a unit is not reported because of a step that applied before or after it was assigned.
    fileprivate func liveInstant(near instant: Instant) -> Instant {
        let live = scheduledInstant(near: instant)
        // What applied from the start is a share like those of the steps within the schedule.
        let changes = (starts.map { [$0] } ?? []) + traffic.limited(to: schedule).steps.map(\.from)
        let passed = changes.filter { $0 <= live } + [live]
        let widest = passed.max { (traffic.share(at: $0), $0) < (traffic.share(at: $1), $1) } ?? live
        guard traffic.share(at: widest) == 0 else { return widest }
        return changes.first { traffic.share(at: $0) > 0 } ?? live
    }

    /// An instant, moved into the schedule if it is outside.
    private func scheduledInstant(near instant: Instant) -> Instant {
        if let starts, instant < starts { return starts }
        if let ends, instant >= ends {
            return starts.map { max($0, ends.justBefore) } ?? ends.justBefore
        }
        return instant
    }
}
