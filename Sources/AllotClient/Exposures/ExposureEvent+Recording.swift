import AllotConfiguration
import Foundation

extension ExposureEvent {
    /// Describes the exposure to an assignment.
    ///
    /// - Parameter now: the time of the device's clock.
    init(_ assignment: Assignment, in configuration: Configuration, at now: Date) throws(ExposureRefusal) {
        guard let unit = Self.unit(assignment.unit, configuration) else {
            throw ExposureRefusal(assignment: assignment, reason: .noUnit(assignment.unit))
        }
        self.init(
            id: UUID().uuidString.lowercased(), unit: unit, experiment: assignment.experiment,
            variant: assignment.variant, at: ExposureTime.text(now),
            attributes: Self.attributes(assignment, configuration, now))
        guard json.canonicalBytes.count <= ExposureMessage.maximumEventLength else {
            throw ExposureRefusal(assignment: assignment, reason: .tooLarge)
        }
    }

    /// The ID of a unit, as the server reads it from the same attributes; `nil` for what it does not take.
    ///
    /// The user's ID is the one in force; other units are those that were known when the server decided.
    private static func unit(_ attribute: String, _ configuration: Configuration) -> String? {
        let text: String?
        if UTF8Order.areEqual(attribute, Assignment.defaultUnit) {
            text = configuration.user.id
        } else {
            switch configuration.decidedFor[attribute] {
            case .string(let given): text = given
            case .number(let number) where number.isWrittenAsInteger && abs(number.double) < 9_007_199_254_740_992:
                text = number.double == 0 ? "0" : number.text
            default: text = nil
            }
        }
        guard let text, (1...UnitContract.maximumLength).contains(text.utf8.count), ExposureMessage.isStorable(text)
        else {
            return nil
        }
        return text
    }

    private static func attributes(_ assignment: Assignment, _ configuration: Configuration, _ now: Date) -> JSONObject
    {
        var attributes: JSONObject = [
            ExposureAttribute.source: .string(configuration.origin.rawValue),
            ExposureAttribute.reason: .string(assignment.reason),
        ]
        if let revision = assignment.revision { attributes[ExposureAttribute.revision] = .string(revision) }
        if configuration.isGeneric { attributes[ExposureAttribute.generic] = true }
        if assignment.isOverridden || isSetHere(assignment, configuration) {
            attributes[ExposureAttribute.override] = true
        }
        let age = configuration.fetchedAt.map { now.timeIntervalSince($0).rounded(.down) }
        // More than what a whole number of seconds can be is no age; nor is NaN.
        if let age, age >= 0, age < 1e15 {
            attributes[ExposureAttribute.configurationAge] = .number(JSONNumber(Int64(age)))
        }
        // Only the server's own texts can be so long.
        for name in [ExposureAttribute.reason, ExposureAttribute.revision]
        where JSONValue.object(attributes).canonicalBytes.count > ExposureMessage.maximumAttributesLength {
            attributes[name] = nil
        }
        return attributes
    }

    /// Whether a value that the variant sets was set on the device.
    private static func isSetHere(_ assignment: Assignment, _ configuration: Configuration) -> Bool {
        guard !configuration.overrides.isEmpty else { return false }
        return assignment.settings.contains { setting in
            guard let dot = setting.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
            let name = setting[setting.utf8.index(after: dot)...]
            return configuration.source(String(setting[..<dot]), String(name)) == .override
        }
    }
}
