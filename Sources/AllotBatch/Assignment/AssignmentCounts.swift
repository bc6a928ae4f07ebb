@_spi(Groups) import AllotCore

/// The number of rows for each decision.
public struct AssignmentCounts: BatchStatistics, Hashable {
    /// The number of rows.
    public private(set) var rowCount = 0
    /// The number of texts that were too long for the search of a pattern.
    package internal(set) var boundCount = 0
    /// The values that are probably not what they are read as.
    public internal(set) var doubts = DoubtfulValues()
    /// Whether neighbouring rows have the same `user_id`.
    public internal(set) var repeatedUsers = RepeatedUnits()
    /// By experiment, variant (none first) and reason: the number of rows.
    private var cells: [Int]
    /// The index of each experiment's first cell.
    private var starts: [Int] = []

    init(_ plan: Plan) {
        var count = 0
        for experiment in plan.experiments {
            starts.append(count)
            count += (experiment.variants.count + 1) * Reason.count
        }
        cells = Array(repeating: 0, count: count)
    }

    mutating func count(_ decisions: Span<Decision>, _ places: DecisionPlaces, rows: Int, experiments: Span<Int>) {
        rowCount += rows
        let starts = starts
        var cells = cells.mutableSpan
        for position in experiments.indices {
            let experiment = experiments[position]
            let start = starts[experiment]
            for place in places.of(experiment, rows: rows) { cells[start &+ decisions[place].outcomeRow] += 1 }
        }
    }

    private func column(_ experiment: Int, _ reason: Reason) -> [Int] {
        let end = experiment + 1 < starts.count ? starts[experiment + 1] : cells.count
        return stride(from: starts[experiment] + Int(reason.rawValue), to: end, by: Reason.count).map { cells[$0] }
    }

    package func count(experiment: Int, reason: Reason) -> Int { column(experiment, reason).reduce(0, +) }
    /// By variant of an experiment, the number of randomised rows.
    public func splits(experiment: Int) -> [Int] { Array(column(experiment, .split).dropFirst()) }

    /// By variant of an experiment, the number of rows that are assigned it, including forced units and winners.
    public func assigned(experiment: Int) -> [Int] {
        let columns = Reason.allCases.map { column(experiment, $0) }
        return columns[0].indices.dropFirst().map { index in columns.reduce(0) { $0 + $1[index] } }
    }

    mutating func merge(_ next: Self) {
        rowCount += next.rowCount
        boundCount += next.boundCount
        doubts.merge(next.doubts)
        repeatedUsers.merge(next.repeatedUsers)
        for index in cells.indices { cells[index] += next.cells[index] }
    }
}
