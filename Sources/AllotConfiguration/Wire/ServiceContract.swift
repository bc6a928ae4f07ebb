/// The rules of unit IDs in server, client and core.
public enum UnitContract {
    /// The attribute that holds the unit ID unless a definition names another.
    @inlinable public static var defaultAttribute: String { "user_id" }
    /// The maximum length of a unit ID in bytes of UTF-8; the minimum is 1.
    @inlinable public static var maximumLength: Int { 1024 }

    /// The unit of an experiment that randomises nothing, in definitions and in `meta`. An attribute of this name
    /// cannot be a unit.
    package static let noUnit = "none"
}

/// The paths of the routes that Allot's client requests, as they are mounted on a server.
package enum ServicePath {
    /// The configuration of the user whose ID follows as one more part of the path; without one, that of no user.
    package static let configuration = "/activeconfig/user"
    /// The configuration of the user in the query's item ``userQueryItem``.
    package static let configurationByQuery = "/active_config"
    package static let userQueryItem = "userID"
    /// The ID that stands for no user.
    package static let noUser = "(null)"
    /// The member of a posted body that holds the user's attributes.
    package static let attributesMember = "attributes"
    package static let exposures = "/exposures"
    package static let events = "/events"
}

/// The header fields of answers that are Allot's own.
package enum ServiceHeader {
    /// The whole seconds until the next boundary, rounded up; absent if there is none. Not `max-age`, since a schedule
    /// must not keep clients from asking earlier.
    package static let boundary = "Allot-Boundary"
    /// Names attributes of a request for a configuration that no definition reads.
    package static let unread = "Allot-Unread"
}

/// The messages of `POST /exposures`: `{"exposures": [EVENT…]}`, and the answer.
package enum ExposureMessage {
    package static let exposures = "exposures"

    package enum Event {
        package static let at = "at", attributes = "attributes", experiment = "experiment", id = "id"
        /// Whether the variant, or a value that it sets, was set on the device.
        package static let override = "override"
        package static let reason = "reason", revision = "revision", salt = "salt", unit = "unit", variant = "variant"
        /// The number of the window that decided, of an experiment with a period.
        package static let window = "window"
        package static let all = [
            at, attributes, experiment, id, override, reason, revision, salt, unit, variant, window,
        ]
    }

    package enum Answer {
        package static let duplicates = "duplicates", errors = "errors", stored = "stored"
        package static let error = "error"
        /// The member of an error that says which event it is of, counted from 0.
        package static let index = "index"
        /// The member of an error that says whether the event may be accepted later. If it is false, it never will be.
        package static let retry = "retry"
    }

    package static let defaultReason = "split"
    /// The reasons of exposures that are counted: the units were randomised, or get a winner.
    package static let countedReasons = [defaultReason, "winner"]
    package static let reasons = countedReasons + ["forced", "override"]

    /// Whether an exposure is counted. Forced units and overrides on a device are not: they are kept and shown apart.
    package static func isCounted(reason: String, isOverridden: Bool) -> Bool {
        !isOverridden && countedReasons.contains { UTF8Order.areEqual($0, reason) }
    }

    /// The maximum length of an event's ID in bytes; the minimum is 1.
    package static let maximumIDLength = 128
    /// The maximum length of a reason, and of a revision, in bytes; the minimum is 1.
    package static let maximumNoteLength = 64
    package static let maximumAttributesLength = 4096
    /// The maximum length in bytes of an event's JSON that a client sends, so that many events fit into one request.
    package static let maximumEventLength = 16_384

    /// Whether a store takes a text: SQLite ends texts at U+0000.
    package static func isStorable(_ text: String) -> Bool { !text.utf8.contains(0) }
}
