extension DevicePayload {
    private enum Key {
        static let app = "app", device = "device", issued = "issued", expires = "expires", operation = "operation"
        static let values = "values", variants = "variants"
        static let all = [app, device, issued, expires, operation, values, variants]
    }

    package var json: JSONValue {
        var members = JSONObject(members: [
            Key.app: app, Key.device: device, Key.issued: issued, Key.expires: expires,
            Key.operation: operation.rawValue,
        ])
        if !values.isEmpty { members[Key.values] = .object(values) }
        if !variants.isEmpty { members[Key.variants] = .object(variants) }
        return .object(members)
    }

    /// The payload as it is signed: JSON with sorted keys, without white space.
    public var canonicalBytes: [UInt8] { json.canonicalBytes }

    /// The payload of a token that a pinned key has signed. Check next whether it is meant for this device:
    /// ``check(app:device:at:)``.
    ///
    /// - Throws: ``SignatureError``, ``JSONParsingError`` or ``DevicePayloadError``.
    public init(verifying token: SignedToken, by verifier: some SignatureVerifier) throws {
        try self.init(JSONValue(parsing: verifier.verifiedPayload(token)))
    }

    /// Reads a payload.
    ///
    /// - Throws: ``DevicePayloadError`` with all problems: members that are missing, unknown or of another type, times
    ///   in the wrong order, a device with a wildcard.
    public init(_ json: JSONValue) throws(DevicePayloadError) {
        var problems: [DevicePayloadError.Problem] = []
        guard case .object(let members) = json else {
            problems.add("the payload is of type \(json.typeName), not an object")
            throw DevicePayloadError(problems: problems)
        }
        for member in members.members where !Key.all.contains(where: { UTF8Order.areEqual($0, member.key) }) {
            problems.add(
                "the member \(QuotedText(member.key)) is unknown; there are \(Key.all.joined(separator: ", "))")
        }
        let (app, device) = (members.text(Key.app, &problems), members.text(Key.device, &problems))
        let (issued, expires) = (members.time(Key.issued, &problems), members.time(Key.expires, &problems))
        let operation = members.text(Key.operation, &problems).flatMap { text in
            let operation = Operation(rawValue: text)
            if operation == nil {
                let known = Operation.allCases.map(\.rawValue).joined(separator: " or ")
                problems.add("the operation \(QuotedText(text)) is unknown; give \(known)")
            }
            return operation
        }
        try self.init(
            app: app, device: device, issued: issued, expires: expires, operation: operation,
            values: members.object(Key.values, &problems), variants: members.object(Key.variants, &problems),
            problems: problems)
    }
}

extension JSONObject {
    fileprivate func text(_ key: String, _ problems: inout [DevicePayloadError.Problem]) -> String? {
        value(key, "a text", &problems, \.text)
    }

    fileprivate func time(_ key: String, _ problems: inout [DevicePayloadError.Problem]) -> Int64? {
        value(key, "a whole number of seconds since 1970", &problems) { $0.asNumber.flatMap { Int64($0.text) } }
    }

    fileprivate func object(_ key: String, _ problems: inout [DevicePayloadError.Problem]) -> JSONObject? {
        self[key] == nil ? [:] : value(key, "an object", &problems, \.asObject)
    }

    private func value<Value>(
        _ key: String, _ form: String, _ problems: inout [DevicePayloadError.Problem], _ convert: (JSONValue) -> Value?
    ) -> Value? {
        let value = self[key].flatMap(convert)
        if value == nil { problems.add("\(key): \(SettingValueError(expected: form, found: self[key]))") }
        return value
    }
}
