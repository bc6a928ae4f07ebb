import AllotConfiguration
import AllotReports
import AllotStatistics

/// Units that come back in a later revision with the same salt.
///
/// Effects of a variant on its units in an earlier revision decide how many of them return. So the units of the later
/// revision are not in the ratio, however sound its own randomisation is.
struct ReturningUnits: Sendable, Hashable {
    /// The returning units and those of earlier revisions, by the variant that they had first.
    let variants: [String]
    let returning: [Int]
    let before: [Int]
    /// Whether the returning units are in the ratio of those before them.
    let returningTest: PValue
    /// The ratio of new and returning units together; `nil` if it cannot be tested.
    let bothTest: PValue?
    var isNewRight = true
    var level = 0.0

    var testCount: Int { bothTest == nil ? 1 : 2 }
    var isAlarm: Bool { returningTest < PValue(level) || isNewRight && (bothTest.map { $0 < PValue(level) } ?? false) }
    var pValue: PValue { min(returningTest, bothTest ?? returningTest) }

    /// Tests the units that come back, by the variant that they had first, against those of earlier revisions. Returns
    /// `nil` if none comes back.
    init?(returning: [Int: Int], before: [Int: Int], keys: [String], both: RatioTest?) {
        let found = before.keys.filter { before[$0] ?? 0 > 0 }.sorted { UTF8Order.precedes(keys[$0], keys[$1]) }
        guard found.count > 1, returning.values.contains(where: { $0 > 0 }) else { return nil }
        variants = found.map { keys[$0] }
        self.returning = found.map { returning[$0] ?? 0 }
        self.before = found.map { before[$0] ?? 0 }
        let others = zip(self.before, self.returning).map { $0 - $1 }
        returningTest = ValueRatio(shares: []).difference(self.returning, others)
        bothTest = both?.pValue
    }

    var lines: [String] {
        let parts = variants.indices.map { index in
            let share = NumberFormat.part(Double(returning[index]) / Double(max(before[index], 1)))
            return "\(share) of \(PrintableText(variants[index]))"
        }
        let rate = "of the units of earlier revisions \(parts.joined(separator: ", ")) come back, p = \(returningTest)"
        let both = bothTest.map { "; new and returning units together have p = \($0)" } ?? ""
        guard isAlarm else { return ["no sign of it: \(rate)\(both)"] }
        return [
            "CARRY-OVER: \(rate)\(both)",
            "Former effects of a variant decide which units come back. Analyse only the new units of each revision, "
                + "or restart with a new salt.",
        ]
    }

    var json: JSONValue {
        JSONValue(members: [
            "alarm": isAlarm, "p_value_returning": returningTest.json, "p_value_both": bothTest?.json,
            "variants": variants.indices.objects {
                ["variant": variants[$0], "before": before[$0], "returning": returning[$0]]
            },
        ])
    }
}
