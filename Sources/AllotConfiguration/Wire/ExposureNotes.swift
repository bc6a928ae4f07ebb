/// The members of an event that describe its assignment. Clients from before they were members put them into the
/// event's attributes.
package struct ExposureNotes: Sendable, Hashable {
    package var revision: String?
    package var reason: String?
    /// Whether the variant, or a value that it sets, was set on the device.
    package var isOverridden: Bool?

    package init(revision: String? = nil, reason: String? = nil, isOverridden: Bool? = nil) {
        (self.revision, self.reason, self.isOverridden) = (revision, reason, isOverridden)
    }

    /// Moves what is missing here from attributes of the same names, if they can stand for it; others stay attributes.
    package mutating func take(from attributes: inout JSONObject) {
        typealias Key = ExposureMessage.Event
        if revision == nil { revision = Self.takeText(Key.revision, &attributes) }
        if reason == nil { reason = Self.takeText(Key.reason, &attributes, of: ExposureMessage.reasons) }
        if isOverridden == nil, case .boolean(let value)? = attributes[Key.override] {
            isOverridden = value
            attributes[Key.override] = nil
        }
    }

    private static func takeText(_ name: String, _ attributes: inout JSONObject, of known: [String]? = nil) -> String? {
        guard case .string(let text)? = attributes[name],
            (1...ExposureMessage.maximumNoteLength).contains(text.utf8.count), ExposureMessage.isStorable(text),
            known?.contains(text) ?? true
        else { return nil }
        attributes[name] = nil
        return text
    }
}
