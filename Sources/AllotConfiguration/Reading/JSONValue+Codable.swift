extension JSONValue: Codable {
    /// Accepts any value. Decoders other than a configuration's own may change the digits of numbers.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? ValueDecoder {
            self = try decoder.decoded(as: Self.self)
            return
        }
        if let members = try? decoder.container(keyedBy: PathKey.self) {
            self = .object(
                JSONObject(try members.allKeys.map { ($0.stringValue, try members.decode(Self.self, forKey: $0)) }))
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(Self.self)) }
            self = .array(values)
            return
        }
        let container = try decoder.singleValueContainer()
        let types: [any (SettingValue & Decodable).Type] = [Bool.self, Int64.self, UInt64.self, Double.self]
        let known = container.decodeNil() ? .null : types.lazy.compactMap { (try? container.decode($0))?.json }.first
        self = try known ?? .string(container.decode(String.self))
    }

    /// Writes the value. Numbers are written as 64-bit integers if possible, and otherwise as the nearest `Double`.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var members = encoder.container(keyedBy: PathKey.self)
            for member in object.members { try members.encode(member.value, forKey: PathKey(member.key)) }
        case .array(let values):
            var elements = encoder.unkeyedContainer()
            for value in values { try elements.encode(value) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .boolean(let flag):
            try flag.encode(to: encoder)
        case .number(let number):
            let whole: (any Encodable)? = Int64(exactly: number) ?? UInt64(exactly: number)
            try (whole ?? number.double).encode(to: encoder)
        case .string(let text):
            try text.encode(to: encoder)
        }
    }
}

extension JSONObject: Codable {
    /// Accepts any object.
    public init(from decoder: any Decoder) throws { self = try decoder.settingValue() }
    /// Writes the object.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Decoder {
    /// Decodes a value by its conversion from JSON.
    package func settingValue<Value: SettingValue>() throws -> Value {
        let json = try JSONValue(from: self)
        do throws(SettingValueError) {
            return try Value(json: json)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: error.description))
        }
    }
}
