internal import AllotConfiguration

/// One unit that has met one variant. `Sendable`.
///
/// No text may contain U+0000, at which databases end a text: ``ExposureStore/record(_:)`` refuses such an exposure.
/// Texts are compared by their UTF-8 bytes: the two ways in which Unicode writes "é" are two units.
///
/// ```swift
/// var exposure = Exposure(
///     unit: "user-42", experiment: "buy-button", salt: "buy-button", variant: "green", at: 1_795_262_400_000)
/// exposure.revision = "1f0c2a3b4c5d6e7f"
/// ```
///
/// A store keeps one exposure of each identity: experiment, salt, unit, variant, window, and whether it ``isCounted``.
public struct Exposure: Sendable, Hashable {
    /// The reason why the time that the sender gave is not believed.
    public enum Doubt: String, Sendable, CaseIterable {
        /// The time is before the experiment's start.
        case beforeStart = "before-start"
        /// The time is longer ago than the server believes.
        case tooOld = "too-old"
    }

    /// The event's ID, if its sender gave one: an event whose ID is stored with another identity changes nothing.
    public var id: String?
    /// The unit's ID.
    public var unit: String
    /// The experiment's key.
    public var experiment: String
    /// The text at the start of the experiment's hashes; with the key it names the randomisation.
    public var salt: String
    /// The variant's key.
    public var variant: String
    /// The number of the window that decided, 0 or more; `nil` for an experiment without a period.
    public var window: Int64?
    /// The revision of the experiment's definition; `nil` if unknown.
    public var revision: String?
    /// The reason of the assignment: `split`, `winner`, `forced`, …
    public var reason: String
    /// Whether the variant, or a value that it sets, was set on the device.
    public var isOverridden = false
    /// The instant by which it is analysed, in milliseconds since 1970, UTC; within the years 0 to 9999.
    public var at: Int64
    /// The instant at which the server received it, by the server's clock; as ``at``.
    public var receivedAt: Int64
    /// The doubt about ``reportedAt``; `nil` if ``at`` is the sender's time.
    public var doubt: Doubt?
    /// The time that the sender gave, if it is in doubt; ``at`` is then the server's.
    public var reportedAt: Int64?
    /// Further attributes of the event, as the canonical text of a JSON object.
    public var attributes: String?
    /// The part that a definition confirms, as far as the server knows that received it; it is not stored.
    package var confirmation = Confirmation.whole

    /// The part of an exposure that a definition has.
    package enum Confirmation: Sendable {
        /// Experiment, salt and variant, and the revision if it names one.
        case whole
        /// Experiment, salt and variant, but not the revision.
        case arm
        /// None of these.
        case nothing

        /// The most revisions of a variant that no definition has had: counts list each of them.
        package static let revisionLimit = 100
    }

    /// Creates an exposure whose time is not in doubt.
    ///
    /// - Parameters:
    ///   - id: the event's ID, if it has one.
    ///   - unit: the unit's ID.
    ///   - experiment: the experiment's key.
    ///   - salt: the salt of the randomisation.
    ///   - variant: the variant's key.
    ///   - reason: the reason of the assignment.
    ///   - at: when, in milliseconds since 1970, UTC.
    ///   - receivedAt: when the server received it; `nil` for the time of the exposure.
    public init(
        id: String? = nil, unit: String, experiment: String, salt: String, variant: String,
        reason: String = "split", at: Int64, receivedAt: Int64? = nil
    ) {
        self.id = id
        self.unit = unit
        self.experiment = experiment
        self.salt = salt
        self.variant = variant
        self.reason = reason
        self.at = at
        self.receivedAt = receivedAt ?? at
    }

    /// Whether it belongs into analyses: the definition decided for the unit.
    public var isCounted: Bool { ExposureMessage.isCounted(reason: reason, isOverridden: isOverridden) }

    /// The window as a store's identity has it: -1 for none, because databases hold no two nulls for equal.
    package var storedWindow: Int64 { window ?? -1 }
    package var rank: ExposureRank { ExposureRank(isInDoubt: doubt != nil, at: at) }

    /// The reason why the exposure cannot be stored; `nil` if it can.
    package var fault: String? {
        for (name, text) in [
            ("unit", unit), ("experiment", experiment), ("salt", salt), ("variant", variant), ("revision", revision),
            ("reason", reason), ("id", id), ("attributes", attributes),
        ] where text.map(ExposureMessage.isStorable) == false {
            return "its \(name) contains U+0000; leave that character out"
        }
        if let window, window < 0 { return "its window, \(window), is below 0; windows are counted from 0" }
        if let attributes, attributes.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            return "its attributes contain a line break; write them as canonical JSON, on one line"
        }
        let times = Instant.writable.lowerBound.milliseconds...Instant.writable.upperBound.milliseconds
        for time in [at, receivedAt, reportedAt] {
            guard let time, !times.contains(time) else { continue }
            return "its time, \(time), is outside the years 0 to 9999; give milliseconds since 1970"
        }
        return nil
    }

    /// The reason why the attributes cannot be exported as JSON; `nil` if they can, as those that a server made.
    var faultOfAttributes: String? {
        guard let attributes else { return nil }
        if case .object? = try? JSONValue(parsing: Array(attributes.utf8)) { return nil }
        return "its attributes are not the text of a JSON object"
    }
}

/// The place of an exposure among those of its identity, of which the least is kept: those without a doubt come first,
/// then the earlier ones. The order of arrival makes no difference.
package struct ExposureRank: Sendable, Comparable {
    let isInDoubt: Bool
    /// In milliseconds since 1970, UTC.
    let at: Int64

    package init(isInDoubt: Bool, at: Int64) {
        self.isInDoubt = isInDoubt
        self.at = at
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.isInDoubt == right.isInDoubt ? left.at < right.at : right.isInDoubt
    }
}

/// The result of storing an exposure. `Sendable`.
public enum ExposureOutcome: Sendable, Hashable {
    /// The exposure is the first of its identity that is stored.
    case stored
    /// Another of its identity, or of its event ID, is stored. If this one precedes it, this one is kept.
    case duplicate
}
