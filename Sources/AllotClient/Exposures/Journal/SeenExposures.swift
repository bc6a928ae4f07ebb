import AllotConfiguration

/// The fingerprints of all exposures that wait, and of those that were sent last; the oldest of these are forgotten
/// first.
struct SeenExposures: Sendable {
    let limit: Int
    /// The number of events that wait for each exposure: more than one if several processes recorded it.
    private var waiting: [FNV1a.Hash128: Int] = [:]
    private var sent: Set<FNV1a.Hash128> = []
    /// The exposures that were sent, oldest first, since ``oldest``.
    private var order: [FNV1a.Hash128] = []
    private var oldest = 0
    private var unsavedCount = 0

    init(limit: Int) { self.limit = limit }
    /// The exposures that are remembered after they were sent, oldest first.
    var latest: ArraySlice<FNV1a.Hash128> { order[oldest...] }
    /// The latest of them, which are not in a file yet.
    var unsaved: ArraySlice<FNV1a.Hash128> { latest.suffix(unsavedCount) }
    func contains(_ fingerprint: FNV1a.Hash128) -> Bool { waiting[fingerprint] != nil || sent.contains(fingerprint) }
    mutating func noteWaiting(_ fingerprint: FNV1a.Hash128) { waiting[fingerprint, default: 0] += 1 }

    mutating func noteSent(_ fingerprint: FNV1a.Hash128) {
        if let count = waiting[fingerprint] { waiting[fingerprint] = count > 1 ? count - 1 : nil }
        remember(fingerprint)
    }

    mutating func remember(_ fingerprint: FNV1a.Hash128) {
        guard sent.insert(fingerprint).inserted else { return }
        order.append(fingerprint)
        unsavedCount += 1
        while order.count - oldest > limit {
            sent.remove(order[oldest])
            oldest += 1
        }
        if oldest > limit {
            order.removeFirst(oldest)
            oldest = 0
        }
    }

    mutating func noteSaved() { unsavedCount = 0 }
}
