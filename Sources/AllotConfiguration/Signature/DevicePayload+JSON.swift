extension DevicePayload {
    private enum Key {
        static let app = "app"
        static let device = "device"
        static let issued = "issued"
        static let expires = "expires"
        static let operation = "operation"
        static let values = "values"
        static let variants = "variants"
        static let all = [app, device, issued, expires, operation, values, variants]
    }

    /// The payload as JSON.
    package var json: JSONValue {
        var members: JSONObject = [
            Key.app: .string(app), Key.device: .string(device), Key.issued: .number(JSONNumber(issued)),
            Key.expires: .number(JSONNumber(expires)), Key.operation: .string(operation.rawValue),
        ]
        if !values.isEmpty { members[Key.values] = .object(values) }
        if !variants.isEmpty { members[Key.variants] = .object(variants) }
        return .object(members)
    }

    /// The payload as it is signed: JSON with sorted keys, without white space.
    public var canonicalBytes: [UInt8] {
        json.canonicalBytes
    }

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
        var problems = DevicePayloadProblems()
        guard case .object(let members) = json else {
            problems.add("the payload is of type \(json.typeName), not an object")
            throw DevicePayloadError(problems: problems.found)
        }
        for member in members.members where !Key.all.contains(where: { UTF8Order.areEqual($0, member.key) }) {
            problems.add(
                "the member \(QuotedText(member.key)) is unknown; there are \(Key.all.joined(separator: ", "))")
        }
        try self.init(
            app: Self.text(members, Key.app, &problems), device: Self.text(members, Key.device, &problems),
            issued: Self.time(members, Key.issued, &problems), expires: Self.time(members, Key.expires, &problems),
            operation: Self.operation(members, &problems), values: Self.object(members, Key.values, &problems),
            variants: Self.object(members, Key.variants, &problems), problems: problems)
    }

    private static func text(
        _ members: JSONObject, _ key: String, _ problems: inout DevicePayloadProblems
    ) -> String? {
        switch members[key] {
        case .string(let text)?: return text
        case nil: problems.add("\(key) is missing; give a text")
        case let other?: problems.add("\(key) is of type \(other.typeName), not a text")
        }
        return nil
    }

    private static func time(
        _ members: JSONObject, _ key: String, _ problems: inout DevicePayloadProblems
    ) -> Int64? {
        switch members[key] {
        case .number(let number)?:
            if let seconds = Int64(number.text) { return seconds }
            problems.add("\(key) is not a whole number of seconds since 1970")
        case nil: problems.add("\(key) is missing; give seconds since 1970")
        case let other?: problems.add("\(key) is of type \(other.typeName), not a number of seconds since 1970")
        }
        return nil
    }

    private static func operation(_ members: JSONObject, _ problems: inout DevicePayloadProblems) -> Operation? {
        guard let text = text(members, Key.operation, &problems) else { return nil }
        let known = Operation.allCases.map(\.rawValue).joined(separator: " or ")
        guard let operation = Operation(rawValue: text) else {
            problems.add("the operation \(QuotedText(text)) is unknown; give \(known)")
            return nil
        }
        return operation
    }

    /// An object, which may be omitted.
    private static func object(
        _ members: JSONObject, _ key: String, _ problems: inout DevicePayloadProblems
    ) -> JSONObject? {
        switch members[key] {
        case .object(let object)?: return object
        case nil: return [:]
        case let other?: problems.add("\(key) is of type \(other.typeName), not an object")
        }
        return nil
    }
}
