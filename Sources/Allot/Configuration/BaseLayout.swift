import AllotConfiguration

/// The base configuration, serialised, and where its values are.
struct BaseLayout {
    /// `{"config_sections":{…},"meta":{`
    private(set) var bytes = Array(#"{"config_sections":{"#.utf8)
    /// Where each value lies in `bytes`, in order.
    private(set) var values: [Range<Int>] = []
    private(set) var baseValues: [JSONValue] = []
    /// The place of a setting in `values`, by its section's and its own name.
    private(set) var indices: [[UTF8Key]: Int] = [:]

    init(_ base: ConfigurationDocument) {
        for (sectionIndex, section) in base.sections.members.enumerated() {
            if sectionIndex > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(text: section.key.utf8, to: &bytes)
            bytes.append(contentsOf: #":{"settings":{"#.utf8)
            // A section is an object; the reader of definitions sees to it.
            let settings = if case .object(let settings) = section.value { settings } else { JSONObject() }
            for (settingIndex, setting) in settings.members.enumerated() {
                if settingIndex > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONWriter.append(text: setting.key.utf8, to: &bytes)
                bytes.append(contentsOf: #":{"value":"#.utf8)
                let start = bytes.count
                JSONWriter.append(setting.value, to: &bytes)
                indices[[UTF8Key(section.key), UTF8Key(setting.key)]] = values.count
                values.append(start..<bytes.count)
                baseValues.append(setting.value)
                bytes.append(UInt8(ascii: "}"))
            }
            bytes.append(contentsOf: "}}".utf8)
        }
        bytes.append(contentsOf: #"},"meta":{"#.utf8)
    }
}
