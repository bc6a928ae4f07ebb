import AllotBatch
import AllotConfiguration
import AllotCore

/// Computes again what a definition decides for the units of rows.
struct RecordedVersusRecomputed: Sendable {
    let plan: Plan
    private let experiment: Plan.Experiment
    let recomputation: Recomputation
    private var check: RepeatedDecision
    /// The instant of decisions about rows without a time.
    let instant: Instant
    private let usesRowTimes: Bool

    /// - Parameter isFixed: whether `instant` is that of all decisions; otherwise each row may have its own.
    init(
        _ plan: Plan, experiment index: Int, columns: SampleRatioColumns, variant: Int, units: [Int],
        at instant: Instant, isFixed: Bool
    ) {
        self.plan = plan
        experiment = plan.experiments[index]
        recomputation = Recomputation(plan, experiment: index)
        check = RepeatedDecision(
            plan, experiment: index,
            attributes: columns.attributeColumns(units: units, variant: variant).map { (columns.header.names[$0], $0) },
            json: columns.attributes)
        self.instant = isFixed ? instant : experiment.liveInstant(near: instant)
        usesRowTimes = !isFixed
    }

    /// Whether decisions say something about single units: not if the experiment as a whole enrols no unit.
    private var decides: Bool { experiment.status == .running }
    var readsAttributes: Bool { check.readsAttributes }
    var winner: Int? { experiment.winnerIndex }

    /// The number of the variant for a record: the owner of the unit's bucket. A mutating call, though nothing changes:
    /// it works in place where any other copies the value for each row.
    mutating func owner(of unit: RowUnit) -> UInt16 {
        recomputation.variant(of: unit.id.span, in: unit.window).map(UInt16.init) ?? ExposureLedger.Record.noOwner
    }

    mutating func reason(_ rows: borrowing CSVRows, _ unit: RowUnit, at rowInstant: Instant?) -> UInt8 {
        guard decides else { return ExposureLedger.Record.noReason }
        let now = experiment.instant(in: unit.window, near: usesRowTimes ? rowInstant ?? instant : instant)
        return check.decide(rows, unit: unit.id.span, at: now).rawValue
    }

    /// Takes notice of the attributes of a row whose decision is not needed, if some are still missing: whether they
    /// are does not depend on the order of rows.
    mutating func notice(_ rows: borrowing CSVRows, _ unit: RowUnit) {
        guard decides, check.lacksAttributes else { return }
        _ = reason(rows, unit, at: nil)
    }

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
        let changes = (schedule.starts.map { [$0] } ?? []) + traffic.limited(to: schedule).steps.map(\.from)
        let passed = changes.filter { $0 <= live } + [live]
        let widest = passed.max { (traffic.share(at: $0), $0) < (traffic.share(at: $1), $1) } ?? live
        guard traffic.share(at: widest) == 0 else { return widest }
        return changes.first { traffic.share(at: $0) > 0 } ?? live
    }

    /// An instant in a window: the given one, or the first one of the window that the schedule does not exclude.
    func instant(in window: Int64?, near instant: Instant) -> Instant {
        guard let window, let period = draw?.period, period.number(at: instant) != window,
            let start = period.start(of: window)
        else { return instant }
        return schedule.starts.map { max($0, start) } ?? start
    }

    /// An instant, moved into the schedule if it is outside.
    private func scheduledInstant(near instant: Instant) -> Instant {
        if let starts = schedule.starts, instant < starts { return starts }
        if let ends, instant >= ends { return schedule.starts.map { max($0, ends.justBefore) } ?? ends.justBefore }
        return instant
    }
}

/// Works out again, from the definitions, what a unit gets in one experiment.
struct Recomputation: Sendable {
    private let plan: Plan
    private let experiment: Int
    private let hash: PreparedHash?
    /// The windows in which units are randomised anew, and what is hashed with their numbers.
    let period: Period?
    private let salt: SaltedHash?

    init(_ plan: Plan, experiment: Int) {
        self.plan = plan
        self.experiment = experiment
        let hash = plan.experiments[experiment].hash
        self.hash = hash.map { PreparedHash($0) }
        salt = if case .sha256(let salt)? = hash { SaltedHash(salt) } else { nil }
        period = plan.experiments[experiment].draw?.period
    }

    var forcing: Recomputation? { plan.definitions.experiments[experiment].forced.isEmpty ? nil : self }

    /// Whether the definition names the unit a tester.
    func isForced(_ unit: Span<UInt8>) -> Bool { plan.forcedUnits[experiment].find(unit) != nil }

    /// The variant that owns the unit's second bucket, or its number of another system's hash, in a window of the
    /// period, if there is one: what it gets if it is enrolled.
    func variant(of unit: Span<UInt8>, in window: Int64? = nil) -> Int? {
        if let period, let window, let salt {
            return plan.owner(of: period.buckets(of: unit, under: salt, window: window).second, in: experiment)
        }
        return hash.flatMap { plan.owner(of: $0.buckets(of: unit).second, in: experiment) }
    }
}
