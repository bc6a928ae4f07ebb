import Allot
import AllotConfiguration
import AllotExposures

/// A batch of exposures as a client sends it, each checked against the plan.
struct ExposureBatch {
    /// Why one of them is not stored.
    struct Failure {
        let index: Int
        let message: String
    }

    /// Those that can be stored, in order.
    private(set) var exposures: [Exposure] = []
    /// Where each of them stood in the batch.
    private(set) var indices: [Int] = []
    private(set) var failures: [Failure] = []

    private let active: ActivePlan
    private let latest: Instant

    private typealias Key = ExposureMessage.Event

    /// - Parameter latest: the latest time that an exposure may have.
    init(_ items: [JSONValue], _ active: ActivePlan, latest: Instant) {
        self.active = active
        self.latest = latest
        for (index, item) in items.enumerated() {
            do throws(Problem) {
                exposures.append(try exposure(item))
                indices.append(index)
            } catch {
                failures.append(Failure(index: index, message: error.message))
            }
        }
    }

    private struct Problem: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    private func exposure(_ item: JSONValue) throws(Problem) -> Exposure {
        guard case .object(let object) = item else {
            throw Problem("this is not an object; send {\"unit\", \"experiment\", \"variant\", \"at\"}")
        }
        for member in object.members where !Key.all.contains(member.key) {
            throw Problem(
                "there is no member \(QuotedText(member.key)); the members are \(Key.all.joined(separator: ", "))")
        }
        let unit = try text(Key.unit, object)
        guard UnitID.isValidLength(unit.utf8.count) else {
            throw Problem("unit has \(unit.utf8.count) bytes; a unit ID has 1 to \(UnitID.maximumLength)")
        }
        guard ExposureMessage.isStorable(unit) else {
            throw Problem("unit holds U+0000, which cannot be stored; leave it out")
        }
        let key = try text(Key.experiment, object)
        guard let experiment = active.experiment(key) else {
            throw Problem("there is no experiment \(QuotedText(key))")
        }
        let variant = try text(Key.variant, object)
        guard experiment.variants.contains(where: { UTF8Order.areEqual($0.key, variant) }) else {
            let names = experiment.variants.prefix(8).map(\.key).joined(separator: ", ")
            let known = experiment.variants.count > 8 ? names + ", …" : names
            throw Problem("\(key) has no variant \(QuotedText(variant)); its variants are \(known)")
        }
        return Exposure(
            id: try identifier(object), unit: unit, experiment: key, variant: variant, at: try time(object),
            attributes: try attributes(object))
    }

    private func text(_ name: String, _ object: JSONObject) throws(Problem) -> String {
        switch object[name] {
        case .string(let text): return text
        case nil: throw Problem("\(name) is missing")
        default: throw Problem("\(name) is not a text")
        }
    }

    private func identifier(_ object: JSONObject) throws(Problem) -> String? {
        guard object[Key.id] != nil else { return nil }
        let id = try text(Key.id, object)
        guard (1...ExposureMessage.maximumIDLength).contains(id.utf8.count), ExposureMessage.isStorable(id) else {
            throw Problem(
                "id has \(id.utf8.count) bytes; an event's ID has 1 to \(ExposureMessage.maximumIDLength), none of them 0"
            )
        }
        return id
    }

    /// Milliseconds since 1970.
    private func time(_ object: JSONObject) throws(Problem) -> Int64 {
        let text = try text(Key.at, object)
        guard let at = Instant(text) else {
            throw Problem("at is no time; write it as 2026-11-21T12:00:00Z")
        }
        guard at <= latest else { throw Problem("at is in the future; set the clock right") }
        guard at >= Instant(seconds: 0) else { throw Problem("at is before 1970") }
        return at.milliseconds
    }

    private func attributes(_ object: JSONObject) throws(Problem) -> String? {
        switch object[Key.attributes] {
        case nil: return nil
        case .object(let attributes)?:
            let text = JSONValue.object(attributes).canonicalText
            guard text.utf8.count <= ExposureMessage.maximumAttributesLength else {
                throw Problem(
                    "attributes have more than \(ExposureMessage.maximumAttributesLength) bytes; send those that are analysed"
                )
            }
            return text
        default: throw Problem("attributes is not an object")
        }
    }
}
