import AllotConfiguration
import AllotCore

/// Translates the checks of experiments, and adds the columns that they need.
struct DecisionWriter {
    let plan: Plan
    /// The instant of evaluation; `nil` if it is that of ``time``.
    let instant: Instant?
    /// The engine's clock, or the column of the rows' own instants.
    let time: String
    let syntax: any SQLSyntax
    /// By experiment the column of its variant, for the experiments that others require.
    let variantColumns: [Int: String]
    private(set) var problems: [String] = []

    private var definitions: Definitions { plan.definitions }

    mutating func steps(of index: Int, _ columns: inout Columns) -> DecisionSteps {
        let experiment = definitions.experiments[index]
        var steps = DecisionSteps()
        do throws(Unsupported) {
            for check in Check.allCases where !steps.isDecided {
                try add(check, of: index, experiment, to: &steps, &columns)
            }
            return steps
        } catch {
            problems.append("\(experiment.key): \(error.reason)")
            return DecisionSteps()
        }
    }

    /// Adds one check, unless it cannot apply to the experiment.
    private mutating func add(
        _ check: Check, of index: Int, _ experiment: ExperimentDefinition, to steps: inout DecisionSteps,
        _ columns: inout Columns
    ) throws(Unsupported) {
        let isRunning = experiment.status == .running
        switch check {
        case .unit:
            // Without an instant there is no unit either; without a draw that is all that can be missing.
            var column = columns.instant
            if let unit = experiment.unit { column = try columns.unit(unit) }
            guard let column else { return }
            steps.add(.test("\(column) IS NULL", canBeUnknown: false), .noUnit)
        case .paused: if experiment.status == .paused { steps.add(.always, .paused) }
        case .forced:
            guard experiment.forcesUnits, let unit = experiment.unit else { return }
            for variant in experiment.variants {
                let units = experiment.forced.filter { $0.variant == variant.key }.map(\.unitID)
                guard !units.isEmpty else { continue }
                steps.add(try isOneOf(units, try columns.unit(unit)), .forced, variant: variant.key)
            }
        case .draft: if experiment.status == .draft { steps.add(.always, .draft) }
        case .displacement: steps.add(try isDisplaced(index, &columns), .displaced)
        case .schedule: if isRunning { addSchedule(experiment.schedule, &steps) }
        case .holdout:
            for holdout in definitions.holdouts where holdout.covers(experiment) {
                let bucket = try columns.bucket(holdout.hash, holdout.unit)
                steps.add(bucket.isBelow(holdout.share), .holdout)
            }
        case .slot:
            guard isRunning, let layer = plan.layer(of: index) else { return }
            let bucket = try columns.bucket(layer.hash, layer.unit)
            steps.add(SQLCondition.either(experiment.slots.map(bucket.isIn)).negated, .slot)
        case .requirement:
            for requirement in experiment.requirements { steps.add(try isMet(requirement).negated, .requirement) }
        case .audience:
            var audience = AudienceTranslator()
            steps.add(audience.condition(experiment.audience, &columns).negated, .audience)
            problems += audience.problems.map { "\(experiment.key): \($0)" }
        case .conclusion:
            guard experiment.status == .concluded else {
                if experiment.draw == nil { steps.add(.always, .everyone, variant: experiment.variants[0].key) }
                return
            }
            steps.add(.always, experiment.winner == nil ? .concluded : .winner, variant: experiment.winner)
        case .traffic:
            if let draw = experiment.draw, experiment.drawsTraffic {
                try addTraffic(experiment, draw, &steps, &columns)
            }
        case .split:
            guard let draw = experiment.draw else { return }
            steps.end(
                with: DecisionSteps.Draw(
                    try bucket(draw, isSecond: true, &columns), of: draw.hash, experiment.variants))
        }
    }

    /// A bucket of an experiment's units, in the window of the instant if there is a period.
    private func bucket(
        _ draw: UnitDraw, isSecond: Bool = false, _ columns: inout Columns
    ) throws(Unsupported) -> BucketColumn {
        guard let period = draw.period else { return try columns.bucket(draw.hash, draw.unit, isSecond: isSecond) }
        let window = try columns.window(of: period, at: instant, time)
        return try columns.bucket(draw.hash, draw.unit, isSecond: isSecond, in: window)
    }

    private func isOneOf(_ units: [String], _ column: String) throws(Unsupported) -> SQLCondition {
        .test("\(column) IN (\(try syntax.list(units)))")
    }

    /// Whether the subject is forced in another experiment that shares a setting or the layer.
    private func isDisplaced(_ index: Int, _ columns: inout Columns) throws(Unsupported) -> SQLCondition {
        var parts: [SQLCondition] = []
        for rival in plan.rivals(of: index) {
            let experiment = definitions.experiments[rival]
            guard let unit = experiment.unit else { continue }
            parts.append(try isOneOf(experiment.forced.map(\.unitID), try columns.unit(unit)))
        }
        return .either(parts)
    }

    private func addSchedule(_ schedule: Schedule, _ steps: inout DecisionSteps) {
        if let instant {
            if let reason = schedule.reason(at: instant) { steps.add(.always, reason) }
            return
        }
        if let starts = schedule.starts {
            steps.add(.test(syntax.isBefore(time, starts), canBeUnknown: false), .notStarted)
        }
        if let ends = schedule.ends { steps.add(.not(.test(syntax.isBefore(time, ends), canBeUnknown: false)), .ended) }
    }

    /// The traffic at the instant; without one, that of the clock or of the row's instant as a CASE over the steps.
    private func addTraffic(
        _ experiment: ExperimentDefinition, _ draw: UnitDraw, _ steps: inout DecisionSteps, _ columns: inout Columns
    ) throws(Unsupported) {
        let traffic = experiment.traffic.limited(to: experiment.schedule)
        let isConstant = instant != nil || traffic.steps.isEmpty
        let share = instant.map(traffic.share) ?? traffic.initial
        if isConstant, share <= 0 {
            steps.add(.always, .traffic)
        } else if !isConstant || share < Bucketing.bucketCount {
            let bucket = try bucket(draw, &columns)
            let limit = isConstant ? bucket.boundary(share) : shareByTime(traffic, bucket)
            steps.add(.test("\(bucket.compared) >= \(limit)"), .traffic)
        }
    }

    private func shareByTime(_ traffic: Traffic, _ bucket: BucketColumn) -> String {
        var share = traffic.initial
        var cases = ""
        for step in traffic.steps {
            cases += " WHEN \(syntax.isBefore(time, step.from)) THEN \(bucket.boundary(share))"
            share = step.share
        }
        return "CASE\(cases) ELSE \(bucket.boundary(share)) END"
    }

    private func isMet(_ requirement: ExperimentDefinition.Requirement) throws(Unsupported) -> SQLCondition {
        guard let column = plan.index(of: requirement.experiment).flatMap({ variantColumns[$0] }) else { return .never }
        switch requirement.admitted {
        case .variants(let variants):
            guard !variants.isEmpty else { return .never }
            return .test("\(syntax.byBytes(column)) IN (\(try syntax.list(variants)))")
        case .noVariant: return .test("\(column) IS NULL", canBeUnknown: false)
        }
    }
}
