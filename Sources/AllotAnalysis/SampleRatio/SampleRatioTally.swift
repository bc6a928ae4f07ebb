import Allot
import AllotConfiguration
import AllotStatistics

/// Counts the rows of one comparison, in one pass, and reports whether its ratio is right.
///
///     var tally = SampleRatioTally(SampleRatioQuestion(shares: shares))
///     var units = ExposedUnits()
///     for row in rows {
///         let taken = tally.take(unit: row.unit, variant: row.variant, line: row.line, period: 0, units: &units)
///         guard case .counted(let variant) = taken else { continue }
///         tally.observe(variant, step: row.time, line: row.line)
///     }
///     let report = try tally.report(order: .known)
///
/// A unit counts once, in its first variant. Units are told apart by a 64-bit hash, in 16 bytes each, so
/// that 10 million take 256 MiB, and half as much again while the table grows; the probability that two of them are
/// taken for one is 3 in a million.
struct SampleRatioTally: Sendable {
    /// What is known of the order of rows.
    enum Order: Sendable {
        /// They are in the order of time.
        case known
        /// They are said to be in the order of time, though they have no times.
        case declared
        /// They are not; a row is out of order.
        case broken(TimeOrder.Fault)
        /// Nothing is known.
        case unknown
    }

    /// What became of a row with a unit.
    enum Taken: Sendable, Hashable {
        /// The unit is new, and counts for the variant of this number.
        case counted(Int)
        /// The row does not count.
        case leftOut
        /// It does not count, because the unit was seen in another variant and period before.
        case inAnotherVariant(first: String, period: Int, line: Int)
    }

    /// What is tested.
    let question: SampleRatioQuestion
    private var variants: VariantTable
    private var ignored: VariantTable
    private let weights: [Double]
    private(set) var counts: [Int]
    /// The sum of rows of counts.
    private var total = 0
    private(set) var rows = RowCounts()
    private(set) var unknown = UnknownVariants()
    private(set) var multipleExposures: MultipleExposures
    private var forcedHashes: Set<UInt64> = []
    private var sequential: SequentialTrace?
    private var runs: VariantRuns
    var localisation: LocalisationTally
    var attribution: AttributionTally
    private var hasOverflown = false

    /// Begins to count.
    init(_ question: SampleRatioQuestion) {
        self.question = question
        weights = question.weights
        let keys: [String] = if case .named(let shares) = question.shares { shares.variants } else { [] }
        variants = VariantTable(keys, limit: weights.count)
        ignored = VariantTable(question.ignoredVariants, limit: 0)
        counts = Array(repeating: 0, count: weights.count)
        multipleExposures = MultipleExposures(variantCount: weights.count)
        runs = VariantRuns(variantCount: weights.count)
        sequential = SequentialTrace(weights: weights, threshold: PValue(question.threshold))
        localisation = LocalisationTally(
            wanted: question.attributes, variantCount: weights.count, valueLimit: question.valueLimit)
        attribution = AttributionTally(variantCount: weights.count)
    }

    // MARK: Rows

    /// Takes a row that names a unit and its variant.
    ///
    /// - Parameters:
    ///   - unit: the unit ID.
    ///   - key: the variant.
    ///   - line: the line of the row.
    ///   - period: the number of the period that is counted here.
    ///   - units: the units of the randomisation so far, of all its periods.
    mutating func take(
        unit: Span<UInt8>, variant key: Span<UInt8>, line: Int, period: Int, units: inout ExposedUnits
    ) -> Taken {
        rows.rows += 1
        guard let variant = variant(key, count: 1, line: line) else { return .leftOut }
        guard !unit.isEmpty else {
            rows.withoutUnit += 1
            return .leftOut
        }
        switch units.record(unit, variant: key, period: period, line: line) {
        case .new:
            counts[variant] += 1
            return .counted(variant)
        case .repeated:
            rows.repeats += 1
            return .leftOut
        case .inAnotherVariant(let first, let period, let line):
            rows.repeats += 1
            return .inAnotherVariant(first: first, period: period, line: line)
        }
    }

    /// Notes that a unit, which was counted here, was seen in another variant later.
    ///
    /// - Parameter isReassigned: whether that was in another period.
    mutating func note(multiple example: MultipleExposures.Example, isReassigned: Bool = false) {
        guard let first = variants.keys.firstIndex(where: { UTF8Order.areEqual($0, example.first) }) else { return }
        multipleExposures.note(example, variant: first, isReassigned: isReassigned)
    }

    /// Takes a row that holds a number of units.
    ///
    /// - Returns: the number of the variant, or `nil` if the row does not count.
    mutating func take(count: Int, variant key: Span<UInt8>, line: Int) -> Int? {
        rows.rows += 1
        guard let variant = variant(key, count: count, line: line) else { return nil }
        // The sum of all counts is what must fit.
        let (sum, overflow) = total.addingReportingOverflow(count)
        hasOverflown = hasOverflown || overflow
        guard !hasOverflown else { return nil }
        total = sum
        counts[variant] += count
        return variant
    }

    private mutating func variant(_ key: Span<UInt8>, count: Int, line: Int) -> Int? {
        if key.isEmpty {
            rows.withoutVariant += 1
            return nil
        }
        if ignored.find(key) != nil {
            rows.ignored += 1
            return nil
        }
        if let found = variants.find(key) { return found }
        unknown.note(key, count: count, line: line)
        return nil
    }

    /// Takes a row of a unit whose variant was forced; it does not count.
    ///
    /// - Parameter unit: the unit ID, `nil` where rows have counts.
    mutating func takeForced(unit: Span<UInt8>?) {
        rows.rows += 1
        rows.forced += 1
        if let unit, forcedHashes.insert(ByteHash.hash(unit)).inserted { rows.forcedUnits += 1 }
    }

    /// Takes a row of an exposure that is not randomised; it does not count.
    mutating func take(_ kind: ExposureMarks.Kind, unit: Span<UInt8>?) {
        switch kind {
        case .split: return
        case .forced: return takeForced(unit: unit)
        case .winner: rows.winners += 1
        case .overridden: rows.overridden += 1
        case .other: rows.otherReasons += 1
        }
        rows.rows += 1
    }

    /// Notes that the time of a unit that counts is in doubt.
    mutating func noteDoubt() {
        rows.doubtful += 1
    }

    // MARK: What counts

    /// Takes units for the sequential test.
    ///
    /// - Parameters:
    ///   - step: never falls; rows of one step are tested together.
    ///   - instant: the row's time, if it is known.
    ///   - count: The number of units.
    ///   - line: The line of the row, for messages.
    ///   - variant: The index of the variant.
    mutating func observe(_ variant: Int, count: Int = 1, step: Int, instant: Instant? = nil, line: Int) {
        guard weights[variant] > 0 else { return }
        runs.note(variant)
        sequential?.observe(variant, count: count, step: step, instant: instant, line: line)
    }

    // MARK: The report

    /// The report on the rows.
    ///
    /// - Parameters:
    ///   - order: what is known of the order of rows.
    ///   - basis: what the decisions were repeated with; `nil` if they were not.
    /// - Throws: if no row counts, the shares do not fit the variants, or the counts are too large.
    func report(order: Order, basis: MismatchAttribution.Basis? = nil) throws(SampleRatioError)
        -> SampleRatioReport
    {
        guard !hasOverflown else { throw .overflow }
        guard rows.rows > 0 else { throw .nothingCounted(rows) }
        let shares = try namedShares()
        guard counts.contains(where: { $0 > 0 }) || !unknown.isEmpty else { throw .nothingCounted(rows) }
        return SampleRatioReport(self, shares: shares, sequential: sequentialResult(order), basis: basis)
    }

    private func namedShares() throws(SampleRatioError) -> VariantShares {
        switch question.shares {
        case .named(let shares): return shares
        case .equal(let count):
            let found = variants.keys + unknown.variants.map(\.key)
            guard found.count == count, let shares = try? VariantShares(found.map { (key: $0, weight: 1) }) else {
                throw found.isEmpty
                    ? .nothingCounted(rows) : .variantCount(expected: count, found: found)
            }
            return shares
        }
    }

    private func sequentialResult(_ order: Order) -> SequentialResult {
        switch order {
        case .broken(let fault): return .outOfOrder(fault)
        case .unknown: return .orderUnknown
        case .declared where runs.isSorted: return .sorted(runs)
        case .known, .declared:
            guard var trace = sequential else { return .orderUnknown }
            trace.endMoment()
            return .tested(trace.pValue, crossing: trace.crossing)
        }
    }
}

/// Finds the numbers of variants by their keys' bytes.
struct VariantTable: Sendable {
    private(set) var keys: [String]
    /// The most variants; further ones are unknown.
    private let limit: Int
    private var table: ByteTable

    /// - Parameter limit: the number of variants; variants without a key get it from the first rows.
    init(_ keys: [String], limit: Int) {
        self.keys = keys
        self.limit = limit
        table = Self.table(keys)
    }

    /// The number of a variant; `nil` for an unknown one.
    mutating func find(_ key: Span<UInt8>) -> Int? {
        if let found = table.find(key) { return found }
        guard keys.count < limit else { return nil }
        keys.append(key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        table = Self.table(keys)
        return keys.count - 1
    }

    private static func table(_ keys: [String]) -> ByteTable {
        ByteTable(keys.enumerated().map { (key: Array($0.element.utf8), value: $0.offset) })
    }
}
