import AllotConfiguration
import AllotCore

/// Rollouts and experiments: contexts are divided by a number between 0 and 1.
extension LaunchDarklyFlag {
    /// A rollout's rules, and the arm of contexts without a number.
    func rollout(
        _ node: PayloadNode, _ condition: Guard, name: String, comment: String
    ) throws(ImportProblem) -> (rules: [ImportedRule], first: Arm) {
        guard let rollout = node["rollout"], let weights = try rollout["variations"]?.elements(), !weights.isEmpty
        else {
            throw node.problem(
                "there is neither a variation nor a rollout, which LaunchDarkly takes for an error of the flag")
        }
        let isExperiment = try rollout["kind"]?.text() == "experiment"
        let flagKey = try self.node.required("key").text()
        let bucketing = try LaunchDarklyBucketing(
            rollout, kindName: "contextKind", salt: "\(flagKey).\(self.node["salt"]?.text() ?? "")", contexts,
            ignoresAttribute: isExperiment)
        let split = try arms(weights)
        func owner(of number: Int) -> Arm? { split.first { $0.buckets.contains { $0.contains(number) } }?.arm }
        guard let first = owner(of: 0),
            let fallback = try weights.first.map({ node throws(ImportProblem) in try arm(node.required("variation")) })
        else { throw rollout.problem("no variation has the first bucket") }
        var rules: [ImportedRule] = []
        func serve(_ arm: Arm, if guards: Guard..., kinds: [String], _ why: String) {
            rules += values(
                .all([condition] + guards), arm, kinds: kinds, name: name, at: node.path, comment: "\(comment): \(why)")
        }
        let exists = contexts.exists(bucketing.kind)
        if bucketing.isConstant {
            serve(first, if: exists, kinds: [bucketing.kind], "contexts without a number get the first variation")
        } else {
            if bucketing.isByAttribute, let arm = owner(of: bucketing.draw.numberOfEmptyText), arm != first {
                serve(arm, if: exists, bucketing.isEmpty, kinds: [bucketing.kind], "an empty text has a number too")
            }
            let what = isExperiment ? "experiment" : "rollout"
            rules.append(
                ImportedRule(
                    name: name, path: rollout.path, comment: ["\(comment): \(what)"],
                    condition: bucketing.isByAttribute
                        ? .all([condition, contexts.hasKey(bucketing.kind), bucketing.admits]) : condition,
                    outcome: .split(bucketing.draw, split)))
            if bucketing.isByAttribute {
                serve(
                    first, if: exists, kinds: [bucketing.kind],
                    "contexts without the attribute get the first variation")
            }
        }
        if contexts.hasSeveralKinds {
            let others = contexts.kinds.filter { $0 != bucketing.kind }
            serve(
                fallback, if: .not(exists), kinds: others,
                "without a context of the kind \(bucketing.kind) the first variation is served")
        }
        return (rules, contexts.hasSeveralKinds ? fallback : first)
    }

    /// The buckets of each variation, by the sums of doubles that LaunchDarkly's SDKs compare.
    private func arms(_ weights: [PayloadNode]) throws(ImportProblem) -> [(arm: Arm, buckets: [Range<Int>])] {
        var found: [(arm: Arm, buckets: [Range<Int>])] = []
        var (sum, start) = (0.0, 0)
        for (index, weighted) in weights.enumerated() {
            let weight = try weighted.required("weight").integer()
            guard weight >= 0 else { throw weighted.problem("the weight \(weight) is negative") }
            sum += Double(weight) / 100_000
            // The last variation has what is left, which is how the SDKs handle sums below 1.
            let isLast = index == weights.count - 1
            let end = isLast ? LaunchDarklyBucketing.bucketCount : HashScheme.launchdarkly1.border(below: sum)
            guard start < end else { continue }
            let arm = try arm(weighted.required("variation"))
            if let known = found.firstIndex(where: { $0.arm.key == arm.key }) {
                found[known].buckets.append(start..<end)
            } else {
                found.append((arm, [start..<end]))
            }
            start = end
        }
        return found
    }
}
