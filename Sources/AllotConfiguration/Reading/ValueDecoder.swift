/// Decodes Swift types from a configuration's values. Foundation's decoder does not report which settings a type reads,
/// and knows no ``SettingValue`` and not a number's own digits.
struct ValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let place: Place
    /// Receives the section and the name of each setting that is read.
    let didRead: (_ section: String, _ setting: String) -> Void

    enum Place {
        /// The sections by name.
        case configuration
        /// The settings of a section by name.
        case section(String)
        /// The value of a setting, or a part of one.
        case value
    }

    func inside(_ key: any CodingKey, _ child: JSONValue, _ place: Place = .value) -> ValueDecoder {
        ValueDecoder(value: child, codingPath: codingPath + [key], place: place, didRead: didRead)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.asObject else { throw mismatch([String: Any].self, expected: "an object") }
        return KeyedDecodingContainer(MemberContainer(decoder: self, object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let values = value.asArray else { throw mismatch([Any].self, expected: "an array") }
        return ElementContainer(decoder: self, values: values)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        // A collection reports its settings, and the place of a fault, as it decodes its elements.
        guard let direct = type as? any SettingValue.Type, !(type is any SettingCollection.Type) else {
            return try Value(from: self)
        }
        let result: any SettingValue
        do throws(SettingValueError) {
            result = try direct.init(json: value)
        } catch { throw decodingError(error, type) }
        guard let result = result as? Value else { throw mismatch(type, expected: direct.expectation) }
        reportAll(of: value, place)
        return result
    }

    private func reportAll(of value: JSONValue, _ place: Place) {
        guard let object = value.asObject else { return }
        for member in object.members {
            switch place {
            case .configuration: reportAll(of: member.value, .section(member.key))
            case .section(let section): didRead(section, member.key)
            case .value: break
            }
        }
    }

    func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
        decodingError(SettingValueError(expected: expected, found: value), type)
    }

    private func decodingError(_ error: SettingValueError, _ type: Any.Type) -> DecodingError {
        let steps = error.path.map { step -> any CodingKey in
            switch step {
            case .member(let name): PathKey(name)
            case .element(let index): PathKey(index)
            }
        }
        let description = SettingValueError(expected: error.expected, found: error.found).description
        let context = DecodingError.Context(codingPath: codingPath + steps, debugDescription: description)
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoded(as: type) }
}

/// A type whose conformance to ``SettingValue`` depends on its elements.
private protocol SettingCollection {}

extension Optional: SettingCollection {}
extension Array: SettingCollection {}
extension Dictionary: SettingCollection {}
