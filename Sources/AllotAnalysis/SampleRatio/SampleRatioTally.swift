import Allot
import AllotConfiguration
import AllotStatistics

/// Counts the rows of one comparison, in one pass, and reports whether its ratio is right.
///
///     var tally = SampleRatioTally(SampleRatioQuestion(shares: shares))
///     for row in rows {
///         guard let variant = tally.take(unit: row.unit, variant: row.variant, line: row.line) else { continue }
///         tally.observe(variant, step: row.time, line: row.line)
///     }
///     let report = try tally.report(order: .known)
///
/// A unit counts once, in the variant that it had first. Units are told apart by a 64-bit hash, in 16 bytes each, so
/// that 10 million take 256 MiB, and half as much again while the table grows; the probability that two of them are
/// taken for one is 3 in a million.
public struct SampleRatioTally: Sendable {
    /// What is known of the order of rows.
    public enum Order: Sendable {
        /// They are in the order of time.
        case known
        /// They are not.
        case broken(TimeOrder.Fault)
        case unknown
    }

    public let question: SampleRatioQuestion
    private var variants: VariantTable
    private var ignored: VariantTable
    private let weights: [Double]
    private var ledger = UnitLedger()
    private var counts: [Int]
    /// The sum of rows of counts.
    private var total = 0
    private var rowCounts = RowCounts()
    private var unknown = UnknownVariants()
    private var crossings: Crossings
    private var forcedHashes: Set<UInt64> = []
    private var sequential: SequentialTrace?
    private var localisation: LocalisationTally
    private var cause: CauseTally
    private var hasOverflown = false

    /// Begins to count.
    public init(_ question: SampleRatioQuestion) {
        self.question = question
        weights = question.weights
        let keys: [String] = if case .named(let shares) = question.shares { shares.variants } else { [] }
        variants = VariantTable(keys, limit: weights.count)
        ignored = VariantTable(question.ignoredVariants, limit: 0)
        counts = Array(repeating: 0, count: weights.count)
        crossings = Crossings(variantCount: weights.count)
        sequential = SequentialTrace(weights: weights, threshold: PValue(question.threshold))
        localisation = LocalisationTally(
            wanted: question.attributes, variantCount: weights.count, valueLimit: question.valueLimit)
        cause = CauseTally(variantCount: weights.count)
    }

    // MARK: Rows

    /// Takes a row that names a unit and its variant.
    ///
    /// - Returns: the number of the variant if the unit is new and counts; else `nil`, and the row needs no more.
    public mutating func take(unit: Span<UInt8>, variant key: Span<UInt8>, line: Int) -> Int? {
        rowCounts.rows += 1
        guard let variant = variant(key, count: 1, line: line) else { return nil }
        guard !unit.isEmpty else {
            rowCounts.withoutUnit += 1
            return nil
        }
        switch ledger.record(unit, variant: variant, line: line) {
        case .new:
            counts[variant] += 1
            return variant
        case .repeated: rowCounts.repeats += 1
        case .crossed(let first, let firstLine):
            rowCounts.repeats += 1
            crossings.note(unit, from: first, line: firstLine, to: variant, line: line)
        }
        return nil
    }

    /// Takes a row that holds a number of units.
    ///
    /// - Returns: the number of the variant, or `nil` if the row does not count.
    public mutating func take(count: Int, variant key: Span<UInt8>, line: Int) -> Int? {
        rowCounts.rows += 1
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
            rowCounts.withoutVariant += 1
            return nil
        }
        if ignored.find(key) != nil {
            rowCounts.ignored += 1
            return nil
        }
        if let found = variants.find(key) { return found }
        unknown.note(key, count: count, line: line)
        return nil
    }

    /// Takes a row of a unit whose variant was forced; it does not count.
    public mutating func takeForced(unit: Span<UInt8>) {
        rowCounts.rows += 1
        rowCounts.forced += 1
        if forcedHashes.insert(ByteHash.hash(unit)).inserted { rowCounts.forcedUnits += 1 }
    }

    /// Takes a row of a unit that holds the winner; it does not count.
    public mutating func takeWinner() {
        rowCounts.rows += 1
        rowCounts.winners += 1
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
    public mutating func observe(_ variant: Int, count: Int = 1, step: Int, instant: Instant? = nil, line: Int) {
        guard weights[variant] > 0 else { return }
        sequential?.observe(variant, count: count, step: step, instant: instant, line: line)
    }

    /// The number of an attribute for ``localise(_:_:variant:count:)``, to be asked for before the first row; `nil` if
    /// it is not to be looked at.
    public mutating func attribute(_ name: String) -> Int? {
        localisation.column(name)
    }

    /// Takes the value of an attribute; an empty one is missing.
    public mutating func localise(_ attribute: Int, _ value: Span<UInt8>, variant: Int, count: Int = 1) {
        localisation.count(attribute, value, variant: variant, count)
    }

    /// Takes attributes as the members of a JSON object, whose objects are walked into with dots; empty text holds
    /// none.
    ///
    /// A member of the same name as one of the other attributes is passed over.
    public mutating func localise(json: Span<UInt8>, variant: Int, count: Int = 1, line: Int) {
        localisation.count(json: json, variant: variant, count, line: line)
    }

    /// Takes what Allot computes for a unit.
    ///
    /// - Parameters:
    ///   - recomputed: the number of the variant that owns its bucket, `nil` for none.
    ///   - reason: why it holds a variant or none, where that could be decided.
    ///   - line: The line of the row, for messages.
    ///   - recorded: The index of the variant that was recorded.
    ///   - unit: The unit ID.
    public mutating func compare(
        _ unit: Span<UInt8>, recorded: Int, recomputed: Int?, reason: Reason?, line: Int
    ) {
        cause.count(unit, recorded: recorded, recomputed: recomputed, line: line)
        if let reason { cause.count(reason) }
    }

    // MARK: The report

    /// What the rows came to.
    ///
    /// - Parameters:
    ///   - order: what is known of the order of rows.
    ///   - basis: with what decisions were repeated; `nil` if they were not.
    public func report(order: Order, basis: CauseSplit.Basis? = nil) throws(SampleRatioError) -> SampleRatioReport {
        guard !hasOverflown else { throw .overflow }
        guard rowCounts.rows > 0 else { throw .nothingCounted(rowCounts) }
        let shares = try namedShares()
        guard counts.contains(where: { $0 > 0 }) || !unknown.isEmpty else { throw .nothingCounted(rowCounts) }
        return SampleRatioReport(
            question: question, shares: shares, counts: counts, rows: rowCounts, unknown: unknown,
            crossings: crossings, sequential: sequentialResult(order), localisation: localisation,
            cause: basis.map { (cause, $0) })
    }

    private func namedShares() throws(SampleRatioError) -> VariantShares {
        switch question.shares {
        case .named(let shares): return shares
        case .equal(let count):
            let found = variants.keys + unknown.variants.map(\.key)
            guard found.count == count, let shares = try? VariantShares(found.map { (key: $0, weight: 1) }) else {
                throw found.isEmpty
                    ? .nothingCounted(rowCounts) : .variantCount(expected: count, found: found)
            }
            return shares
        }
    }

    private func sequentialResult(_ order: Order) -> SequentialResult {
        switch order {
        case .broken(let fault): return .outOfOrder(fault)
        case .unknown: return .orderUnknown
        case .known:
            guard var trace = sequential else { return .orderUnknown }
            trace.endMoment()
            return .tested(trace.pValue, crossing: trace.crossing)
        }
    }
}
