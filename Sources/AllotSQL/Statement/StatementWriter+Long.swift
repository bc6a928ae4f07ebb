import Allot

/// The long layout: a row for each experiment.
extension StatementWriter {
    /// One row for each experiment. Its stages compute the reasons, and from them the variants that are not known yet.
    mutating func long(
        _ stages: [Stage], _ shown: [Int], _ write: (LongRows) -> String
    ) throws(Unsupported) -> String {
        var reasons = Stage(name: "allot_reasons", comment: "The first check that applies gives the reason.")
        var variants = Stage(name: "allot_variants", comment: "The variants that are assigned.")
        var reasonColumns: [Int: String] = [:]
        for index in shown { reasonColumns[index] = columns.name("reason_", plan.experiments[index].key) }
        let known = Self.columns(of: stages) + shown.compactMap { reasonColumns[$0] }
        let writer = DecisionText(syntax: syntax, indent: "    ", columns: known)
        var rows: [[String]] = []
        for index in shown {
            guard let reason = reasonColumns[index], let variant = variantColumns[index], let steps = decisions[index]
            else { continue }
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

    /// The same from one number for each decision. Its stages compute the numbers, and gather them in lists.
    mutating func long(
        _ stages: [Stage], _ shown: [Int], _ list: ([String]) -> String, _ write: (OutcomeRows) -> String
    ) throws(Unsupported) -> String {
        var outcomes = Stage(
            name: "allot_outcomes",
            comment: "The first check that applies gives the outcome, a place in the lists of variants and reasons.")
        let writer = DecisionText(syntax: syntax, indent: "    ", columns: Self.columns(of: stages))
        var experiments: [OutcomeRows.Experiment] = []
        var buckets: [String] = []
        for index in shown {
            guard let steps = decisions[index] else { continue }
            let experiment = plan.experiments[index]
            let outcome = columns.name("outcome_", experiment.key)
            outcomes.add(outcome, writer.outcome(steps))
            buckets.append(writer.bucket(steps, outcome: outcome))
            // NULL alone would not have a type.
            let none = steps.allSteps.contains { $0.variant != nil } ? "NULL" : syntax.noText
            var variants: [String] = []
            for step in steps.allSteps { variants.append(try step.variant.map(syntax.literal) ?? none) }
            experiments.append(
                OutcomeRows.Experiment(
                    unit: try unit(of: experiment), key: try syntax.literal(experiment.key), variants: variants,
                    reasons: steps.allSteps.map { "'\($0.reason.text)'" },
                    revision: try syntax.literal(experiment.revision)))
        }
        var rows = OutcomeRows(experiments: experiments)
        var lists = Stage(
            name: "allot_lists", comment: "What differs from row to row, in the order of the experiments below.")
        if rows.commonUnit == nil {
            lists.add(OutcomeRows.units, list(experiments.map(\.unit)), parts: experiments.count)
        }
        let columns = outcomes.columns.map(\.name)
        lists.add(OutcomeRows.outcomes, list(columns), parts: columns.count)
        lists.add(OutcomeRows.buckets, list(buckets), parts: buckets.count)
        let staged = StageText(
            syntax: syntax, source: try from(), stages: stages + [outcomes, lists], passesRow: false)
        return staged.text(wrapping: {
            rows.source = $0
            return write(rows)
        })
    }

    /// The column of an experiment's unit. Without a unit the user's ID tells whose row it is, where the statement
    /// reads it anyway.
    private mutating func unit(of experiment: Plan.Experiment) throws(Unsupported) -> String {
        let user = columns.attributes.contains(Subject.defaultUnit) ? Subject.defaultUnit : nil
        guard let attribute = experiment.unit ?? user else { return syntax.noText }
        return try columns.text(attribute)
    }
}
