import AllotConfiguration

import struct Foundation.Date

/// When the server was last asked for a user's configuration, and when it may be asked again. After a clock was set
/// back the time since a stored moment is negative, which counts as too old.
struct FetchSchedule: Sendable, Hashable {
    /// When the server last sent or confirmed the configuration.
    var succeededAt: Date?
    /// The interval in seconds that the server named for asking again; `nil` if it leaves that to the client.
    var interval: Double?
    /// The time in seconds from then to the next boundary, at which the configuration may change by itself.
    var boundary: Double?
    var refusedAt: Date?
    var retryAfter: Double?
    /// A hash of the user's attributes at that time: other attributes may mean another configuration.
    var attributes = fingerprint(.none)
    /// The name of the server that was asked; `nil` if it is not known.
    var server: String?

    /// The longest interval that a server can set, in seconds: a week. One wrong header must not stop apps for years.
    static let longestInterval = 604_800.0

    /// The age in seconds at which the server is asked again: its interval or the client's own, or an earlier boundary.
    func limit(own: Double) -> Double { min(interval ?? own, boundary ?? .infinity) }

    func isDue(_ limit: Double, for user: ConfigurationUser, now: Date) -> Bool {
        guard let succeededAt, isFor(user) else { return true }
        let age = now.timeIntervalSince(succeededAt)
        return age < 0 || age >= limit
    }

    /// The end of the delay that the server requested. Returns `nil` if it may be asked now.
    func waitUntil(now: Date) -> Date? {
        guard let refusedAt, let retryAfter else { return nil }
        let wait = min(retryAfter, RetryPolicy.longestServerDelay)
        let age = now.timeIntervalSince(refusedAt)
        return age >= 0 && age < wait ? refusedAt.addingTimeInterval(wait) : nil
    }

    mutating func succeed(for user: ConfigurationUser, _ answer: DownloadAnswer, now: Date) {
        self = FetchSchedule(
            succeededAt: now, interval: Self.bounded(answer.interval), boundary: Self.possible(answer.boundary),
            attributes: Self.fingerprint(user))
    }

    func isFor(_ user: ConfigurationUser) -> Bool { attributes == Self.fingerprint(user) }

    mutating func takeRefusal(of other: FetchSchedule) {
        guard let refusedAt = other.refusedAt, refusedAt > self.refusedAt ?? .distantPast else { return }
        self.refusedAt = refusedAt
        retryAfter = other.retryAfter
    }

    private static func bounded(_ interval: Double?) -> Double? { possible(interval).map { min($0, longestInterval) } }
    /// A time in seconds; `nil` for a negative one and NaN.
    private static func possible(_ seconds: Double?) -> Double? { seconds.flatMap { $0 >= 0 ? $0 : nil } }

    mutating func refuse(for seconds: Double, now: Date) {
        refusedAt = now
        retryAfter = seconds >= 0 ? seconds : 0
    }

    private static func fingerprint(_ user: ConfigurationUser) -> String {
        FNV1a.hash64(JSONValue.object(user.attributes).canonicalBytes).hexadecimal
    }
}

extension FetchSchedule {
    var record: [UInt8] {
        CheckedRecord.encode(
            JSONObject(members: [
                "attributes": attributes, "server": server, "succeededAt": succeededAt?.milliseconds,
                "interval": interval, "boundary": boundary, "refusedAt": refusedAt?.milliseconds,
                "retryAfter": retryAfter,
            ]))
    }

    init(record: [UInt8]) throws(StoreError) {
        let object = try JSONObject(
            record: record, consequence: "the stored time of the last request is corrupt, and the server will be asked")
        attributes = object.text("attributes") ?? ""
        server = object.text("server")
        succeededAt = object.date("succeededAt")
        refusedAt = object.date("refusedAt")
        interval = Self.bounded(object["interval"]?.asNumber?.double)
        boundary = Self.possible(object["boundary"]?.asNumber?.double)
        retryAfter = object["retryAfter"]?.asNumber?.double
    }
}
