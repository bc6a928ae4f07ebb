import AllotConfiguration
import AllotCore
import AllotExposures

/// A batch of exposures as a client sends it, each checked against the plan and for what a store takes.
struct ReceivedExposures {
    struct Fault: Error {
        let message: String
        /// Whether it may be stored later. If not, it never can be.
        let mayRetry: Bool
        init(_ message: String, mayRetry: Bool = false) { (self.message, self.mayRetry) = (message, mayRetry) }
    }

    private(set) var exposures: [Exposure] = []
    private(set) var faults: [(index: Int, fault: Fault)] = []
    private let active: ActivePlan
    private let unconfirmed: UnconfirmedArms
    private var unknown: Set<ExposureArm> = []
    private let limits: RequestLimits
    private let now: Instant
    private typealias Key = ExposureMessage.Event

    init(
        _ items: [JSONValue], _ active: ActivePlan, _ unconfirmed: UnconfirmedArms, _ limits: RequestLimits,
        at now: Instant
    ) {
        (self.active, self.unconfirmed, self.limits, self.now) = (active, unconfirmed, limits, now)
        exposures.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            do throws(Fault) {
                let exposure = try self.exposure(item)
                exposures.append(exposure)
            } catch { faults.append((index, error)) }
        }
    }

    private mutating func exposure(_ item: JSONValue) throws(Fault) -> Exposure {
        guard case .object(let object) = item else {
            throw Fault("this is not an object; send {\"unit\", \"experiment\", \"variant\", \"at\"}")
        }
        let unit = try requiredText(Key.unit, object)
        guard UnitID.isValidLength(unit.utf8.count) else {
            throw Fault("unit has \(unit.utf8.count) bytes; a unit ID has 1 to \(UnitID.maximumLength)")
        }
        let key = try requiredText(Key.experiment, object)
        let experiment = active.experiment(key)
        let arm = ExposureArm(
            experiment: key, salt: try text(Key.salt, object) ?? experiment?.salt ?? key,
            variant: try requiredText(Key.variant, object))
        let scheme = experiment?.hash?.scheme
        guard ForeignHash.isSalt(arm.salt, of: scheme) else {
            throw Fault("\(Key.salt) \(QuotedText(arm.salt)) is not valid; it has \(ForeignHash.saltForm(of: scheme))")
        }
        for (name, text) in [(Key.experiment, key), (Key.variant, arm.variant)] where !Salt.isValid(text) {
            throw Fault("\(name) \(QuotedText(text)) is not valid; it has \(Salt.form)")
        }
        var exposure = Exposure(
            id: try text(Key.id, object, limit: ExposureMessage.maximumIDLength), unit: unit, experiment: key,
            salt: arm.salt, variant: arm.variant, at: try time(object), receivedAt: now.milliseconds)
        try addNotes(object, to: &exposure)
        exposure.window = try window(object, exposure, experiment)
        doubtTime(of: &exposure, experiment)
        if let fault = exposure.fault { throw Fault(fault) }
        if UTF8Order.areEqual(exposure.reason, Reason.everyone.text) || isOfEveryone(object, exposure, experiment) {
            throw Fault("the experiment is not randomised (unit: none), so there is no exposure; do not report it")
        }
        let isKnown = active.plan.hasVariant(arm.variant, of: arm.experiment, salt: arm.salt)
        try checkWhatMayChange(object, exposure, arm, isKnown: isKnown)
        if !isKnown {
            exposure.confirmation = .nothing
        } else if let revision = exposure.revision, revision != experiment?.revision,
            !unconfirmed.hasHad(revision, of: key)
        {
            exposure.confirmation = .arm
        }
        return exposure
    }

    /// Whether an event is of an experiment without a unit as it is now, and not of a former randomisation.
    private func isOfEveryone(_ object: JSONObject, _ exposure: Exposure, _ experiment: Plan.Experiment?) -> Bool {
        guard let experiment, experiment.draw == nil else { return false }
        return exposure.revision.map { UTF8Order.areEqual($0, experiment.revision) } ?? (object[Key.salt] == nil)
    }

    /// Refuses what another server, or this one later, may accept.
    private mutating func checkWhatMayChange(
        _ object: JSONObject, _ exposure: Exposure, _ arm: ExposureArm, isKnown: Bool
    ) throws(Fault) {
        for member in object.members where !Key.all.contains(member.key) {
            throw Fault(
                "there is no member \(QuotedText(member.key)); the members are \(Key.all.joined(separator: ", "))",
                mayRetry: true)
        }
        guard ExposureMessage.reasons.contains(exposure.reason) else {
            throw Fault(
                "there is no reason \(QuotedText(exposure.reason)); the reasons are "
                    + ExposureMessage.reasons.joined(separator: ", "), mayRetry: true)
        }
        guard exposure.at <= now.milliseconds + limits.clockTolerance * 1000 else {
            throw Fault("at is in the future; correct the clock", mayRetry: true)
        }
        guard !isKnown, !unknown.contains(arm) else { return }
        guard unknown.count < UnconfirmedArms.batchLimit, unconfirmed.admit(arm) else {
            throw Fault(
                "there is no variant \(arm.variant) of \(arm.experiment) with the salt \(arm.salt), and too many "
                    + "others that are not defined here arrived just before; define the experiment, or send the "
                    + "exposure again later", mayRetry: true)
        }
        unknown.insert(arm)
    }

    private func text(_ name: String, _ object: JSONObject, limit: Int? = nil) throws(Fault) -> String? {
        switch object[name] {
        case .string(let text):
            if let limit, !(1...limit).contains(text.utf8.count) {
                throw Fault("\(name) has \(text.utf8.count) bytes; it has 1 to \(limit)")
            }
            return text
        case nil: return nil
        default: throw Fault("\(name) is not a string")
        }
    }

    private func requiredText(_ name: String, _ object: JSONObject) throws(Fault) -> String {
        guard let text = try text(name, object) else { throw Fault("\(name) is missing") }
        return text
    }

    /// Adds what the event says about its assignment, and its attributes.
    private func addNotes(_ object: JSONObject, to exposure: inout Exposure) throws(Fault) {
        let limit = ExposureMessage.maximumNoteLength
        var notes = ExposureNotes(
            revision: try text(Key.revision, object, limit: limit), reason: try text(Key.reason, object, limit: limit))
        switch object[Key.override] {
        case .boolean(let value): notes.isOverridden = value
        case nil: break
        default: throw Fault("override is not true or false")
        }
        switch object[Key.attributes] {
        case .object(var attributes):
            notes.take(from: &attributes)
            guard !attributes.members.isEmpty else { break }
            let text = JSONValue.object(attributes).canonicalText
            guard text.utf8.count <= ExposureMessage.maximumAttributesLength else {
                throw Fault("attributes have more than \(ExposureMessage.maximumAttributesLength) bytes; send fewer")
            }
            exposure.attributes = text
        case nil: break
        default: throw Fault("attributes is not an object")
        }
        exposure.revision = notes.revision
        exposure.reason = notes.reason ?? ExposureMessage.defaultReason
        exposure.isOverridden = notes.isOverridden ?? false
    }

    /// The window of an event. One that gives none, of an experiment with a period, belongs to the window of its time.
    private func window(
        _ object: JSONObject, _ exposure: Exposure, _ experiment: Plan.Experiment?
    ) throws(Fault) -> Int64? {
        if let written = object[Key.window] {
            guard case .number(let number) = written, number.isWrittenAsInteger, let window = Int64(number.text),
                window >= 0
            else { throw Fault("window is not a whole number of 0 or more") }
            return window
        }
        guard exposure.isCounted, UTF8Order.areEqual(exposure.reason, Reason.split.text),
            let experiment, let salt = experiment.salt, UTF8Order.areEqual(salt, exposure.salt)
        else { return nil }
        return experiment.draw?.period?.number(at: Instant(milliseconds: exposure.at))
    }

    /// Milliseconds since 1970.
    private func time(_ object: JSONObject) throws(Fault) -> Int64 {
        guard let at = Instant(utf8: Array(try requiredText(Key.at, object).utf8).span) else {
            throw Fault("at is not a time; write it as 2026-11-21T12:00:00Z")
        }
        return at.milliseconds
    }

    /// Gives an exposure whose time is not plausible the server's time, and notes its own. Forced units may be early.
    private func doubtTime(of exposure: inout Exposure, _ experiment: Plan.Experiment?) {
        let reported = exposure.at
        if let experiment, let salt = experiment.salt, UTF8Order.areEqual(salt, exposure.salt),
            let starts = experiment.schedule.starts, exposure.isCounted, reported < starts.milliseconds
        {
            exposure.doubt = .beforeStart
        } else if reported / 1000 < now.seconds - min(limits.oldestExposure.components.seconds, 1 << 40) {
            exposure.doubt = .tooOld
        } else {
            return
        }
        exposure.reportedAt = reported
        exposure.at = now.milliseconds
    }
}
