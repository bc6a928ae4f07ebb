import AllotCore

/// The test of one experiment.
package struct SampleRatioQuestion: Sendable {
    var experiment: String?
    var shares: GivenShares
    var threshold = RatioTest.threshold
    var ignoredVariants: [String] = []
    /// The attributes in which to look for the source of a mismatch; `nil` for all that have few values.
    var attributes: [String]?

    /// The share of units with wrong variants, and that of units in several variants, above which there is an alarm.
    var wrongShare = 0.005
    var severalShare = 0.01
    var isInTimeOrder = false
    var plan: (plan: Plan, experiment: Int)?

    /// The attributes that the decision looks at, which are known before the assignment and count as named.
    var knownAttributes: [String] {
        guard let (plan, experiment) = plan else { return [] }
        return plan.attributeNames(of: [experiment]).filter { $0 != plan.experiments[experiment].unit }
    }

    /// Attributes with more values than this are skipped unless they are named.
    package static let fewValues = 50
    /// The most values of a named attribute.
    static let manyValues = 100_000
}

/// The faults of rows that cannot be tested.
enum SampleRatioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No row counts for the test.
    case nothingCounted(RowCounts)
    /// Shares were given without names, for another number of variants.
    case variantCount(expected: Int, found: [String])
    case overflow
    /// All rows are of other randomisations.
    case otherSalts([String])

    var description: String {
        switch self {
        case .nothingCounted(let rows):
            rows.rows == 0
                ? "there is no row to test"
                : "no row counts for the test, of \(rows.rows): "
                    + (rows.exclusions.isEmpty ? "all counts are 0" : rows.exclusions.joined(separator: ", "))
        case .variantCount(let expected, let found):
            "the shares are those of \(expected) variants, and the data hold \(found.count < expected ? "only " : "")"
                + "\(found.listed(atMost: 12)); name each variant with its share, such as "
                + "control=50%,green=50%"
        case .otherSalts(let names):
            "no row is of the salts to test, but of \(names.listed(atMost: 8)); choose one of these"
        case .overflow: "the counts add up to more than 9223372036854775807; divide them all by the same number"
        }
    }
}
