import AllotCore

struct DecisionText {
    let syntax: any SQLSyntax
    let indent: String
    let columns: [String]

    /// The variant's key, NULL for none, from all checks at once.
    func variant(_ decision: DecisionSteps) throws(Unsupported) -> String {
        text(try variants(decision.allSteps(), hasComments: true))
    }

    /// The outcome: the place of the step that decides among all steps, from 0.
    func outcome(_ steps: [DecisionSteps.Step]) -> String {
        text(
            steps.enumerated().map { number, step in
                Branch(condition: step.condition, value: String(number), comment: comment(on: step))
            })
    }

    func reason(_ decision: DecisionSteps) -> String {
        var branches = decision.steps.map { Branch(condition: $0.condition, value: "'\($0.reason.text)'") }
        if let draw = decision.draw {
            for part in draw.parts where part.variant == nil {
                let value = "'\(Reason.unallocated.text)'"
                branches.append(Branch(condition: draw.bucket.isIn(part.range), value: value))
            }
            branches.append(Branch(condition: .always, value: "'\(Reason.split.text)'"))
        }
        return text(branches)
    }

    /// The variant's key, NULL for none, from the column of the reason.
    func variant(_ decision: DecisionSteps, reason: String) throws(Unsupported) -> String {
        let assigning = decision.steps.filter { $0.variant != nil }
        var steps = assigning.map { step in
            let isOnlyOne = assigning.count { $0.reason == step.reason } == 1
            let hasReason = SQLCondition.test("\(reason) = '\(step.reason.text)'")
            return DecisionSteps.Step(
                condition: isOnlyOne ? hasReason : .joined([hasReason, step.condition]), reason: step.reason,
                variant: step.variant)
        }
        if let draw = decision.draw {
            let isOther = SQLCondition.test("\(reason) <> '\(Reason.split.text)'")
            steps += [DecisionSteps.Step(condition: isOther, reason: .unallocated, variant: nil)] + draw.steps
        }
        return text(try variants(steps, hasComments: false))
    }

    /// The second bucket of a split, NULL for other reasons and for another system's hash of 60 bits.
    func bucket(_ decision: DecisionSteps, reason: String) -> String {
        bucket(decision, ifSplit: "\(reason) = '\(Reason.split.text)'")
    }

    func bucket(_ decision: DecisionSteps, outcome: String, of steps: [DecisionSteps.Step]) -> String {
        let splits = steps.indices.filter { steps[$0].reason == .split }.map(String.init)
        return bucket(decision, ifSplit: "\(outcome) IN (\(splits.joined(separator: ", ")))")
    }

    private func bucket(_ decision: DecisionSteps, ifSplit condition: String) -> String {
        guard let draw = decision.draw, draw.keepsBucket else { return "CAST(NULL AS \(syntax.bucketType))" }
        return "CASE WHEN \(condition) THEN \(draw.bucket.number) END"
    }

    // MARK: Branches

    private struct Branch {
        let condition: SQLCondition
        let value: String
        var comment = ""
    }

    private func variants(_ steps: [DecisionSteps.Step], hasComments: Bool) throws(Unsupported) -> [Branch] {
        try steps.map { step throws(Unsupported) in
            let value = try step.variant.map(syntax.literal) ?? "NULL"
            return Branch(condition: step.condition, value: value, comment: hasComments ? comment(on: step) : "")
        }
    }

    private func comment(on step: DecisionSteps.Step) -> String { "  -- \(step.reason.text)" }

    private func text(_ branches: [Branch]) -> String {
        // NULL alone would not have a type, and a single value needs no CASE.
        guard branches.contains(where: { $0.value != "NULL" }) else { return "CAST(NULL AS \(syntax.textType))" }
        if case .always = branches[0].condition { return branches[0].value }
        var lines = branches.map { branch in
            if case .always = branch.condition { return "\(indent)  ELSE \(branch.value)\(branch.comment)" }
            let condition = branch.condition.text(syntax, indent: indent + "    ")
            return "\(indent)  WHEN \(condition)\(condition.contains("\n") ? "\n\(indent)  " : " ")"
                + "THEN \(branch.value)\(branch.comment)"
        }
        let words = InternalNames.mentioned(in: lines.joined(separator: "\n"))
        let mentioned = columns.filter(words.contains)
        if !mentioned.isEmpty, let condition = syntax.condition(computing: mentioned) {
            lines.insert("\(indent)  WHEN \(condition) THEN NULL", at: 0)
        }
        return "CASE\n\(lines.joined(separator: "\n"))\n\(indent)END"
    }
}
