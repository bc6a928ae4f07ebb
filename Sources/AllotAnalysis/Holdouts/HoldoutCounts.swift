import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import AllotStatistics

/// The form of a CSV file with a row for each unit, with which a holdout is studied.
package struct HoldoutData: Sendable {
    /// The column of the unit IDs; `nil` for the attribute that holds the holdout's.
    package var unitColumn: String?
    /// The column of each row's own instant of evaluation.
    package var timeColumn: String?
    /// The columns with numbers to compare.
    package var metrics: [String] = []
    package var nullWords: [String] = []
    package var delimiter = CSVDelimiter.comma

    package init() {}
}

/// The units of a file: held out or not, and what the experiments give them or would give them without the holdout.
///
/// The engine decides each unit as if the holdout had ended. So it knows on both sides which units an experiment
/// touches, and a comparison of these alone is fair.
struct HoldoutCounts: Sendable {
    /// Units on one side of the holdout.
    struct Side: Sendable {
        var unitCount = 0
        /// Units that an experiment gives a variant, or would give one.
        var touchedCount = 0
        /// Units with an exposure to an experiment.
        var exposedCount = 0
        /// By covered experiment and variant.
        var variants: [[Int]]
        /// By metric, of all units and of touched ones.
        var all: [SampleMoments]
        var touched: [SampleMoments]
    }

    let fileName: String
    private(set) var heldOut: Side
    private(set) var others: Side
    /// By day since 1970 of a unit's row.
    private(set) var days: [Int: (heldOut: Int, others: Int)] = [:]
    private(set) var forcedCount = 0
    private(set) var invalidCount = 0
    private(set) var repeatCount = 0
    /// By metric, the units without a number.
    private(set) var missingCounts: [Int]
    /// Attributes that decisions look at and no row has.
    private(set) var missingAttributes: [String] = []

    /// Reads a file. Memory grows with the number of units, by some 16 bytes each. Complexity: O(bytes of the file),
    /// and the decisions of all covered experiments for each unit.
    ///
    /// - Parameters:
    ///   - released: the plan without the holdout.
    ///   - covered: the indices of the experiments, at least one.
    /// - Throws: `FileError`, `CSVError` and `BatchError` for the file and its columns.
    init(
        _ input: consuming InputFile, _ data: HoldoutData, holdout: HoldoutDefinition, released: Plan, covered: [Int],
        at instant: Instant, exposed: ExposedUnits?, progress: (_ bytesRead: Int) -> Void = { _ in }
    ) throws {
        var rows = try CSVRows(input, nullWords: data.nullWords, delimiter: data.delimiter)
        let (header, file) = (rows.header, rows.name)
        func unitColumns(of unit: String) throws -> UnitColumns {
            let isOwn = UTF8Order.areEqual(unit, holdout.unit)
            return try UnitColumns(of: unit, in: header, file, column: isOwn ? data.unitColumn : nil)
        }
        let unit = try unitColumns(of: holdout.unit)
        let experimentUnit = try unitColumns(of: released.experiments[covered[0]].unit ?? holdout.unit)
        let isOneUnit = experimentUnit.columns == unit.columns
        let time = try data.timeColumn.map { try header.index(of: $0, in: file) }
        let metrics = try data.metrics.map { try header.index(of: $0, in: file) }
        var decision = RepeatedDecision(
            released, experiment: covered[0], others: Array(covered.dropFirst()),
            attributes: header.unambiguousColumns.map { (header.names[$0], $0) })
        let hash = PreparedHash(holdout.hash)
        let none = Side(
            variants: covered.map { released.experiments[$0].variants.map { _ in 0 } },
            all: metrics.map { _ in SampleMoments() }, touched: metrics.map { _ in SampleMoments() })
        (heldOut, others, missingCounts, fileName) = (none, none, metrics.map { _ in 0 }, file)
        rows.unitColumns = unit.columns
        var seen: Set<UInt64> = []
        while try rows.next() {
            if rows.rowCount & 0xFFFF == 0 { progress(rows.bytesRead) }
            guard let id = unit.id(of: rows) else {
                invalidCount += 1
                continue
            }
            guard seen.insert(ByteHash.hash(id.span)).inserted else {
                repeatCount += 1
                continue
            }
            let now = try time.map { try rows.instant($0) } ?? instant
            let values = try metrics.map { try rows.metric($0) }
            let decided = isOneUnit ? id : experimentUnit.id(of: rows) ?? []
            _ = decision.decide(rows, unit: decided.span, at: now)
            let decisions = covered.map { decision.decision(of: $0) }
            if decisions.contains(where: { $0.reason == .forced }) {
                forcedCount += 1
                continue
            }
            let isHeldOut = hash.buckets(of: id.span).first < holdout.share
            if time != nil {
                let day = Int(now.seconds.flooredQuotientAndRemainder(dividingBy: 86_400).0)
                days[day, default: (0, 0)].heldOut += isHeldOut ? 1 : 0
                days[day, default: (0, 0)].others += isHeldOut ? 0 : 1
            }
            for (metric, value) in values.enumerated() where value == nil { missingCounts[metric] += 1 }
            let isExposed = exposed?.contains(decided) ?? false
            if isHeldOut {
                heldOut.take(decisions, values, isExposed: isExposed)
            } else {
                others.take(decisions, values, isExposed: isExposed)
            }
        }
        missingAttributes = decision.missingAttributes
    }
}

extension HoldoutCounts.Side {
    fileprivate mutating func take(_ decisions: [Decision], _ values: [Double?], isExposed: Bool) {
        unitCount += 1
        if isExposed { exposedCount += 1 }
        let isTouched = decisions.contains { $0.variant != nil }
        if isTouched { touchedCount += 1 }
        for (experiment, decision) in decisions.enumerated() {
            if let variant = decision.variant { variants[experiment][variant] += 1 }
        }
        for (metric, value) in values.enumerated() {
            guard let value else { continue }
            all[metric].add(value)
            if isTouched { touched[metric].add(value) }
        }
    }
}
