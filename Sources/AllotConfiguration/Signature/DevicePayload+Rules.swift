extension DevicePayload {
    /// Finds the problems of members that have the right types.
    func findProblems(_ problems: inout DevicePayloadProblems) {
        if app.isEmpty { problems.add("app is empty; name the app, such as com.example.shop") }
        Self.checkDevice(device, &problems)
        Self.checkTimes(issued, expires, &problems)
        Self.checkValues(values, &problems)
        Self.checkVariants(variants, &problems)
        switch operation {
        case .apply where values.isEmpty && variants.isEmpty:
            problems.add("there is nothing to apply; give values, or the operation reset")
        case .reset where !values.isEmpty || !variants.isEmpty:
            problems.add("a reset has no values and no variants; omit them, or give the operation apply")
        default: break
        }
    }

    static func checkDevice(_ device: String, _ problems: inout DevicePayloadProblems) {
        if device.isEmpty { problems.add("device is empty; name the device that the payload is for") }
        if device.utf8.contains(UInt8(ascii: "*")) {
            problems.add("the device \(QuotedText(device)) has a \"*\", but there are no wildcards; name one device")
        }
    }

    static func checkTimes(_ issued: Int64, _ expires: Int64, _ problems: inout DevicePayloadProblems) {
        if issued < 0 { problems.add("issued is before 1970; give seconds since then") }
        if expires <= issued { problems.add("expires is not later than issued; give a later time") }
    }

    static func checkValues(_ values: JSONObject, _ problems: inout DevicePayloadProblems) {
        for section in values.members {
            if case .object(let settings) = section.value, !settings.isEmpty { continue }
            problems.add(
                "values has no settings in the section \(QuotedText(section.key)); "
                    + "write {\"SECTION\": {\"SETTING\": value}}"
            )
        }
    }

    static func checkVariants(_ variants: JSONObject, _ problems: inout DevicePayloadProblems) {
        for experiment in variants.members {
            if case .string(let variant) = experiment.value, !variant.isEmpty { continue }
            problems.add(
                "the variant of \(QuotedText(experiment.key)) is not a text; write {\"EXPERIMENT\": \"VARIANT\"}")
        }
    }
}
