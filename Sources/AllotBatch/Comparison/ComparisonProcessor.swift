@_spi(Groups) import AllotCore

struct ComparisonProcessor: ChunkProcessor {
    private let pairs: [BatchComparison.Pair]
    private let nullWords: NullWords
    private let emptyCounts: ComparisonCounts
    private var parser: CSVRecordParser
    private var before: PlanRows
    private var after: PlanRows

    private struct PlanRows {
        var evaluator: Evaluator
        var group: RowGroup
        var bytes: [UInt8] = []
        let watched: [WatchedColumn]

        init(_ plan: Plan, at instant: Instant, columns: ColumnMap, keeping kept: [Int] = []) {
            watched = columns.watched
            group = RowGroup(columns, keeping: kept, for: plan)
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

    init(_ comparison: BatchComparison, _ emptyCounts: ComparisonCounts, before: ColumnMap, after: ColumnMap) {
        pairs = comparison.pairs
        nullWords = NullWords(comparison.nullWords)
        self.emptyCounts = emptyCounts
        parser = CSVRecordParser(columnCount: before.columnCount, delimiter: before.delimiter)
        self.before = PlanRows(
            comparison.old, at: comparison.instant, columns: before, keeping: emptyCounts.units.flatMap(\.columns))
        self.after = PlanRows(comparison.new, at: comparison.instant, columns: after)
    }

    mutating func process(_ chunk: Span<UInt8>, into output: inout ChunkOutput) throws(RowProblem) -> ComparisonCounts {
        var counts = emptyCounts
        let limit = min(before.group.capacity, after.group.capacity)
        parser.start()
        while parser.next(in: chunk) {
            if let problem = parser.problem { throw problem }
            before.append(parser, of: chunk)
            after.append(parser, of: chunk)
            if before.group.count == limit { count(&counts, chunk) }
        }
        count(&counts, chunk)
        output.longFields = parser.longFields.counted(in: chunk)
        return counts
    }

    /// Decides, counts and removes the collected rows.
    private mutating func count(_ counts: inout ComparisonCounts, _ chunk: Span<UInt8>) {
        let rows = before.group.count
        guard rows > 0 else { return }
        before.decide(nullWords, noting: &counts.doubts, except: [])
        // Columns of both plans are counted once.
        after.decide(nullWords, noting: &counts.doubts, except: before.watched.map(\.name))
        for row in 0..<rows { counts.addUnits { before.group.field(row, $0).unitHash(in: chunk, missing: nullWords) } }
        counts.add(
            before.evaluator.groupDecisions.span, after.evaluator.groupDecisions.span, rows: rows,
            at: (before.group.decisionPlaces, after.group.decisionPlaces), pairs: pairs)
        before.removeAll()
        after.removeAll()
    }
}

/// The number of units for each pair of decisions. The rows of a chunk are counted when the rows before them are: only
/// then is it known which of them are the first of their unit.
struct ComparisonCounts: BatchStatistics {
    /// Units that are in the same columns.
    struct Units: Sendable {
        /// Their columns: several for joined units and where the unit changes; none where each row is a unit.
        let columns: [Int]
        fileprivate(set) var pairs: [Int] = []
        fileprivate(set) var count = 0
        fileprivate(set) var repeatCount = 0
        /// Hashes of those that were counted.
        private var seen: Set<UInt64> = []

        init(_ columns: [Int]) { self.columns = columns }

        /// Counts the unit of a row. Returns whether the row is the first of its unit.
        fileprivate mutating func add(_ hash: UInt64?) -> Bool {
            if !columns.isEmpty {
                guard let hash else { return false }
                guard seen.insert(hash).inserted else {
                    repeatCount += 1
                    return false
                }
            }
            count += 1
            return true
        }
    }

    private(set) var rowCount = 0
    var doubts = DoubtfulValues()
    /// The units; first those that the file lists.
    private(set) var units: [Units]
    /// By pair of experiments: by variant before (none first) and variant after (none first), the number of units;
    /// last, the number of units that were forced before, or are forced after and had no variant before.
    private var cells: [Int]
    private var layout: [Block] = []
    /// By row of a chunk and units, the hash of the unit; `nil` for none.
    private var rowUnits: [UInt64?] = []
    private var rowCells: [UInt32] = []

    private struct Block: Sendable {
        let start: Int
        let oldStates: Int
        let newStates: Int
        let units: Int
        var forced: Int { start + oldStates * newStates }
    }

    /// Zeros for the experiments of two plans.
    init(_ comparison: BatchComparison, before: ColumnMap, after: ColumnMap) {
        let listed =
            before.userColumn.map { [$0] } ?? (before.columnsOfUnits + after.columnsOfUnits).first { !$0.isEmpty }
        var units = [Units(listed ?? [])]
        var start = 0
        for (index, pair) in comparison.pairs.enumerated() {
            let columns = Set(
                (pair.old.map { before.columnsOfUnits[$0] } ?? []) + (pair.new.map { after.columnsOfUnits[$0] } ?? [])
            ).sorted()
            let place = columns.isEmpty ? 0 : units.firstIndex { $0.columns == columns } ?? units.count
            if place == units.count { units.append(Units(columns)) }
            units[place].pairs.append(index)
            let block = Block(
                start: start, oldStates: 1 + (pair.old.map { comparison.old.experiments[$0].variants.count } ?? 0),
                newStates: 1 + (pair.new.map { comparison.new.experiments[$0].variants.count } ?? 0), units: place)
            layout.append(block)
            start = block.forced + 1
        }
        self.units = units
        cells = Array(repeating: 0, count: start)
    }

    /// Adds the units of a row, by the hashes of the values in the columns of all units.
    mutating func addUnits(_ hash: (_ kept: Int) -> UInt64?) {
        rowCount += 1
        var kept = 0
        for kind in units {
            var unit: UInt64?
            for _ in kind.columns {
                // The index tells apart two columns of which one has a value.
                if let value = hash(kept) { unit = ByteHash.hash(unit ?? UInt64(kept), value) }
                kept += 1
            }
            rowUnits.append(unit)
        }
    }

    mutating func add(
        _ before: Span<Decision>, _ after: Span<Decision>, rows: Int,
        at places: (before: DecisionPlaces, after: DecisionPlaces), pairs: [BatchComparison.Pair]
    ) {
        for row in 0..<rows {
            for (pair, block) in zip(pairs, layout) {
                let old = pair.old.map { before[places.before.of($0, row: row)] }
                let new = pair.new.map { after[places.after.of($0, row: row)] }
                // A randomised unit that is now forced is reassigned if its variant differs.
                let isForced = old?.reason == .forced || (new?.reason == .forced && old?.variant == nil)
                let state = (old?.variantRow ?? 0) * block.newStates + (new?.variantRow ?? 0)
                rowCells.append(UInt32(isForced ? block.forced : block.start + state))
            }
        }
    }

    /// The number of units with a variant before and after, in a pair of experiments; 0 stands for no variant.
    func count(pair: Int, from old: Int, to new: Int) -> Int {
        cells[layout[pair].start + old * layout[pair].newStates + new]
    }

    /// The number of units that are forced by either plan.
    func forced(pair: Int) -> Int { cells[layout[pair].forced] }
    func unitCount(pair: Int) -> Int { units[layout[pair].units].count }

    mutating func merge(_ next: Self) {
        rowCount += next.rowCount
        doubts.merge(next.doubts)
        for row in 0..<next.rowCount {
            for index in units.indices {
                let isFirst = units[index].add(next.rowUnits[row * units.count + index])
                for pair in units[index].pairs where isFirst {
                    cells[Int(next.rowCells[row * layout.count + pair])] += 1
                }
            }
        }
    }
}
