import Allot
import AllotConfiguration
import AllotExposures

/// A batch of exposures as a client sends it, each checked against the plan and for what a store takes.
package struct ExposureBatch {
    /// The exposures that can be stored, in order.
    package private(set) var exposures: [Exposure] = []
    /// Why the others cannot be stored.
    package private(set) var failures: [(index: Int, message: String)] = []

    private let active: ActivePlan
    private let latest: Instant

    private typealias Key = ExposureMessage.Event

    /// - Parameter latest: the latest time that an exposure may have.
    package init(_ items: [JSONValue], _ active: ActivePlan, latest: Instant) {
        self.active = active
        self.latest = latest
        for (index, item) in items.enumerated() {
            do throws(Fault) {
                exposures.append(try exposure(item))
            } catch {
                failures.append((index, error.message))
            }
        }
    }

    private struct Fault: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    private func exposure(_ item: JSONValue) throws(Fault) -> Exposure {
        guard case .object(let object) = item else {
            throw Fault("this is not an object; send {\"unit\", \"experiment\", \"variant\", \"at\"}")
        }
        for member in object.members where !Key.all.contains(member.key) {
            throw Fault(
                "there is no member \(QuotedText(member.key)); the members are \(Key.all.joined(separator: ", "))")
        }
        let unit = try text(Key.unit, object)
        guard UnitID.isValidLength(unit.utf8.count) else {
            throw Fault("unit has \(unit.utf8.count) bytes; a unit ID has 1 to \(UnitID.maximumLength)")
        }
        let key = try text(Key.experiment, object)
        guard let experiment = active.experiment(key) else {
            throw Fault("there is no experiment \(QuotedText(key))")
        }
        let variant = try text(Key.variant, object)
        guard experiment.variants.contains(where: { UTF8Order.areEqual($0.key, variant) }) else {
            let names = experiment.variants.prefix(8).map(\.key).joined(separator: ", ")
            let known = experiment.variants.count > 8 ? names + ", …" : names
            throw Fault("\(key) has no variant \(QuotedText(variant)); its variants are \(known)")
        }
        var exposure = Exposure(
            id: try identifier(object), unit: unit, experiment: key, salt: experiment.salt.text, variant: variant,
            at: try time(object))
        exposure.attributes = try attributes(object)
        if let fault = exposure.fault { throw Fault(fault) }
        return exposure
    }

    private func text(_ name: String, _ object: JSONObject) throws(Fault) -> String {
        switch object[name] {
        case .string(let text): return text
        case nil: throw Fault("\(name) is missing")
        default: throw Fault("\(name) is not a string")
        }
    }

    private func identifier(_ object: JSONObject) throws(Fault) -> String? {
        guard object[Key.id] != nil else { return nil }
        let id = try text(Key.id, object)
        guard (1...ExposureMessage.maximumIDLength).contains(id.utf8.count) else {
            throw Fault(
                "id has \(id.utf8.count) bytes; an event's ID has 1 to \(ExposureMessage.maximumIDLength)"
            )
        }
        return id
    }

    /// Milliseconds since 1970.
    private func time(_ object: JSONObject) throws(Fault) -> Int64 {
        let text = try text(Key.at, object)
        guard let at = Instant(utf8: Array(text.utf8).span) else {
            throw Fault("at is not a time; write it as 2026-11-21T12:00:00Z")
        }
        guard at <= latest else { throw Fault("at is in the future; correct the clock") }
        guard at >= Instant(seconds: 0) else { throw Fault("at is before 1970") }
        return at.milliseconds
    }

    private func attributes(_ object: JSONObject) throws(Fault) -> String? {
        switch object[Key.attributes] {
        case nil: return nil
        case .object(let attributes)?:
            let text = JSONValue.object(attributes).canonicalText
            guard text.utf8.count <= ExposureMessage.maximumAttributesLength else {
                throw Fault(
                    "attributes have more than \(ExposureMessage.maximumAttributesLength) bytes; send fewer"
                )
            }
            return text
        default: throw Fault("attributes is not an object")
        }
    }
}
