@_spi(Groups) import Allot

/// Decides the rows of chunks by two plans.
struct ComparisonProcessor: ChunkProcessor {
    private let pairs: [BatchComparison.Pair]
    private let nullWords: NullWords
    private let emptyCounts: ComparisonCounts
    private var parser: CSVRecordParser
    private var before: PlanRows
    private var after: PlanRows

    /// A plan, and the rows that it decides next.
    private struct PlanRows {
        var evaluator: Evaluator
        var group: RowGroup
        var bytes: [UInt8] = []
        let watched: [WatchedColumn]

        init(_ plan: Plan, at instant: Instant, columns: ColumnMap) {
            watched = columns.watched
            group = RowGroup(columns, keeping: [], for: plan)
            evaluator = Evaluator(plan: plan, at: instant, selection: nil, groupSize: group.capacity)
        }

        mutating func append(_ parser: borrowing CSVRecordParser, of chunk: Span<UInt8>) {
            group.append(unescaping: parser, of: chunk, to: &bytes)
        }

        mutating func decide(_ nullWords: NullWords, noting doubts: inout DoubtfulValues, except names: [String]) {
            let bytes = bytes
            group.removeNulls(nullWords, of: bytes.span)
            let group = group
            doubts.note(group, watched.filter { !names.contains($0.name) }, bytes.span)
            evaluator.evaluate(group: group.count, group.values.span, bytes.span)
        }

        mutating func removeAll() {
            group.removeAll()
            bytes.removeAll(keepingCapacity: true)
        }
    }

    init(_ comparison: BatchComparison, before: ColumnMap, after: ColumnMap) {
        pairs = comparison.pairs
        nullWords = NullWords(comparison.nullWords)
        emptyCounts = ComparisonCounts(comparison)
        parser = CSVRecordParser(columnCount: before.columnCount)
        self.before = PlanRows(comparison.old, at: comparison.instant, columns: before)
        self.after = PlanRows(comparison.new, at: comparison.instant, columns: after)
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

    /// Decides, counts and removes the collected rows.
    private mutating func count(_ counts: inout ComparisonCounts) {
        let rows = before.group.count
        guard rows > 0 else { return }
        before.decide(nullWords, noting: &counts.doubts, except: [])
        // Columns of both plans are counted once.
        after.decide(nullWords, noting: &counts.doubts, except: before.watched.map(\.name))
        counts.count(
            before.evaluator.groupDecisions.span, after.evaluator.groupDecisions.span, rows: rows,
            at: (before.group.decisionPlaces, after.group.decisionPlaces), pairs: pairs)
        before.removeAll()
        after.removeAll()
    }
}

/// The number of rows for each pair of decisions.
struct ComparisonCounts: BatchStatistics {
    private(set) var rowCount = 0
    var doubts = DoubtfulValues()
    /// By pair of experiments: by variant before (none first) and variant after (none first), the number of rows; last,
    /// the number of rows that were forced before, or are forced after and had no variant before.
    private var cells: [Int]
    private var layout: [Block] = []

    /// The cells of one pair of experiments.
    private struct Block: Sendable {
        let start: Int
        let oldStates: Int
        let newStates: Int
        var forced: Int { start + oldStates * newStates }
    }

    /// Zeros for the experiments of two plans.
    init(_ comparison: BatchComparison) {
        var start = 0
        for pair in comparison.pairs {
            let block = Block(
                start: start, oldStates: 1 + (pair.old.map { comparison.old.experiments[$0].variants.count } ?? 0),
                newStates: 1 + (pair.new.map { comparison.new.experiments[$0].variants.count } ?? 0))
            layout.append(block)
            start = block.forced + 1
        }
        cells = Array(repeating: 0, count: start)
    }

    /// Counts the decisions of a group of rows.
    ///
    /// - Parameter places: where the decisions by each plan are.
    mutating func count(
        _ before: Span<Decision>, _ after: Span<Decision>, rows: Int,
        at places: (before: DecisionPlaces, after: DecisionPlaces), pairs: [BatchComparison.Pair]
    ) {
        rowCount += rows
        for (pair, block) in zip(pairs, layout) {
            for row in 0..<rows {
                let old = pair.old.map { before[places.before.of($0, row: row)] }
                let new = pair.new.map { after[places.after.of($0, row: row)] }
                // A randomised unit that is now forced is reassigned if its variant differs.
                if old?.reason == .forced || (new?.reason == .forced && old?.variant == nil) {
                    cells[block.forced] += 1
                } else {
                    cells[block.start + (old?.variantRow ?? 0) * block.newStates + (new?.variantRow ?? 0)] += 1
                }
            }
        }
    }

    /// The number of rows with a variant before and a variant after, in a pair of experiments; 0 stands for no
    /// variant.
    func count(pair: Int, from old: Int, to new: Int) -> Int {
        cells[layout[pair].start + old * layout[pair].newStates + new]
    }

    /// The number of rows that are forced before or after.
    func forced(pair: Int) -> Int {
        cells[layout[pair].forced]
    }

    mutating func merge(_ next: Self) {
        rowCount += next.rowCount
        doubts.merge(next.doubts)
        for index in cells.indices { cells[index] += next.cells[index] }
    }
}
