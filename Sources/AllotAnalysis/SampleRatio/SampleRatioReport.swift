import AllotStatistics

/// Whether the units of a comparison are in the expected ratio, and if not, where and how it goes wrong.
public struct SampleRatioReport: Sendable {
    /// Evidence that results cannot be trusted.
    enum Mismatch: Sendable, Hashable {
        /// The test of all units.
        case ratio(PValue)
        /// The always-valid test at some row.
        case sequential(PValue)
        /// Units of variants that no unit should have: unknown ones, and those whose share is 0.
        case impossibleVariants([String])
        case wrongVariants
        /// The test of the variants that Allot assigns to the captured units, hidden by units with other variants.
        case capture(PValue)
        /// Units of one variant that were given another, and hardly any the other way round.
        case reassignment(MismatchAttribution.OneSided)
        case severalVariants
        /// The test without the units in several variants.
        case withoutSeveral(PValue)
        case carryOver(PValue)
        /// The ratio within a value of an attribute that was named.
        case hidden(Localisation.Value)

        var name: String {
            switch self {
            case .ratio: "ratio"
            case .sequential: "sequential"
            case .impossibleVariants: "variants-without-share"
            case .wrongVariants: "wrong-variants"
            case .capture: "capture"
            case .reassignment: "reassignment"
            case .severalVariants: "several-variants"
            case .withoutSeveral: "ratio-without-units-in-several-variants"
            case .carryOver: "carry-over"
            case .hidden: "within-a-value"
            }
        }

        /// Whether the number of units is wrong, rather than their variants.
        var isRatio: Bool {
            switch self {
            case .ratio, .sequential, .impossibleVariants, .hidden, .capture, .withoutSeveral: true
            case .wrongVariants, .reassignment, .severalVariants, .carryOver: false
            }
        }
    }

    /// The experiment's key, if it has one.
    public let experiment: String?
    let name: RatioPeriod.Name
    /// Whether there are others, so that the report must name its salt or its revision.
    var isNamed = (salt: false, revision: false)
    var isUntestedElsewhere = false
    let thresholdValue: Double
    let levels: RatioLevels
    /// The variants and their expected shares.
    public let shares: VariantShares
    /// The units of each variant.
    public let counts: [Int]
    /// The test of all units; `nil` if no variant that has a share was met.
    public let test: RatioTest?
    let rows: RowCounts
    let unknown: UnknownVariants
    /// Units in several variants; each counts in its first one.
    let multipleExposures: MultipleExposures
    let withoutMultipleExposures: RatioTest?
    /// The test that stays valid for any number of looks.
    let sequential: SequentialResult
    let untimedCount: Int
    /// Whether each unit counts once in each window of a period, and whether its windows are balanced in pairs.
    let hasWindows: Bool
    let isBalanced: Bool
    let localisation: Localisation
    let attribution: MismatchAttribution?
    let carryOver: ReturningUnits?
    let mismatches: [Mismatch]

    init(_ draft: Draft, _ question: SampleRatioQuestion, _ levels: RatioLevels) {
        experiment = question.experiment
        name = draft.name
        thresholdValue = question.analysis.threshold
        self.levels = levels
        let (ratioLevel, otherLevel) = (PValue(levels.ratio), PValue(levels.other))
        counts = draft.counts
        rows = draft.rows
        unknown = draft.unknown
        multipleExposures = draft.several
        let shares = draft.shares
        self.shares = shares
        sequential = draft.sequential(level: levels.sequential)
        untimedCount = draft.untimedCount
        (hasWindows, isBalanced) = (draft.hasWindows, draft.isBalanced)
        let expected = shares.exactWeights
        test = RatioTest(counts: counts, shares: expected)
        withoutMultipleExposures = draft.withoutSeveral
        localisation = Localisation(
            draft.attributes, draft.sample, shares: expected, threshold: ratioLevel, hidden: otherLevel)
        var mismatches: [Mismatch] = []
        if let test, test.pValue < ratioLevel { mismatches.append(.ratio(test.pValue)) }
        if case .tested(let pValue, _?) = sequential { mismatches.append(.sequential(pValue)) }
        // Impossible variants explain themselves; the ratio of the others may be right.
        let isRatioWrong = !mismatches.isEmpty
        let withoutShare = shares.variants.indices.filter { draft.counts[$0] > 0 && shares.weights[$0] == 0 }
        let impossible = withoutShare.map { shares.variants[$0] } + unknown.variants.map(\.key)
        if !impossible.isEmpty { mismatches.append(.impossibleVariants(impossible)) }
        let tally = counts.contains { $0 > 0 } ? draft.attribution : nil
        attribution = tally.map {
            MismatchAttribution($0, shares: shares, isMismatch: isRatioWrong, threshold: otherLevel)
        }
        if tally?.wrong.isAlarm == true { mismatches.append(.wrongVariants) }
        if let attribution, attribution.finding == .masked {
            if let capture = attribution.capture, capture.pValue < otherLevel {
                mismatches.append(.capture(capture.pValue))
            }
            if let oneSided = attribution.oneSided, oneSided.pValue < otherLevel {
                mismatches.append(.reassignment(oneSided))
            }
        }
        if multipleExposures.isAlarm { mismatches.append(.severalVariants) }
        if let without = withoutMultipleExposures, without.pValue < otherLevel, !isRatioWrong {
            mismatches.append(.withoutSeveral(without.pValue))
        }
        carryOver = draft.carryOver.map { carryOver in
            var carryOver = carryOver
            (carryOver.isNewRight, carryOver.level) = (!isRatioWrong, levels.other)
            return carryOver
        }
        if let carryOver, carryOver.isAlarm { mismatches.append(.carryOver(carryOver.pValue)) }
        if case .hidden(let value) = localisation.finding, value.isNamed { mismatches.append(.hidden(value)) }
        self.mismatches = mismatches
    }

    /// Whether something is wrong with the units or their variants.
    public var isMismatch: Bool { !mismatches.isEmpty }

    /// The number of units.
    public var unitCount: Int { counts.reduce(0, +) }

    /// The names of what is wrong, and `untested` where other units of the experiment could not be tested.
    public var alarms: [String] { mismatches.map(\.name) + (isUntestedElsewhere ? ["untested"] : []) }
}

/// The numbers of rows of each kind, so that no row is dropped silently.
struct RowCounts: Sendable, Hashable {
    var rows = 0
    /// Rows that name a unit again, in its first variant or in another.
    var repeats = 0
    var withoutUnit = 0
    /// Rows of a unit that is randomised in windows, without one and without a time.
    var withoutWindow = 0
    /// Rows without a variant: units that are not assigned.
    var withoutVariant = 0
    var ignored = 0
    var winners = 0
    var forced = 0
    var forcedUnits = 0
    var overridden = 0
    /// Rows with a reason for which no unit counts.
    var otherReasons = 0
    /// Rows of units that count, whose time is in doubt.
    var doubtful = 0

    static let otherReasonsText = "whose \"reason\" is neither split nor winner"

    var exclusions: [String] {
        [
            (withoutUnit, "without a unit ID"), (withoutWindow, "without a window or a time"),
            (withoutVariant, "without a variant"), (ignored, "to be ignored"),
            (winners, "of units that get the winner"), (forced, "of forced units"),
            (overridden, "of overrides on a device"), (otherReasons, Self.otherReasonsText),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
}
