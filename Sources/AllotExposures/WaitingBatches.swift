/// The batches that wait to be stored, and the end of the store.
struct WaitingBatches {
    /// The answer to the caller of a batch.
    typealias Answer = Result<[ExposureOutcome], ExposureStoreError>

    /// The exposures of one caller; all are stored or none.
    struct Batch: Sendable {
        let exposures: [Exposure]
        let caller: CheckedContinuation<Answer, Never>
    }

    /// The exposures that wait or are being written.
    private(set) var count = 0
    private var waiting: [Batch] = []
    private var isWriting = false
    private var closing: Task<Void, Never>?
    private var idle: CheckedContinuation<Void, Never>?

    var isOpen: Bool { closing == nil }

    /// Accepts a batch. A batch above the limit is accepted if no other waits: otherwise it could never be stored.
    mutating func add(_ batch: Batch, limit: Int) throws(ExposureStoreError) {
        guard isOpen else { throw .closed }
        guard count == 0 || count + batch.exposures.count <= limit else { throw .overloaded }
        waiting.append(batch)
        count += batch.exposures.count
    }

    /// Whether the caller has to start writing.
    mutating func beginWriting() -> Bool {
        guard !isWriting, !waiting.isEmpty else { return false }
        isWriting = true
        return true
    }

    /// The batches of the next transaction, at most `limit` exposures unless the first batch alone has more.
    ///
    /// If there are none, the writing has ended, and the caller resumes `idle`.
    mutating func takeBatches(limit: Int) -> (batches: [Batch], idle: CheckedContinuation<Void, Never>?) {
        var (taken, count) = (0, 0)
        while taken < waiting.count {
            count += waiting[taken].exposures.count
            if taken > 0, count > limit { break }
            taken += 1
        }
        guard taken > 0 else {
            isWriting = false
            defer { idle = nil }
            return ([], idle)
        }
        let batches = Array(waiting[..<taken])
        waiting.removeFirst(taken)
        return (batches, nil)
    }

    /// Removes batches that were stored, or that failed.
    mutating func finish(_ batches: [Batch]) { count -= batches.reduce(0) { $0 + $1.exposures.count } }

    /// Refuses new batches. Returns the one task that closes the store.
    mutating func close(with task: () -> Task<Void, Never>) -> Task<Void, Never> {
        let closing = closing ?? task()
        self.closing = closing
        return closing
    }

    /// Whether no batch is left to store; if one is, the continuation is kept until then.
    mutating func isIdle(orResume continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard isWriting || !waiting.isEmpty else { return true }
        idle = continuation
        return false
    }
}
