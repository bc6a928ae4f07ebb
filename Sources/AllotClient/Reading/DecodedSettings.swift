import AllotConfiguration

/// The settings that a decoder has read.
final class DecodedSettings {
    private(set) var entries: [(section: String, setting: String)] = []

    func note(_ section: String, _ setting: String) {
        entries.append((section, setting))
    }

    /// Notes what a value holds that is taken whole.
    func note(allOf value: JSONValue, _ place: ValueDecoder.Place) {
        guard case .object(let object) = value else { return }
        switch place {
        case .configuration:
            for section in object.members { note(allOf: section.value, .section(section.key)) }
        case .section(let section):
            for setting in object.members { note(section, setting.key) }
        case .value:
            break
        }
    }
}
