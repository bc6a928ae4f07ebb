import Allot

/// Decides the rows of chunks by two plans.
struct ComparisonProcessor: ChunkProcessor {
    private let pairs: [BatchComparison.Pair]
    private let emptyCounts: ComparisonCounts
    private var parser: CSVRecordParser
    private var before: Side
    private var after: Side

    /// One plan, and the rows that it decides next.
    private struct Side {
        var evaluator: Evaluator
        var group: RowGroup
        var bytes: [UInt8] = []

        init(_ plan: Plan, at instant: Instant, columns: ColumnMap) {
            group = RowGroup(columns, keeping: [], experimentCount: plan.experiments.count)
            evaluator = Evaluator(plan: plan, at: instant, selection: nil, groupSize: group.capacity)
        }

        mutating func append(_ parser: borrowing CSVRecordParser, of chunk: Span<UInt8>) {
            group.append(unescaping: parser, of: chunk, to: &bytes)
        }

        mutating func decide() {
            let (group, bytes) = (group, bytes)
            evaluator.evaluate(group: group.count, group.values.span, bytes.span)
        }

        mutating func removeAll() {
            group.removeAll()
            bytes.removeAll(keepingCapacity: true)
        }
    }

    init(_ comparison: BatchComparison, before: ColumnMap, after: ColumnMap) {
        pairs = comparison.pairs
        emptyCounts = ComparisonCounts(comparison)
        parser = CSVRecordParser(columnCount: before.columnCount)
        self.before = Side(comparison.old, at: comparison.instant, columns: before)
        self.after = Side(comparison.new, at: comparison.instant, columns: after)
    }

    mutating func process(
        _ chunk: Span<UInt8>, into output: inout ChunkOutput
    ) throws(RowProblem) -> ComparisonCounts {
        var counts = emptyCounts
        let limit = min(before.group.capacity, after.group.capacity)
        parser.start()
        while parser.next(in: chunk) {
            if let problem = parser.problem { throw problem }
            before.append(parser, of: chunk)
            after.append(parser, of: chunk)
            if before.group.count == limit { count(&counts) }
        }
        count(&counts)
        return counts
    }

    /// Decides the rows at hand, counts and forgets them.
    private mutating func count(_ counts: inout ComparisonCounts) {
        let rows = before.group.count
        guard rows > 0 else { return }
        before.decide()
        after.decide()
        counts.count(before.evaluator.decisions.span, after.evaluator.decisions.span, rows: rows, pairs: pairs)
        before.removeAll()
        after.removeAll()
    }
}
