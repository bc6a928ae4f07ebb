import AllotConfiguration
import AllotCore

/// The report of `allot show --who`: which units can be in an experiment, in words and exact shares, at an instant and
/// from each later one at which the shares change.
package struct EnrolmentReport: Sendable {
    /// The shares of the units that meet the conditions.
    private struct Shares: Sendable {
        let from: Instant
        let variants: [(variant: String, share: ExactShare)]

        var none: ExactShare { variants.reduce(ExactShare.all) { $0 - $1.share } }
    }

    /// The conditions that each unit meets.
    private let conditions: Condition
    /// The experiments of which units must have no variant, where ranges of buckets do not show who has one.
    private let leftOut: [String]
    private let example: String?
    private let forcedCount: Int
    private let shares: [Shares]

    /// The units of an experiment. Returns `nil` if the plan does not have it.
    package init?(_ key: String, of plan: Plan, at instant: Instant) {
        guard let index = plan.index(of: key) else { return nil }
        let definitions = DefinitionsIndex(plan.definitions)
        let experiment = plan.definitions.experiments[index]
        let boundaries = plan.order(of: [index]).flatMap { plan.definitions.experiments[$0].boundaries }
        var shares: [Shares] = []
        var regions = AssignmentRegions.empty([])
        for moment in [instant] + Set(boundaries).filter({ $0 > instant }).sorted() {
            let next = AssignmentRegions(experiment, in: definitions, at: moment)
            if regions.conditions.isEmpty { regions = next }
            let variants = zip(next.variants, next.shares).map { (variant: $0, share: $1) }
            guard shares.last?.variants.map(\.share) != variants.map(\.share) else { continue }
            shares.append(Shares(from: moment, variants: variants))
        }
        let parts = regions.conditions.filter { !$0.lines.isEmpty }
        conditions = parts.count == 1 ? parts[0] : .all(parts)
        leftOut = regions.exclusions.keys.sorted().map(\.text)
        forcedCount = experiment.forcesUnits ? experiment.forced.count : 0
        var space = UnitSpace()
        example = UnitSet(conditions, in: &space).witness(in: &space)?.attributeWords
        self.shares = shares
    }

    /// The report for people.
    package var lines: [String] {
        let forced = forcedCount > 0 ? ["        forced units (\(forcedCount))"] : []
        guard shares.contains(where: { $0.none != .all }) else {
            return ["    who can be in:"] + (forced.isEmpty ? ["        no unit"] : forced)
        }
        let tests = conditions.lines.map { String(repeating: "    ", count: $0.depth + 2) + $0.text }
        var lines = ["    who can be in:"] + (tests.isEmpty ? ["        everyone"] : tests)
        lines += leftOut.map { "        units without a variant of \($0)" } + forced
        if let example { lines.append("        for example, a unit with \(example)") }
        lines += shares.map { shares in
            let parts = shares.variants.filter { !$0.share.isNone }.map { "\($0.share) \($0.variant)" }
            return "    of these, from \(shares.from): "
                + (parts + (shares.none.isNone ? [] : ["\(shares.none) none"])).joined(separator: ", ")
        }
        return lines.map { PrintableText(line: $0).description }
    }

    /// The report for programs.
    package var json: JSONValue {
        [
            "conditions": .strings(conditions.lines.map(\.text)), "left_out": .strings(leftOut),
            "example": .text(example),
            "shares": .array(
                shares.map { shares in
                    [
                        "from": .string(shares.from.description), "none": shares.none.json,
                        "variants": .array(
                            shares.variants.map { ["variant": .string($0.variant), "share": $0.share.json] }),
                    ]
                }),
        ]
    }
}
