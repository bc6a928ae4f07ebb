import AllotStatistics

/// Whether the units of a comparison are in the expected ratio, and if not, where and how it goes wrong.
public struct SampleRatioReport: Sendable {
    /// Evidence of a sample ratio mismatch.
    enum Mismatch: Sendable, Hashable {
        /// The test of all units.
        case ratio(PValue)
        /// The always-valid test at some row.
        case sequential(PValue)
        /// Units of variants that no unit should have: unknown ones, and those whose share is 0.
        case impossibleVariants([String])
        /// The test of the variants that Allot assigns to the captured units, hidden by units with other variants.
        case capture(PValue)
        /// Units of one variant that were given another, and hardly any the other way round.
        case reassignment(MismatchAttribution.OneSided)
        /// The variants in the data are not those that Allot assigns.
        case otherVariants(MismatchAttribution.Finding)
        /// The ratio within a value of an attribute that was named.
        case hidden(Localisation.Value)
    }

    /// The experiment's key, if it has one.
    public let experiment: String?
    /// The salt and the revision of the rows.
    var name = RatioPeriod.Name(salt: "", revision: "")
    /// Whether there are others, so that the report must say which ones it is about.
    var isNamed = (salt: false, revision: false)
    /// Below this p-value a mismatch is detected.
    let threshold: PValue
    /// The threshold as it was given.
    let thresholdValue: Double
    /// The variants and their expected shares.
    public let shares: VariantShares
    /// The units of each variant.
    public let counts: [Int]
    /// The test of all units; `nil` if no variant that has a share was met.
    public let test: RatioTest?
    /// How many rows were read, and how many of them were left out.
    let rows: RowCounts
    /// Variants of the data that have no share.
    let unknown: UnknownVariants
    /// Units in several variants; each counts in its first one.
    let multipleExposures: MultipleExposures
    /// The test without the units in several variants, if there are any and none of them was reassigned between
    /// revisions: those who come back after shares have changed are missing in the variants that shrank, and so in no
    /// ratio.
    let withoutMultipleExposures: RatioTest?
    /// The test that stays valid however often the data are looked at.
    let sequential: SequentialResult
    /// Where a mismatch comes from, by the values of attributes.
    let localisation: Localisation
    /// The two sides of a mismatch, where Allot could compute the assignments again.
    let attribution: MismatchAttribution?
    /// Why the ratio is not to be trusted; empty if it is right.
    let mismatches: [Mismatch]

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
            multipleExposures.unitCount == 0 || multipleExposures.areReassigned
            ? nil : RatioTest(counts: zip(counts, multipleExposures.counts).map { $0 - $1 }, shares: expected)
        localisation = Localisation(tally.localisation, counts: counts, shares: expected, threshold: threshold)
        var mismatches: [Mismatch] = []
        if let test, test.pValue < threshold { mismatches.append(.ratio(test.pValue)) }
        if case .tested(let pValue, _?) = sequential { mismatches.append(.sequential(pValue)) }
        let withoutShare = shares.variants.indices.filter { tally.counts[$0] > 0 && shares.weights[$0] == 0 }
        let impossible = withoutShare.map { shares.variants[$0] } + unknown.variants.map(\.key)
        if !impossible.isEmpty { mismatches.append(.impossibleVariants(impossible)) }
        if tally.question.attributes != nil, case .hidden(let value) = localisation.finding {
            mismatches.append(.hidden(value))
        }
        let hasUnits = counts.contains { $0 > 0 }
        // Impossible variants explain themselves; the ratio of the others may be right.
        let isRatioWrong = mismatches.contains {
            switch $0 {
            case .ratio, .sequential: true
            default: false
            }
        }
        let (attributionTally, level) = (tally.attribution, threshold)
        attribution = basis.flatMap { basis in
            hasUnits
                ? MismatchAttribution(
                    attributionTally, shares: shares, basis: basis, isMismatch: isRatioWrong, threshold: level) : nil
        }
        self.mismatches = mismatches + (attribution?.mismatches(threshold) ?? [])
    }

    /// Whether a sample ratio mismatch was detected.
    public var isMismatch: Bool { !mismatches.isEmpty }

    /// The number of units.
    public var unitCount: Int { counts.reduce(0, +) }
}

extension MismatchAttribution {
    /// What is wrong although the ratio may be right.
    fileprivate func mismatches(_ threshold: PValue) -> [SampleRatioReport.Mismatch] {
        switch finding {
        case .renamed, .unrelated: return [.otherVariants(finding)]
        case .masked:
            var found: [SampleRatioReport.Mismatch] = []
            if let capture, capture.pValue < threshold { found.append(.capture(capture.pValue)) }
            if let oneSided, oneSided.pValue < threshold { found.append(.reassignment(oneSided)) }
            return found
        case .agreement, .someReassigned, .capture, .reassignment, .both: return []
        }
    }
}

/// What the rows of a file were, so that no row is dropped silently.
struct RowCounts: Sendable, Hashable {
    /// Rows of this comparison.
    var rows = 0
    /// Rows that name a unit again, in its first variant or in another.
    var repeats = 0
    /// Rows without a unit ID.
    var withoutUnit = 0
    /// Rows without a variant: units that are not assigned.
    var withoutVariant = 0
    /// Rows of variants that were to be left out.
    var ignored = 0
    /// Rows of units that get the winner, which is not randomised.
    var winners = 0
    /// Rows of forced units, whose variants are not randomised either.
    var forced = 0
    /// The forced units.
    var forcedUnits = 0
    /// Rows of overrides on a device.
    var overridden = 0
    /// Rows with a reason for which no unit counts.
    var otherReasons = 0
    /// Rows of units that count, whose time is in doubt.
    var doubtful = 0

    /// What rows with other reasons are.
    static let otherReasonsText = "whose \"reason\" is neither split nor winner"

    /// Why rows do not count, in words.
    var exclusions: [String] {
        [
            (withoutUnit, "without a unit ID"), (withoutVariant, "without a variant"), (ignored, "to be ignored"),
            (winners, "of units that get the winner"), (forced, "of forced units"),
            (overridden, "of overrides on a device"), (otherReasons, Self.otherReasonsText),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
}
