import AllotConfiguration
import AllotStatistics

/// Whether the units of a comparison are in the ratio that they should be in, and if not, where it goes wrong and how.
public struct SampleRatioReport: Sendable {
    /// A reason for alarm.
    public enum Alarm: Sendable, Hashable {
        /// The test of all units.
        case ratio(PValue)
        /// The always-valid test at some row.
        case sequential(PValue)
        /// Units of variants that no unit should have: unknown ones, and those whose share is 0.
        case impossibleVariants([String])
    }

    /// The experiment's key, if it has one.
    public let experiment: String?
    /// A p-value below this is an alarm.
    public let threshold: PValue
    /// The same as it was given.
    let thresholdValue: Double
    public let shares: VariantShares
    /// The units of each variant.
    public let counts: [Int]
    /// The test of all units; `nil` if no variant that has a share was met.
    public let test: RatioTest?
    public let rows: RowCounts
    /// Variants of the data that have no share.
    public let unknown: UnknownVariants
    /// Units in several variants; each counts in the one that it had first.
    public let crossings: Crossings
    /// The test without the units in several variants, if there are any.
    public let withoutCrossings: RatioTest?
    public let sequential: SequentialResult
    public let localisation: Localisation
    /// Rows whose attributes are no JSON object, and the line of the first.
    public let unreadableAttributes: (count: Int, firstLine: Int)
    /// Whether there were more attributes than were looked at.
    public let hasMoreAttributes: Bool
    /// Attributes that were asked for and that no row has.
    public let missingAttributes: [String]
    /// Attributes that rows have and nobody asked for, the first few, in byte order.
    public let otherAttributes: [String]
    /// The two sides of a mismatch, where Allot could compute the assignments again.
    public let cause: CauseSplit?
    /// Why the ratio is not to be trusted; empty if it is right.
    public let alarms: [Alarm]

    /// A p-value below this is unusual, though no alarm.
    public static let unusual = PValue(0.01)

    init(
        question: SampleRatioQuestion, shares: VariantShares, counts: [Int], rows: RowCounts, unknown: UnknownVariants,
        crossings: Crossings, sequential: SequentialResult, localisation: LocalisationTally,
        cause: (CauseTally, CauseSplit.Basis)?
    ) {
        experiment = question.experiment
        threshold = PValue(question.threshold)
        thresholdValue = question.threshold
        self.shares = shares
        self.counts = counts
        self.rows = rows
        self.unknown = unknown
        self.crossings = crossings
        self.sequential = sequential
        let expected = shares.exactWeights
        test = RatioTest(counts: counts, shares: expected)
        withoutCrossings =
            crossings.unitCount == 0
            ? nil : RatioTest(counts: zip(counts, crossings.counts).map { $0 - $1 }, shares: expected)
        self.localisation = Localisation(
            localisation, counts: counts, shares: expected, threshold: threshold)
        unreadableAttributes = (localisation.unreadableCount, localisation.firstUnreadableLine)
        hasMoreAttributes = localisation.hasMoreAttributes
        missingAttributes = localisation.missing
        otherAttributes = localisation.others.sorted().map(\.text)

        var alarms: [Alarm] = []
        if let test, test.pValue < threshold { alarms.append(.ratio(test.pValue)) }
        if case .tested(let pValue, _?) = sequential { alarms.append(.sequential(pValue)) }
        let withoutShare = shares.variants.indices.filter { counts[$0] > 0 && shares.weights[$0] == 0 }
        let impossible = withoutShare.map { shares.variants[$0] } + unknown.variants.map(\.key)
        if !impossible.isEmpty { alarms.append(.impossibleVariants(impossible)) }
        self.alarms = alarms
        let hasUnits = counts.contains { $0 > 0 }
        // Impossible variants explain themselves; the ratio of the others may be right.
        let isMismatch = alarms.contains { if case .impossibleVariants = $0 { false } else { true } }
        self.cause = cause.flatMap { tally, basis in
            hasUnits ? CauseSplit(tally, shares: shares, basis: basis, isAlarm: isMismatch) : nil
        }
    }

    /// Whether the ratio is wrong.
    public var isAlarm: Bool { !alarms.isEmpty }

    /// The number of units.
    public var unitCount: Int { counts.reduce(0, +) }
}
