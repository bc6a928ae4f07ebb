/// What is tested, and how.
package struct SampleRatioQuestion: Sendable {
    /// The experiment's key, if it has one.
    var experiment: String?
    /// What the ratio should be.
    var shares: GivenShares
    /// The p-value below which a sample ratio mismatch is detected.
    var threshold = RatioTest.threshold
    /// Variants whose rows are left out.
    var ignoredVariants: [String] = []
    /// The attributes in which to look for the source of a mismatch; `nil` for all that have few values.
    var attributes: [String]?

    /// Attributes with more values than this are skipped unless they are named.
    package static let fewValues = 50
    /// The most values of a named attribute.
    static let manyValues = 100_000

    /// The share of each variant in numbers, in any unit.
    var weights: [Double] {
        switch shares {
        case .named(let shares): shares.shares
        case .equal(let count): Array(repeating: 1, count: count)
        }
    }

    var valueLimit: Int { attributes == nil ? Self.fewValues : Self.manyValues }
}

/// Why the rows of a comparison cannot be tested.
enum SampleRatioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No row counts for the test.
    case nothingCounted(RowCounts)
    /// Shares were given without names, for another number of variants.
    case variantCount(expected: Int, found: [String])
    /// Counts add up to more than 2⁶³ - 1.
    case overflow
    /// The shares of no revision in the data are known.
    case unknownShares([String])
    /// All rows are of other randomisations.
    case otherSalts([String])

    /// What is wrong and how to fix it.
    var description: String {
        switch self {
        case .nothingCounted(let rows):
            rows.rows == 0
                ? "there is no row to test"
                : "no row counts for the test, of \(rows.rows): "
                    + (rows.exclusions.isEmpty ? "all counts are 0" : rows.exclusions.joined(separator: ", "))
        case .variantCount(let expected, let found):
            "the shares are those of \(expected) variants, and the data hold \(found.count < expected ? "only " : "")"
                + "\(NumberFormat.listed(found, atMost: 12)); name each variant with its share, such as "
                + "control=50%,green=50%"
        case .unknownShares(let periods): NumberFormat.listed(periods, atMost: 5)
        case .otherSalts(let names):
            "no row is of the salts to test, but of \(NumberFormat.listed(names, atMost: 8)); choose one "
                + "with --salt"
        case .overflow: "the counts add up to more than 9223372036854775807; divide them all by the same number"
        }
    }
}
