import Allot

/// How often each decision was made.
public struct AssignmentCounts: BatchStatistics, Hashable {
    /// The number of rows.
    public private(set) var rowCount = 0
    /// How often text was too long for a pattern to be searched for.
    public private(set) var boundCount = 0
    /// By experiment and reason.
    private var reasons: [Int] = []
    /// By experiment and variant, for variants that were drawn.
    private var splits: [[Int]] = []
    /// By experiment and variant, for variants that are held for whatever reason.
    private var held: [[Int]] = []

    /// The counts of nothing.
    public init() {}

    /// Zeros for the experiments of a plan.
    init(_ plan: Plan) {
        reasons = Array(repeating: 0, count: plan.experiments.count * Reason.allCases.count)
        splits = plan.experiments.map { Array(repeating: 0, count: $0.variants.count) }
        held = splits
    }

    @inline(__always)
    mutating func countRow() {
        rowCount += 1
    }

    mutating func countBounds(_ count: Int) {
        boundCount += count
    }

    @inline(__always)
    mutating func count(_ experiment: Int, _ decision: Decision) {
        reasons[experiment * Reason.allCases.count + Int(decision.reason.rawValue)] += 1
        guard let variant = decision.variant else { return }
        held[experiment][variant] += 1
        if decision.reason == .split { splits[experiment][variant] += 1 }
    }

    /// How often an experiment was decided for a reason.
    public func count(experiment: Int, reason: Reason) -> Int {
        reasons.isEmpty ? 0 : reasons[experiment * Reason.allCases.count + Int(reason.rawValue)]
    }

    /// How often each variant of an experiment was drawn at random; empty when there was no row.
    public func splits(experiment: Int) -> [Int] {
        splits.isEmpty ? [] : splits[experiment]
    }

    /// How often each variant of an experiment is held, forced units and winners among them.
    public func held(experiment: Int) -> [Int] {
        held.isEmpty ? [] : held[experiment]
    }

    public mutating func merge(_ next: Self) {
        guard !reasons.isEmpty else { return self = next }
        guard !next.reasons.isEmpty else { return }
        rowCount += next.rowCount
        boundCount += next.boundCount
        for index in reasons.indices { reasons[index] += next.reasons[index] }
        for index in splits.indices {
            for variant in splits[index].indices {
                splits[index][variant] += next.splits[index][variant]
                held[index][variant] += next.held[index][variant]
            }
        }
    }
}
