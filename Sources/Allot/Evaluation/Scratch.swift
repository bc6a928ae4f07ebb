/// What evaluation writes while it decides a group of subjects, in memory that is used again.
struct Scratch: Sendable {
    /// The most subjects of a group.
    let capacity: Int
    /// The decisions, row after row, by the index of the experiment in the plan.
    var decisions: [Decision]
    var gates: GateBuckets
    var forced = ForcedVariants()
    /// The rows that an experiment has left.
    var candidates: [Int32]
    var draws: DrawQueue

    /// The number of experiments of one subject that are hashed together.
    private static let singleQueue = 8

    /// - Parameter groupSize: the most subjects of a group; 0 where each is decided by itself.
    init(_ plan: Plan, groupSize: Int) {
        capacity = max(groupSize, 1)
        decisions = Array(repeating: .none(.noUnit), count: plan.experiments.count * capacity)
        gates = GateBuckets(gates: plan.layers.count + plan.holdouts.count, rows: capacity)
        candidates = Array(repeating: 0, count: capacity)
        draws = DrawQueue(capacity: groupSize > 0 ? groupSize : Self.singleQueue)
    }
}

/// The first buckets of the units of layers and holdouts, hashed when a check first reads them.
struct GateBuckets: Sendable {
    /// Gate after gate, row after row; -1 where there is no unit.
    private var buckets: [Int32]
    /// By gate the group that its buckets are of.
    private var groups: [Int]
    private var group = 0
    private let rows: Int

    init(gates: Int, rows: Int) {
        buckets = Array(repeating: -1, count: gates * rows)
        groups = Array(repeating: 0, count: gates)
        self.rows = rows
    }

    /// Forgets the buckets of the group before.
    @inline(__always)
    mutating func begin() { group &+= 1 }

    /// Whether the buckets of a gate are those of this group.
    @inline(__always)
    func areKnown(_ gate: Int) -> Bool { groups[gate] == group }

    @inline(__always)
    mutating func setKnown(_ gate: Int) { groups[gate] = group }

    /// The bucket of a row's unit; `nil` where there is no unit.
    @inline(__always)
    subscript(gate: Int, row: Int) -> Int? {
        get {
            let bucket = buckets[gate &* rows &+ row]
            return bucket < 0 ? nil : Int(bucket)
        }
        set { buckets[gate &* rows &+ row] = Int32(truncatingIfNeeded: newValue ?? -1) }
    }
}

/// The rows that wait for the hashes of their splits, of one experiment after another: several compressions at once
/// take about half the time of one after another.
struct DrawQueue: Sendable {
    /// The rows of one experiment.
    private struct Run: Sendable {
        let experiment: Int32
        /// The number of rows that wait up to the end of this run.
        let end: Int32
    }

    private var hashes: HashQueue
    private var rows: [Int32]
    private var count = 0
    private var runs: [Run]
    private var runCount = 0

    init(capacity: Int) {
        hashes = HashQueue(capacity: capacity)
        rows = Array(repeating: 0, count: capacity)
        runs = Array(repeating: Run(experiment: 0, end: 0), count: capacity)
    }

    /// Whether that many rows more can wait.
    @inline(__always)
    func hasRoom(for more: Int) -> Bool { count &+ more <= rows.count }

    /// Lets a row wait; there must be room.
    @inline(__always)
    mutating func append(_ row: Int32, of experiment: Int, _ unitID: Span<UInt8>, under salt: borrowing SaltedHash) {
        // In a group of one the row is 0 already.
        if rows[count] != row { rows[count] = row }
        hashes.append(unitID, under: salt)
        end(experiment, 1)
    }

    /// Lets the first `more` candidates wait; there must be room.
    ///
    /// - Parameter unit: where the unit ID of a row stands in `bytes`.
    @inline(__always)
    mutating func append(
        _ more: Int, _ candidates: [Int32], of experiment: Int, from bytes: Span<UInt8>,
        under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>
    ) {
        let candidates = candidates.span
        for position in 0..<more { rows[count &+ position] = candidates[position] }
        hashes.append(more, from: bytes, under: salt) { unit(Int(candidates[$0])) }
        end(experiment, more)
    }

    @inline(__always)
    private mutating func end(_ experiment: Int, _ more: Int) {
        count &+= more
        runs[runCount] = Run(
            experiment: Int32(truncatingIfNeeded: experiment), end: Int32(truncatingIfNeeded: count))
        runCount &+= 1
    }

    /// Hashes all that wait and writes a decision for each.
    @inline(__always)
    mutating func finish(
        _ experiments: [CompiledExperiment], into decisions: inout [Decision], stride: Int,
        _ decide: (CompiledExperiment, BucketPair) -> Decision
    ) {
        guard count > 0 else { return }
        hashes.hash()
        var decisions = decisions.mutableSpan
        var position = 0
        for run in 0..<runCount {
            let (index, end) = (Int(runs[run].experiment), Int(runs[run].end))
            let experiment = experiments[index]
            while position < end {
                decisions[Int(rows[position]) &* stride &+ index] = decide(experiment, hashes[position])
                position &+= 1
            }
        }
        hashes.removeAll()
        runCount = 0
        count = 0
    }

    /// Hashes unit IDs of a layer or holdout; nothing may wait. Their buckets are read before ``forgetHashes()``.
    mutating func hash(
        _ count: Int, _ bytes: Span<UInt8>, under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>
    ) {
        hashes.append(count, from: bytes, under: salt, unit)
        hashes.hash()
    }

    /// The first bucket of a unit ID that was hashed.
    @inline(__always)
    func firstBucket(_ position: Int) -> Int { hashes[position].first }

    mutating func forgetHashes() { hashes.removeAll() }
}
