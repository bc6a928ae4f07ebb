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
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = number.json
        } else if let number = try? container.decode(UInt64.self) {
            self = number.json
        } else if let number = try? container.decode(Double.self) {
            self = number.json
        } else {
            self = .string(try container.decode(String.self))
        }
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
            if let whole = Int64(exactly: number) {
                try whole.encode(to: encoder)
            } else if let whole = UInt64(exactly: number) {
                try whole.encode(to: encoder)
            } else {
                try number.double.encode(to: encoder)
            }
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
