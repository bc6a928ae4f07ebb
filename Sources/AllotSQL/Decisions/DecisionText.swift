import Allot

/// Writes decisions as `CASE` expressions.
struct DecisionText {
    let syntax: any SQLSyntax
    /// The beginning of each line.
    let indent: String

    /// The variant's key, NULL for none, from all checks at once.
    func variant(_ decision: DecisionSteps) throws(Unsupported) -> String {
        var branches: [Branch] = []
        for step in decision.steps {
            branches.append(
                Branch(condition: step.condition, value: try literal(step.variant), comment: comment(step.reason)))
        }
        if let draw = decision.draw { branches += try self.branches(draw) }
        return text(branches)
    }

    /// The reason.
    func reason(_ decision: DecisionSteps) throws(Unsupported) -> String {
        var branches: [Branch] = []
        for step in decision.steps {
            branches.append(Branch(condition: step.condition, value: "'\(step.reason.text)'"))
        }
        if let draw = decision.draw {
            for (index, part) in draw.parts.enumerated() where part.variant == nil {
                let start = index == 0 ? 0 : draw.parts[index - 1].upperBound
                let condition = BucketTest.condition(draw.column, start..<part.upperBound)
                branches.append(Branch(condition: condition, value: "'\(Reason.unallocated.text)'"))
            }
            branches.append(Branch(condition: .always, value: "'\(Reason.split.text)'"))
        }
        return text(branches)
    }

    /// The variant's key, NULL for none, from the column of the reason.
    func variant(_ decision: DecisionSteps, reason: String) throws(Unsupported) -> String {
        var branches: [Branch] = []
        let assigning = decision.steps.filter { $0.variant != nil }
        for step in assigning {
            let isOnlyOne = assigning.count { $0.reason == step.reason } == 1
            let hasReason = SQLCondition.test("\(reason) = '\(step.reason.text)'")
            branches.append(
                Branch(
                    condition: isOnlyOne ? hasReason : .joined([hasReason, step.condition]),
                    value: try literal(step.variant)))
        }
        if let draw = decision.draw {
            branches.append(Branch(condition: .test("\(reason) <> '\(Reason.split.text)'"), value: "NULL"))
            branches += try self.branches(draw).map { Branch(condition: $0.condition, value: $0.value) }
        }
        return text(branches)
    }

    /// The second bucket of a split, NULL for other reasons.
    func bucket(_ decision: DecisionSteps, reason: String) -> String {
        decision.draw.map { "CASE WHEN \(reason) = '\(Reason.split.text)' THEN \($0.column) END" }
            ?? "CAST(NULL AS \(syntax.bucketType))"
    }

    // MARK: Branches

    private struct Branch {
        let condition: SQLCondition
        let value: String
        var comment = ""
    }

    private func literal(_ variant: String?) throws(Unsupported) -> String {
        guard let variant else { return "NULL" }
        return try syntax.literal(variant)
    }

    private func comment(_ reason: Reason) -> String { "  -- \(reason.text)" }

    private func branches(_ draw: DecisionSteps.Draw) throws(Unsupported) -> [Branch] {
        var branches: [Branch] = []
        for (index, part) in draw.parts.enumerated() {
            let isLast = index == draw.parts.count - 1
            branches.append(
                Branch(
                    condition: isLast ? .always : .test("\(draw.column) < \(part.upperBound)"),
                    value: try literal(part.variant),
                    comment: comment(part.variant == nil ? .unallocated : .split)))
        }
        return branches
    }

    private func text(_ branches: [Branch]) -> String {
        // NULL alone would not have a type, and a single value needs no CASE.
        guard branches.contains(where: { $0.value != "NULL" }) else { return "CAST(NULL AS \(syntax.textType))" }
        if case .always = branches[0].condition { return branches[0].value }
        let lines = branches.map { branch in
            if case .always = branch.condition { return "\(indent)  ELSE \(branch.value)\(branch.comment)" }
            let condition = branch.condition.text(syntax, indent: indent + "    ")
            return "\(indent)  WHEN \(condition)\(condition.contains("\n") ? "\n\(indent)  " : " ")"
                + "THEN \(branch.value)\(branch.comment)"
        }
        return "CASE\n\(lines.joined(separator: "\n"))\n\(indent)END"
    }
}

/// Whether a bucket is in a range.
enum BucketTest {
    static func condition(_ column: String, _ range: Range<Int>) -> SQLCondition {
        guard !range.isEmpty else { return .never }
        // Without a unit the bucket is NULL, which is in no range, not even in the whole one.
        return .joined([
            range.lowerBound > 0 ? .test("\(column) >= \(range.lowerBound)") : .always,
            range.upperBound < Bucketing.bucketCount || range.lowerBound == 0
                ? .test("\(column) < \(range.upperBound)") : .always,
        ])
    }
}
