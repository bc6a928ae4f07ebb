struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }
    init(_ index: Int) { (stringValue, intValue) = ("Index \(index)", index) }
    init(stringValue: String) { self.init(stringValue) }
    init(intValue: Int) { self.init(intValue) }

    static let `super` = PathKey("super")
}

struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let object: JSONObject

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }
    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).decoded(as: type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { memberOrNull(PathKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { memberOrNull(key) }

    private func member(_ key: Key) throws -> ValueDecoder {
        guard object[key.stringValue] != nil else {
            let names = object.members.prefix(20).map { "\(QuotedText($0.key))" }.joined(separator: ", ")
            let others = names.isEmpty ? "there are no members" : "the members are \(names)"
            let description = "there is no member \(QuotedText(key.stringValue)); \(others)"
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: description))
        }
        return memberOrNull(key)
    }

    private func memberOrNull(_ key: some CodingKey) -> ValueDecoder {
        let value = object[key.stringValue] ?? .null
        if case .configuration = decoder.place { return decoder.inside(key, value, .section(key.stringValue)) }
        if case .section(let section) = decoder.place { decoder.didRead(section, key.stringValue) }
        return decoder.inside(key, value)
    }
}

struct ElementContainer: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let values: [JSONValue]
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    mutating func decodeNil() throws -> Bool {
        let isNil = try element(as: Any?.self).decodeNil()
        if isNil { currentIndex += 1 }
        return isNil
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take(type) { try $0.decoded(as: type) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try take([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take(Any.self) { $0 } }

    /// Reads the current element. One that cannot be read stays the current one.
    private mutating func take<Result>(_ type: Any.Type, _ read: (ValueDecoder) throws -> Result) throws -> Result {
        let result = try read(element(as: type))
        currentIndex += 1
        return result
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
