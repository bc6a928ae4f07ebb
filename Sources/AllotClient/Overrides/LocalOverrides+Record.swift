import AllotConfiguration

extension LocalOverrides {
    /// The record's bytes.
    var record: [UInt8] {
        var object: JSONObject = [
            "values": .object(values),
            "variants": .object(
                JSONObject(
                    variants.map { experiment, chosen in
                        (experiment, ["variant": .string(chosen.variant), "values": .object(chosen.values)])
                    })),
        ]
        object["expires"] = expires.map { .number(JSONNumber($0.milliseconds)) }
        object["issued"] = issued.map { .number(JSONNumber($0)) }
        return CheckedRecord.encode(JSONValue.object(object).canonicalBytes)
    }

    /// Reads a record.
    init(record: [UInt8]) throws(StoreError) {
        let object = try JSONObject(record: record, consequence: "the stored overrides are corrupt and count as none")
        self.init()
        for (section, setting, value) in Self.settings(object["values"]) { set(section, setting, value) }
        if case .object(let chosen)? = object["variants"] {
            for member in chosen.members {
                guard case .object(let choice) = member.value, let variant = choice.text("variant") else { continue }
                var values = JSONObject()
                if case .object(let object)? = choice["values"] { values = object }
                choose(Variant(variant, values: values), of: member.key)
            }
        }
        expires = object.milliseconds("expires")
        if case .number(let number)? = object["issued"] { issued = Int64(number.text) }
    }

    private static func settings(_ sections: JSONValue?) -> [(section: String, setting: String, value: JSONValue)] {
        guard case .object(let sections)? = sections else { return [] }
        return sections.members.flatMap { section -> [(section: String, setting: String, value: JSONValue)] in
            guard case .object(let settings) = section.value else { return [] }
            return settings.members.map { (section.key, $0.key, $0.value) }
        }
    }
}
