import Allot

/// How often each pair of decisions was made.
struct ComparisonCounts: BatchStatistics {
    private(set) var rowCount = 0
    /// By pair of experiments: by variant before (none first) and variant after (none first), how often; at last the
    /// rows that were forced before, or are forced now and held nothing.
    private var cells: [Int] = []
    private var layout: [Block] = []
    private var oldCount = 0
    private var newCount = 0

    /// The cells of one pair of experiments.
    private struct Block: Sendable {
        let start: Int
        let oldStates: Int
        let newStates: Int
        var forced: Int { start + oldStates * newStates }
    }

    init() {}

    /// Zeros for the experiments of two plans.
    init(_ comparison: BatchComparison) {
        oldCount = comparison.old.experiments.count
        newCount = comparison.new.experiments.count
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
    mutating func count(
        _ before: Span<Decision>, _ after: Span<Decision>, rows: Int, pairs: [BatchComparison.Pair]
    ) {
        rowCount += rows
        for (pair, block) in zip(pairs, layout) {
            for row in 0..<rows {
                let old = pair.old.map { before[row * oldCount + $0] }
                let new = pair.new.map { after[row * newCount + $0] }
                // A unit that was drawn and is now forced has moved, if to another variant.
                if old?.reason == .forced || (new?.reason == .forced && old?.variant == nil) {
                    cells[block.forced] += 1
                } else {
                    cells[block.start + (old?.variantRow ?? 0) * block.newStates + (new?.variantRow ?? 0)] += 1
                }
            }
        }
    }

    /// How many rows had one state before and one after, in a pair of experiments; 0 is none, then the variants.
    func count(pair: Int, from old: Int, to new: Int) -> Int {
        guard !layout.isEmpty else { return 0 }
        return cells[layout[pair].start + old * layout[pair].newStates + new]
    }

    /// How many rows are forced before or after.
    func forced(pair: Int) -> Int {
        layout.isEmpty ? 0 : cells[layout[pair].forced]
    }

    mutating func merge(_ next: Self) {
        guard !layout.isEmpty else {
            self = next
            return
        }
        guard !next.layout.isEmpty else { return }
        rowCount += next.rowCount
        for index in cells.indices { cells[index] += next.cells[index] }
    }
}
