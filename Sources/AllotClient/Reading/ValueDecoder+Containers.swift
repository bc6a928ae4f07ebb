import AllotConfiguration

/// A name or an index in a coding path.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(stringValue: String) {
        self.init(stringValue)
    }

    init(intValue: Int) {
        self.init(intValue)
    }

    static let `super` = PathKey("super")
}

/// The members of an object.
struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let object: JSONObject

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool {
        object[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try member(key).decodeNil()
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).decoded(as: type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        memberOrNull(PathKey.super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        memberOrNull(key)
    }

    private func member(_ key: Key) throws -> ValueDecoder {
        guard object[key.stringValue] != nil else {
            let names = object.members.prefix(20).map { "\(QuotedText($0.key))" }.joined(separator: ", ")
            let others = names.isEmpty ? "there are no members" : "the members are \(names)"
            throw DecodingError.keyNotFound(
                key,
                .init(
                    codingPath: codingPath,
                    debugDescription: "there is no member \(QuotedText(key.stringValue)); \(others)"))
        }
        return memberOrNull(key)
    }

    private func memberOrNull(_ key: some CodingKey) -> ValueDecoder {
        let value = object[key.stringValue] ?? .null
        switch decoder.place {
        case .configuration:
            return decoder.inside(key, value, .section(key.stringValue))
        case .section(let section):
            decoder.readings.note(section, key.stringValue)
            return decoder.inside(key, value)
        case .value:
            return decoder.inside(key, value)
        }
    }
}

/// The elements of an array.
struct ElementContainer: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let values: [JSONValue]
    private(set) var currentIndex = 0

    init(decoder: ValueDecoder, values: [JSONValue]) {
        self.decoder = decoder
        self.values = values
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    mutating func decodeNil() throws -> Bool {
        let isNil = try element(as: Any?.self).decodeNil()
        if isNil { currentIndex += 1 }
        return isNil
    }

    // An element that cannot be decoded stays the current one.

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try element(as: type).decoded(as: type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try element(as: [String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try element(as: [Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try element(as: Any.self)
        currentIndex += 1
        return decoder
    }

    private func element(as type: Any.Type) throws -> ValueDecoder {
        let key = PathKey(currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: codingPath + [key], debugDescription: "the array has \(values.count) elements"))
        }
        return decoder.inside(key, values[currentIndex])
    }
}
