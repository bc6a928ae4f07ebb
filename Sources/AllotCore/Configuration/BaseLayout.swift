import AllotConfiguration

struct BaseLayout {
    /// `{"config_sections":{…},"meta":{`
    private(set) var bytes = Array(#"{"config_sections":{"#.utf8)
    private(set) var values: [Range<Int>] = []
    private(set) var baseValues: [JSONValue] = []
    /// The index of a setting in `values`, by the name of its section and its own.
    private(set) var indices: [UTF8Key: [UTF8Key: Int]] = [:]

    init(sections: JSONObject) {
        for (sectionIndex, section) in sections.members.enumerated() {
            if sectionIndex > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(text: section.key, to: &bytes)
            bytes.append(contentsOf: #":{"settings":{"#.utf8)
            // A section is an object, as the reader of definitions has checked.
            let settings = if case .object(let settings) = section.value { settings } else { JSONObject() }
            var indicesOfSection: [UTF8Key: Int] = [:]
            for (settingIndex, setting) in settings.members.enumerated() {
                if settingIndex > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONWriter.append(text: setting.key, to: &bytes)
                bytes.append(contentsOf: #":{"value":"#.utf8)
                let start = bytes.count
                JSONWriter.append(setting.value, to: &bytes)
                indicesOfSection[UTF8Key(setting.key)] = values.count
                values.append(start..<bytes.count)
                baseValues.append(setting.value)
                bytes.append(UInt8(ascii: "}"))
            }
            indices[UTF8Key(section.key)] = indicesOfSection
            bytes.append(contentsOf: "}}".utf8)
        }
        bytes.append(contentsOf: #"},"meta":{"#.utf8)
    }
}
