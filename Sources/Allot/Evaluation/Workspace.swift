/// What an evaluation writes while it decides a group of subjects, in memory that is used again.
struct Workspace: Sendable {
    /// The most subjects of a group; 0 where each is decided by itself.
    let capacity: Int
    /// The decisions, row after row, by the index of the experiment in the plan.
    var decisions: [Decision]
    /// Row after row the first bucket of the unit of each layer, then of each holdout; -1 where there is no unit.
    var gateBuckets: [Int32]
    /// Where the subjects are forced, one subject's entries after another's.
    var forced: [PlanCore.Forced] = []
    /// By row where its entries of `forced` end; empty in a plan without forced units.
    var forcedEnds: [Int] = []
    /// The rows that an experiment has not refused yet.
    var candidates: [Int32]
    var queue: HashQueue
    /// The experiments whose hashes are in the queue, where each subject is decided by itself.
    var queued: [Int32] = []

    /// How many experiments of one subject are hashed together.
    static let singleQueue = 8

    /// A bucket that nobody has asked for yet.
    static let unknownBucket: Int32 = -2

    init(_ plan: Plan, capacity: Int) {
        self.capacity = capacity
        decisions = Array(repeating: .none(.noUnit), count: plan.experiments.count * max(capacity, 1))
        gateBuckets = Array(repeating: 0, count: (plan.layers.count + plan.holdouts.count) * max(capacity, 1))
        candidates = Array(repeating: 0, count: capacity)
        queue = HashQueue(capacity: capacity > 0 ? capacity : Self.singleQueue)
    }

    /// The variant that an experiment forces on a row's subject.
    func forcedVariant(of experiment: Int, row: Int) -> Int? {
        for entry in forced[forcedRange(row)] where entry.experiment == experiment { return entry.variant }
        return nil
    }

    /// Whether a row's subject is forced anywhere.
    @inline(__always)
    func isForced(row: Int) -> Bool {
        !forced.isEmpty && !forcedRange(row).isEmpty
    }

    @inline(__always)
    private func forcedRange(_ row: Int) -> Range<Int> {
        (row == 0 ? 0 : forcedEnds[row - 1])..<forcedEnds[row]
    }
}
