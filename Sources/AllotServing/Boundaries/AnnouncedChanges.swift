import AllotConfiguration
import AllotCore

/// A change that a client knows from `GET /events`, perhaps of another server, as OFREP's clients send it back.
struct AnnouncedChange: Sendable {
    /// The event's `etag`, which is the `id` of a ``PlanChange``; `nil` if the client does not send it.
    let tag: String?
    /// The event's `lastModified`, in seconds since 1970; `nil` if the client does not send it.
    let lastModified: Int64?
}

extension AnnouncedChange {
    /// Reads the items of a query; others are ignored. Returns `nil` if they name no change.
    init?(_ items: [(name: String, value: String)]) throws(RequestFailure) {
        var (tag, lastModified): (String?, Int64?)
        for (name, value) in items {
            switch name {
            case "flagConfigEtag" where !value.isEmpty: tag = value
            case "flagConfigLastModified":
                let isNumber = !value.isEmpty && value.utf8.allSatisfy(\.isDigit)
                guard let seconds = isNumber ? Int64(value) ?? Int64.max : Instant(value)?.seconds else {
                    throw RequestFailure(
                        .badRequest,
                        "flagConfigLastModified is neither a number of seconds since 1970 nor an RFC 3339 instant; "
                            + "send what the event says")
                }
                lastModified = seconds
            default: break
            }
        }
        guard tag != nil || lastModified != nil else { return nil }
        self.init(tag: tag, lastModified: lastModified)
    }
}

/// The changes that clients know from other servers and this one does not have yet. A late server that answered as it
/// is would give old flags as new; it refuses until it has the change, but not for long, as that may never come.
struct AnnouncedChanges: Sendable {
    /// The time in seconds to wait for a change. Pods get a changed ConfigMap up to a minute apart.
    static let patience: Int64 = 90
    /// The longest delay in seconds after which a client is to ask again.
    static let longestDelay: Int64 = 5
    /// The number of changes that are remembered. Another one takes the place of the oldest.
    static let limit = 1000
    /// The hash of the name of each change, and when it was first announced, in seconds since 1970; the oldest first.
    private var heard: [(key: UInt64, since: Int64)] = []

    /// The delay in seconds after which a client that knows a change is to ask again. Returns `nil` if it is answered
    /// now: the change is here, it is older than what is here, or the wait was long enough.
    mutating func delay(for change: AnnouncedChange, _ present: PlanChange, at now: Instant) -> Int64? {
        guard Self.isMissing(change, in: present) else { return nil }
        let waited = now.seconds - firstHeard(of: change, at: now)
        // A clock that is set back ends the wait.
        guard (0..<Self.patience).contains(waited) else { return nil }
        return min(max(waited, 1), Self.longestDelay, Self.patience - waited)
    }

    private static func isMissing(_ change: AnnouncedChange, in present: PlanChange) -> Bool {
        if let tag = change.tag {
            if UTF8Order.areEqual(tag, present.id) { return false }
            let revision = tag.prefix { $0 != "@" }
            if revision != present.active.plan.revision {
                // Servers load one revision at different times, by clocks that differ. A late server may have started
                // after the change, or have just loaded a revision that the others have already rolled back.
                return change.lastModified.map { $0 > present.active.loadedAt.seconds - patience } ?? true
            }
        }
        return change.lastModified.map { $0 > present.lastModified } ?? false
    }

    private mutating func firstHeard(of change: AnnouncedChange, at now: Instant) -> Int64 {
        // With the time, since a revision may be rolled out more than once.
        let name = "\(change.lastModified?.description ?? "") \(change.tag ?? "")"
        let key = FNV1a.hash64(Array(name.utf8))
        if let known = heard.first(where: { $0.key == key }) { return known.since }
        if heard.count == Self.limit { heard.removeFirst() }
        heard.append((key, now.seconds))
        return now.seconds
    }
}
