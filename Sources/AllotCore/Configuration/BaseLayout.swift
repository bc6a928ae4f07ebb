import AllotConfiguration

/// The base configuration as text, with the places of its values.
struct BaseLayout: Sendable {
    /// `{"config_sections":{…},"meta":{`
    let sections: Range<Int>
    private(set) var values: [Range<Int>] = []
    private(set) var baseValues: [JSONValue] = []
    /// The index of a setting in `values`, by the name of its section and its own.
    private(set) var indices: [UTF8Key: [UTF8Key: Int]] = [:]

    init(_ base: JSONObject, _ texts: inout TextStore) {
        var bytes = Array(#"{"config_sections":{"#.utf8)
        for (sectionIndex, section) in base.members.enumerated() {
            if sectionIndex > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(text: section.key, to: &bytes)
            bytes.append(contentsOf: #":{"settings":{"#.utf8)
            var indicesOfSection: [UTF8Key: Int] = [:]
            // A section is an object, as the reader of definitions has checked.
            for (settingIndex, setting) in (section.value.asObject?.members ?? []).enumerated() {
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
        sections = texts.add(bytes)
    }
}
