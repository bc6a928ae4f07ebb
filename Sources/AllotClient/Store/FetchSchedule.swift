import AllotConfiguration

import struct Foundation.Date

/// When the server was last asked for a user, and when it may be asked again.
///
/// All times are ages from a moment that was written down: a clock that was set back makes a negative age, which counts as
/// too old, and never as a wait of a year.
struct FetchSchedule: Sendable, Hashable {
    /// When the server last gave or confirmed the configuration.
    var succeededAt: Date?
    /// How long it need not be asked again since, in seconds, by its own word.
    var interval: Double?
    /// When the server asked to be left alone.
    var refusedAt: Date?
    /// For how long, in seconds.
    var retryAfter: Double?
    /// What was known of the user when the server was asked: other attributes may mean another configuration.
    var attributes = Checksum.text(of: JSONValue.object([:]).canonicalBytes)

    /// The longest that a server's word counts of how long it need not be asked: a week. One wrong header must not hold
    /// apps off for years.
    static let longestInterval = 604_800.0

    /// Whether the last success is as old as a limit, in seconds.
    func isDue(_ limit: Double, for user: ConfigurationUser, now: Date) -> Bool {
        guard let succeededAt, isFor(user) else { return true }
        let age = now.timeIntervalSince(succeededAt)
        return age < 0 || age >= limit
    }

    /// Until when the server asked to be left alone; `nil` when it may be asked.
    func waitUntil(now: Date) -> Date? {
        guard let refusedAt, let retryAfter else { return nil }
        let wait = min(retryAfter, RetryPolicy.longestServerDelay)
        let age = now.timeIntervalSince(refusedAt)
        return age >= 0 && age < wait ? refusedAt.addingTimeInterval(wait) : nil
    }

    /// The server gave or confirmed the configuration.
    mutating func succeed(for user: ConfigurationUser, interval: Double?, now: Date) {
        self = FetchSchedule(succeededAt: now, interval: Self.bounded(interval), attributes: Self.fingerprint(user))
    }

    /// Whether the last success was for what is known of the user now.
    func isFor(_ user: ConfigurationUser) -> Bool {
        attributes == Self.fingerprint(user)
    }

    /// Takes over from the schedule of another user how long the server wants to be left alone.
    mutating func takeRefusal(of other: FetchSchedule) {
        guard let refusedAt = other.refusedAt, refusedAt > self.refusedAt ?? .distantPast else { return }
        self.refusedAt = refusedAt
        retryAfter = other.retryAfter
    }

    private static func bounded(_ interval: Double?) -> Double? {
        interval.flatMap { $0 >= 0 ? min($0, longestInterval) : nil }
    }

    /// The server asked to be left alone.
    mutating func refuse(for seconds: Double, now: Date) {
        refusedAt = now
        retryAfter = seconds >= 0 ? seconds : 0
    }

    private static func fingerprint(_ user: ConfigurationUser) -> String {
        Checksum.text(of: JSONValue.object(user.attributes).canonicalBytes)
    }
}

extension FetchSchedule {
    /// The record's bytes.
    var record: [UInt8] {
        var object: JSONObject = ["attributes": .string(attributes)]
        object["succeededAt"] = succeededAt.map { .number(JSONNumber($0.milliseconds)) }
        object["interval"] = interval.flatMap(JSONNumber.init).map(JSONValue.number)
        object["refusedAt"] = refusedAt.map { .number(JSONNumber($0.milliseconds)) }
        object["retryAfter"] = retryAfter.flatMap(JSONNumber.init).map(JSONValue.number)
        return CheckedRecord.encode(JSONValue.object(object).canonicalBytes)
    }

    /// Reads a record.
    init(record: [UInt8]) throws(StoreError) {
        let object = try JSONObject(
            record: record, consequence: "what is kept of the last request is corrupt, and the server will be asked")
        attributes = object.text("attributes") ?? ""
        succeededAt = object.milliseconds("succeededAt")
        refusedAt = object.milliseconds("refusedAt")
        interval = Self.bounded(object.seconds("interval"))
        retryAfter = object.seconds("retryAfter")
    }
}

extension JSONObject {
    /// A number of seconds.
    fileprivate func seconds(_ name: String) -> Double? {
        guard case .number(let number)? = self[name] else { return nil }
        return number.double
    }
}
