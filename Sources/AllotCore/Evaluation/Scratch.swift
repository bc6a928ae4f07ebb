/// The working memory of evaluation while it decides a group of subjects, which is used again.
struct Scratch: Sendable {
    let capacity: Int
    /// The decisions, in their ``places``.
    var decisions: [Decision]
    var gates: GateBuckets
    var forced = ForcedVariants()
    var candidates: [Int32]
    var draws: DrawQueue
    var joined: JoinedUnits
    var together = HashQueue(capacity: togetherCount)
    /// The most hashes of one experiment that is decided alone that are made together.
    static let togetherCount = 4
    /// The number of experiments of one subject that are hashed together.
    private static let singleQueue = 16

    @inline(__always) var places: DecisionPlaces { DecisionPlaces(capacity: capacity) }

    /// - Parameter groupSize: the most subjects of a group; 0 where each is decided by itself.
    init(_ plan: Plan, groupSize: Int) {
        capacity = max(groupSize, 1)
        decisions = Array(repeating: .none(.noUnit), count: plan.experiments.count * capacity)
        gates = GateBuckets(gates: plan.layers.count + plan.holdouts.count, rows: capacity)
        candidates = Array(repeating: 0, count: groupSize)
        joined = JoinedUnits(plan.compiled.composites.count, rows: capacity)
        draws = DrawQueue(capacity: groupSize > 0 ? groupSize : Self.singleQueue)
    }
}

/// The buckets of the units of layers and holdouts, hashed when a check first reads them.
struct GateBuckets: Sendable {
    /// Gate after gate, row after row.
    private var buckets: [Int]
    private let rows: Int
    /// By gate the number of the group that its buckets are of, so that forgetting them takes no loop over all gates.
    private var groups: [Int]
    private var group = 1
    private static let noUnit = -1

    init(gates: Int, rows: Int) {
        buckets = Array(repeating: Self.noUnit, count: gates * rows)
        groups = Array(repeating: 0, count: gates)
        self.rows = rows
    }

    @inline(__always) mutating func removeAll() { group &+= 1 }
    @inline(__always) func areKnown(_ gate: Int) -> Bool { groups[gate] == group }
    @inline(__always) mutating func setKnown(_ gate: Int) { groups[gate] = group }

    /// The bucket of a row's unit; `nil` where there is no unit.
    @inline(__always) subscript(gate: Int, row: Int) -> Int? {
        get {
            let bucket = buckets[gate &* rows &+ row]
            return bucket < 0 ? nil : bucket
        }
        set { buckets[gate &* rows &+ row] = newValue ?? Self.noUnit }
    }
}

/// The rows that wait for the hashes of their splits, of one experiment after another: several compressions at once
/// take about half the time of one after another.
struct DrawQueue: Sendable {
    private struct Draw: Sendable {
        let experiment: Int32
        let row: Int32

        @inline(__always) init(_ experiment: Int, _ row: Int32) {
            (self.experiment, self.row) = (Int32(truncatingIfNeeded: experiment), row)
        }
    }

    private var hashes: HashQueue
    /// The use of each unit ID of `hashes`.
    private var draws: [Draw]
    private var variants: BucketedVariants

    init(capacity: Int) {
        hashes = HashQueue(capacity: capacity)
        draws = Array(repeating: Draw(0, 0), count: capacity)
        variants = BucketedVariants(capacity: capacity)
    }

    @inline(__always) func hasRoom(for more: Int) -> Bool { hashes.count &+ more <= draws.count }

    /// Lets a row wait; there must be room.
    @inline(__always)
    mutating func append(_ row: Int32, of experiment: Int, _ unitID: Span<UInt8>, under salt: borrowing SaltedHash) {
        draws[hashes.count] = Draw(experiment, row)
        hashes.append(unitID, under: salt)
    }

    /// Lets the first `more` candidates wait, whose unit IDs stand in `bytes`; there must be room.
    @inline(__always) mutating func append(
        _ more: Int, _ candidates: [Int32], of experiment: Int, from bytes: Span<UInt8>,
        under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>
    ) {
        let candidates = candidates.span
        for position in 0..<more { draws[hashes.count &+ position] = Draw(experiment, candidates[position]) }
        hashes.append(more, from: bytes, under: salt) { unit(Int(candidates[$0])) }
    }

    /// Hashes all that wait and writes a decision for each. Several units of one experiment are decided by `find`,
    /// unless it returns `false`, and others one by one.
    @inline(__always) mutating func finish(
        into decisions: inout [Decision], _ places: DecisionPlaces,
        _ find: (_ experiment: Int, _ firsts: Span<UInt32>, _ seconds: Span<UInt32>, inout BucketedVariants) -> Bool,
        _ decide: (_ experiment: Int, _ row: Int, BucketPair) -> Decision
    ) {
        guard hashes.count > 0 else { return }
        hashes.hash()
        var decisions = decisions.mutableSpan
        var start = 0
        while start < hashes.count {
            let experiment = draws[start].experiment
            var end = start &+ 1
            while end < hashes.count, draws[end].experiment == experiment { end &+= 1 }
            let index = Int(experiment)
            let first = places.of(index, row: 0)
            if end &- start > 1, hashes.withBuckets(start..<end, { find(index, $0, $1, &variants) }) {
                for position in start..<end {
                    decisions[first &+ Int(draws[position].row)] = variants.decision(
                        position &- start, second: hashes.second(position))
                }
            } else {
                for position in start..<end {
                    let row = Int(draws[position].row)
                    decisions[first &+ row] = decide(index, row, hashes[position])
                }
            }
            start = end
        }
        hashes.removeAll()
    }

    mutating func hash(
        _ count: Int, _ bytes: Span<UInt8>, under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>
    ) {
        hashes.append(count, from: bytes, under: salt, unit)
        hashes.hash()
    }

    @inline(__always) func firstBucket(_ position: Int) -> Int { hashes[position].first }
    mutating func forgetHashes() { hashes.removeAll() }
}
