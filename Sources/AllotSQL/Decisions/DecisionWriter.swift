import Allot
import AllotConfiguration

/// Turns experiments into checks, and notes the columns that they need.
struct DecisionWriter {
    let definitions: Definitions
    let plan: Plan
    /// `nil` for the engine's clock.
    let instant: Instant?
    let syntax: any SQLSyntax
    /// By experiment the column of its variant, for those that others require.
    let variantColumns: [Int: String]
    private(set) var problems: [String] = []

    init(_ plan: Plan, at instant: Instant?, _ syntax: any SQLSyntax, variantColumns: [Int: String]) {
        self.plan = plan
        definitions = plan.definitions
        self.instant = instant
        self.syntax = syntax
        self.variantColumns = variantColumns
    }

    /// The checks of an experiment, in the order of the design.
    mutating func steps(of index: Int, _ columns: inout Columns) -> DecisionSteps {
        let experiment = definitions.experiments[index]
        do {
            return try steps(index, experiment, &columns)
        } catch {
            problems.append("\(experiment.key): \(error.reason)")
            return DecisionSteps()
        }
    }

    private mutating func steps(
        _ index: Int, _ experiment: ExperimentDefinition, _ columns: inout Columns
    ) throws(Unsupported) -> DecisionSteps {
        var steps = DecisionSteps()
        let unit = try columns.unit(experiment.unit)
        steps.add(.test("\(unit) IS NULL", canBeUnknown: false), .noUnit)
        if experiment.status == .paused { steps.add(.always, .paused) }
        if experiment.forcesUnits {
            for variant in experiment.variants {
                let units = experiment.forced.filter { $0.variant == variant.key }.map(\.unitID)
                guard !units.isEmpty else { continue }
                steps.add(try isOneOf(units, unit), .forced, variant: variant.key)
            }
        }
        if experiment.status == .draft { steps.add(.always, .draft) }
        guard !steps.isDecided else { return steps }
        steps.add(try isDisplaced(index, &columns), .displaced)
        if experiment.status == .running { addSchedule(index, experiment, &steps) }
        guard !steps.isDecided else { return steps }
        for holdout in definitions.holdouts where holdout.covers(experiment) {
            let bucket = try columns.firstBucket(holdout.salt, holdout.unit)
            steps.add(holdout.share == 0 ? .never : .test("\(bucket) < \(holdout.share)"), .holdout)
        }
        if experiment.status == .running, let layer = definitions.layers.first(where: { $0.name == experiment.layer }) {
            let bucket = try columns.firstBucket(layer.salt, layer.unit)
            let inside = SQLCondition.either(experiment.slots.map { BucketTest.condition(bucket, $0) })
            steps.add(inside.negated, .slot)
        }
        for requirement in experiment.requirements {
            steps.add(try isMet(requirement).negated, .requirement)
        }
        var audience = AudienceTranslator(syntax)
        steps.add(audience.condition(experiment.audience, &columns).negated, .audience)
        problems += audience.problems.map { "\(experiment.key): \($0)" }
        if experiment.status == .concluded {
            steps.add(.always, experiment.winner == nil ? .concluded : .winner, variant: experiment.winner)
            return steps
        }
        try addDraw(experiment, &steps, &columns)
        return steps
    }

    private func isOneOf(_ units: [String], _ column: String) throws(Unsupported) -> SQLCondition {
        .test("\(column) IN (\(try AudienceTranslator.list(units, syntax)))")
    }

    /// Whether the subject is forced in another experiment that shares a setting or the layer.
    private func isDisplaced(_ index: Int, _ columns: inout Columns) throws(Unsupported) -> SQLCondition {
        var parts: [SQLCondition] = []
        for rival in plan.rivals(of: index) {
            let experiment = definitions.experiments[rival]
            parts.append(try isOneOf(experiment.forced.map(\.unitID), try columns.unit(experiment.unit)))
        }
        return .either(parts)
    }

    private func addSchedule(_ index: Int, _ experiment: ExperimentDefinition, _ steps: inout DecisionSteps) {
        if let instant {
            if let reason = plan.experiments[index].reasonOutsideSchedule(at: instant) { steps.add(.always, reason) }
            return
        }
        if let starts = experiment.starts {
            steps.add(.test(syntax.clockIsBefore(starts), canBeUnknown: false), .notStarted)
        }
        if let ends = experiment.ends {
            steps.add(.not(.test(syntax.clockIsBefore(ends), canBeUnknown: false)), .ended)
        }
    }

    private func isMet(_ requirement: ExperimentDefinition.Requirement) throws(Unsupported) -> SQLCondition {
        guard let index = definitions.experiments.firstIndex(where: { $0.key == requirement.experiment }),
            let column = variantColumns[index], !requirement.variants.isEmpty
        else { return .never }
        return .test("\(syntax.byBytes(column)) IN (\(try AudienceTranslator.list(requirement.variants, syntax)))")
    }

    private func addDraw(
        _ experiment: ExperimentDefinition, _ steps: inout DecisionSteps, _ columns: inout Columns
    ) throws(Unsupported) {
        if experiment.traffic <= 0 {
            steps.add(.always, .traffic)
        } else if experiment.traffic < Bucketing.bucketCount {
            let bucket = try columns.firstBucket(experiment.salt, experiment.unit)
            steps.add(.test("\(bucket) >= \(experiment.traffic)"), .traffic)
        }
        guard !steps.isDecided else { return }
        steps.end(
            with: DecisionSteps.Draw(
                column: try columns.secondBucket(experiment.salt, experiment.unit),
                parts: DecisionSteps.parts(of: experiment.variants)))
    }
}
