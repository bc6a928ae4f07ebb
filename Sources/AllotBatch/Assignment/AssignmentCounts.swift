import Allot

/// The number of rows for each decision.
public struct AssignmentCounts: BatchStatistics, Hashable {
    /// The number of rows.
    public private(set) var rowCount = 0
    /// The number of texts that were too long for a pattern to be searched in.
    public private(set) var boundCount = 0
    /// By experiment, variant (none first) and reason: the number of rows.
    private var cells: [Int] = []
    /// The index of each experiment's first cell, and the number of cells.
    private var starts: [Int] = []

    private static let reasonCount = Reason.allCases.count

    /// The counts of no rows.
    public init() {}

    /// Zeros for the experiments of a plan.
    init(_ plan: Plan) {
        starts = [0]
        for experiment in plan.experiments {
            starts.append((starts.last ?? 0) + (experiment.variants.count + 1) * Self.reasonCount)
        }
        cells = Array(repeating: 0, count: starts.last ?? 0)
    }

    mutating func countBounds(_ count: Int) {
        boundCount += count
    }

    /// Counts the decisions of a group of rows on some experiments.
    mutating func count(_ decisions: Span<Decision>, rows: Int, experiments: Span<Int>) {
        rowCount += rows
        let experimentCount = starts.count - 1
        for position in experiments.indices {
            let experiment = experiments[position]
            let start = starts[experiment]
            var index = experiment
            for _ in 0..<rows {
                let decision = decisions[index]
                cells[start &+ decision.variantRow &* Self.reasonCount &+ Int(decision.reason.rawValue)] += 1
                index &+= experimentCount
            }
        }
    }

    /// The cells of an experiment for one reason: none, then its variants. Empty if there was no row.
    private func column(_ experiment: Int, _ reason: Reason) -> [Int] {
        guard !cells.isEmpty else { return [] }
        return stride(from: starts[experiment], to: starts[experiment + 1], by: Self.reasonCount).map {
            cells[$0 + Int(reason.rawValue)]
        }
    }

    /// The number of rows for which an experiment was decided for a reason.
    public func count(experiment: Int, reason: Reason) -> Int {
        column(experiment, reason).reduce(0, +)
    }

    /// By variant of an experiment, the number of randomised rows. Empty if there was no row.
    public func splits(experiment: Int) -> [Int] {
        Array(column(experiment, .split).dropFirst())
    }

    /// By variant of an experiment, the number of rows that are assigned it, including forced units and winners. Empty
    /// if there was no row.
    public func assigned(experiment: Int) -> [Int] {
        let columns = Reason.allCases.map { column(experiment, $0).dropFirst() }
        guard let first = columns.first else { return [] }
        return first.indices.map { index in columns.reduce(0) { $0 + $1[index] } }
    }

    package mutating func merge(_ next: Self) {
        guard !starts.isEmpty else {
            self = next
            return
        }
        guard !next.starts.isEmpty else { return }
        rowCount += next.rowCount
        boundCount += next.boundCount
        for index in cells.indices { cells[index] += next.cells[index] }
    }
}
