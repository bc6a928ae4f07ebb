import AllotStatistics

/// Whether the units of a comparison are in the expected ratio, and if not, where and how it goes wrong.
public struct SampleRatioReport: Sendable {
    /// Evidence of a sample ratio mismatch.
    public enum Mismatch: Sendable, Hashable {
        /// The test of all units.
        case ratio(PValue)
        /// The always-valid test at some row.
        case sequential(PValue)
        /// Units of variants that no unit should have: unknown ones, and those whose share is 0.
        case impossibleVariants([String])
    }

    /// The experiment's key, if it has one.
    public let experiment: String?
    /// Below this p-value a mismatch is detected.
    public let threshold: PValue
    /// The threshold as it was given.
    let thresholdValue: Double
    /// The variants and their expected shares.
    public let shares: VariantShares
    /// The units of each variant.
    public let counts: [Int]
    /// The test of all units; `nil` if no variant that has a share was met.
    public let test: RatioTest?
    /// How many rows were read, and how many of them were left out.
    public let rows: RowCounts
    /// Variants of the data that have no share.
    public let unknown: UnknownVariants
    /// Units in several variants; each counts in its first one.
    public let multipleExposures: MultipleExposures
    /// The test without the units in several variants, if there are any.
    public let withoutMultipleExposures: RatioTest?
    /// The test that stays valid however often the data are looked at.
    public let sequential: SequentialResult
    /// Where a mismatch comes from, by the values of attributes.
    public let localisation: Localisation
    /// The number of rows whose attributes are not a JSON object, and the line of the first.
    public let unreadableAttributes: (count: Int, firstLine: Int)
    /// Whether there were more attributes than were looked at.
    public let hasMoreAttributes: Bool
    /// Requested attributes that no row has.
    public let missingAttributes: [String]
    /// Attributes of rows that were not requested, the first few, in byte order.
    public let otherAttributes: [String]
    /// The two sides of a mismatch, where Allot could compute the assignments again.
    public let attribution: MismatchAttribution?
    /// Why the ratio is not to be trusted; empty if it is right.
    public let mismatches: [Mismatch]

    /// A ratio with a p-value below this is unusual, although no mismatch is detected.
    public static let unusual = PValue(0.01)

    init(
        _ tally: SampleRatioTally, shares: VariantShares, sequential: SequentialResult,
        basis: MismatchAttribution.Basis?
    ) {
        experiment = tally.question.experiment
        threshold = PValue(tally.question.threshold)
        thresholdValue = tally.question.threshold
        counts = tally.counts
        rows = tally.rows
        unknown = tally.unknown
        multipleExposures = tally.multipleExposures
        self.shares = shares
        self.sequential = sequential
        let expected = shares.exactWeights
        test = RatioTest(counts: counts, shares: expected)
        withoutMultipleExposures =
            multipleExposures.unitCount == 0
            ? nil : RatioTest(counts: zip(counts, multipleExposures.counts).map { $0 - $1 }, shares: expected)
        localisation = Localisation(tally.localisation, counts: counts, shares: expected, threshold: threshold)
        unreadableAttributes = (tally.localisation.unreadableCount, tally.localisation.firstUnreadableLine)
        hasMoreAttributes = tally.localisation.hasMoreAttributes
        missingAttributes = tally.localisation.missing
        otherAttributes = tally.localisation.others.sorted().map(\.text)

        var mismatches: [Mismatch] = []
        if let test, test.pValue < threshold { mismatches.append(.ratio(test.pValue)) }
        if case .tested(let pValue, _?) = sequential { mismatches.append(.sequential(pValue)) }
        let withoutShare = shares.variants.indices.filter { tally.counts[$0] > 0 && shares.weights[$0] == 0 }
        let impossible = withoutShare.map { shares.variants[$0] } + unknown.variants.map(\.key)
        if !impossible.isEmpty { mismatches.append(.impossibleVariants(impossible)) }
        self.mismatches = mismatches
        let hasUnits = counts.contains { $0 > 0 }
        // Impossible variants explain themselves; the ratio of the others may be right.
        let isRatioWrong = mismatches.contains { if case .impossibleVariants = $0 { false } else { true } }
        attribution = basis.flatMap { basis in
            hasUnits
                ? MismatchAttribution(tally.attribution, shares: shares, basis: basis, isMismatch: isRatioWrong) : nil
        }
    }

    /// Whether a sample ratio mismatch was detected.
    public var isMismatch: Bool { !mismatches.isEmpty }

    /// The number of units.
    public var unitCount: Int { counts.reduce(0, +) }
}

/// What the rows of a file were, so that no row is dropped silently.
public struct RowCounts: Sendable, Hashable {
    /// Rows of this comparison.
    public internal(set) var rows = 0
    /// Rows that name a unit again, in its first variant or in another.
    public internal(set) var repeats = 0
    /// Rows without a unit ID.
    public internal(set) var withoutUnit = 0
    /// Rows without a variant: units that are not assigned.
    public internal(set) var withoutVariant = 0
    /// Rows of variants that were to be left out.
    public internal(set) var ignored = 0
    /// Rows of units that get the winner, which is not randomised.
    public internal(set) var winners = 0
    /// Rows of forced units, whose variants are not randomised either.
    public internal(set) var forced = 0
    /// The forced units.
    public internal(set) var forcedUnits = 0

    init() {}

    /// Why rows do not count, in words.
    var exclusions: [String] {
        [
            (withoutUnit, "without a unit ID"), (withoutVariant, "without a variant"), (ignored, "to be ignored"),
            (winners, "of units that get the winner"), (forced, "of forced units"),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
}
