import AllotCore

extension StatementWriter {
    /// One row for each experiment. Its stages compute the reasons, and from them the variants that are not known yet.
    mutating func longFromColumns(
        _ stages: [Stage], _ shown: [Int], write: (LongRows) -> String
    ) throws(Unsupported) -> String {
        var reasons = Stage(name: "allot_reasons", comment: "The first check that applies gives the reason.")
        var variants = Stage(name: "allot_variants", comment: "The variants that are assigned.")
        let reasonColumns = shown.map { columns.name("reason_", plan.experiments[$0].key) }
        let writer = DecisionText(syntax: syntax, indent: "    ", columns: Self.columns(of: stages) + reasonColumns)
        var rows: [[String]] = []
        for (index, reason) in zip(shown, reasonColumns) {
            guard let steps = decisions[index] else { continue }
            let variant = variantColumn(of: index)
            reasons.add(reason, writer.reason(steps))
            if !required.contains(index) { variants.add(variant, try writer.variant(steps, reason: reason)) }
            let experiment = plan.experiments[index]
            rows.append([
                try unit(of: experiment), try syntax.literal(experiment.key), variant, reason,
                writer.bucket(steps, reason: reason), try syntax.literal(experiment.revision),
            ])
        }
        let all = stages + [reasons, variants].filter { !$0.columns.isEmpty }
        let staged = StageText(syntax: syntax, source: try from(), stages: all, passesRow: false)
        return staged.text(wrapping: { write(LongRows(rows: rows, source: $0)) })
    }

    /// One row for each experiment, from lists of the numbers of decisions: the outcomes.
    mutating func longFromOutcomes(
        _ stages: [Stage], _ shown: [Int], list: ([String]) -> String, write: (OutcomeRows) -> String
    ) throws(Unsupported) -> String {
        var outcomes = Stage(
            name: "allot_outcomes",
            comment: "The first check that applies gives the outcome, a place in the lists of variants and reasons.")
        let writer = DecisionText(syntax: syntax, indent: "    ", columns: Self.columns(of: stages))
        var experiments: [OutcomeRows.Experiment] = []
        var buckets: [String] = []
        for index in shown {
            guard let decision = decisions[index] else { continue }
            let experiment = plan.experiments[index]
            let outcome = columns.name("outcome_", experiment.key)
            let steps = decision.allSteps()
            outcomes.add(outcome, writer.outcome(steps))
            buckets.append(writer.bucket(decision, outcome: outcome, of: steps))
            // NULL alone would not have a type.
            let none = steps.contains { $0.variant != nil } ? "NULL" : syntax.noText
            let variants = try steps.map { step throws(Unsupported) in try step.variant.map(syntax.literal) ?? none }
            experiments.append(
                OutcomeRows.Experiment(
                    unit: try unit(of: experiment), key: try syntax.literal(experiment.key), variants: variants,
                    reasons: steps.map { "'\($0.reason.text)'" }, revision: try syntax.literal(experiment.revision)))
        }
        var lists = Stage(
            name: "allot_lists",
            comment: "The values that differ from row to row, in the order of the experiments below.")
        func add(_ name: String, _ elements: [String]) { lists.add(name, list(elements), parts: elements.count) }
        let units = experiments.map(\.unit)
        let commonUnit = LongRows.common(units)
        if commonUnit == nil { add(OutcomeRows.units, units) }
        add(OutcomeRows.outcomes, outcomes.columns.map(\.name))
        add(OutcomeRows.buckets, buckets)
        let all = stages + [outcomes, lists]
        let staged = StageText(syntax: syntax, source: try from(), stages: all, passesRow: false)
        return staged.text(wrapping: {
            write(OutcomeRows(experiments: experiments, commonUnit: commonUnit, source: $0))
        })
    }

    /// The column of an experiment's unit; without one, that of the user's ID if the statement reads it anyway.
    private mutating func unit(of experiment: Plan.Experiment) throws(Unsupported) -> String {
        if let unit = experiment.unit { return try columns.unitText(unit) }
        guard columns.attributes.contains(Subject.defaultUnit) else { return syntax.noText }
        return try columns.text(Subject.defaultUnit)
    }
}
