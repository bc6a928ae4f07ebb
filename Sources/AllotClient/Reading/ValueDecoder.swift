import AllotConfiguration

import struct Foundation.Data
import struct Foundation.Date
import struct Foundation.Decimal
import struct Foundation.URL

/// Decodes an app's types from a configuration's values.
///
/// Foundation's decoder is not suitable: it does not report which settings a type reads, on Linux it reports numbers
/// out of range as "not valid JSON" without a path, and it knows neither Parse's objects nor a number's own digits.
struct ValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    /// The place of the value in the configuration.
    let place: Place
    let readings: DecodedSettings

    /// The place of a decoder's value in the configuration; settings that are read from it are noted.
    enum Place {
        /// The sections by name.
        case configuration
        /// The settings of a section by name.
        case section(String)
        /// The value of a setting, or a part of one.
        case value
    }

    /// A decoder for a member or an element of the value.
    func inside(_ key: any CodingKey, _ child: JSONValue, _ place: Place = .value) -> ValueDecoder {
        ValueDecoder(value: child, codingPath: codingPath + [key], place: place, readings: readings)
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

    /// The decoder's value as a type.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        guard let direct = Self.directTypes[ObjectIdentifier(type)] else { return try Value(from: self) }
        let result: any SettingValue
        do throws(SettingValueError) {
            result = try direct.init(strict: value)
        } catch {
            throw decodingError(error, type)
        }
        guard let result = result as? Value else { throw mismatch(type, expected: direct.expectation) }
        readings.note(allOf: value, place)
        return result
    }

    /// The types that convert a JSON value directly, not through a container.
    private static let directTypes: [ObjectIdentifier: any SettingValue.Type] = {
        let types: [any SettingValue.Type] = [
            Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self,
            UInt16.self, UInt32.self, UInt64.self, UInt128.self, Double.self, Float.self, String.self, JSONValue.self,
            JSONObject.self, Data.self, Date.self, URL.self, Foundation.Decimal.self, GeoPoint.self, FileReference.self,
        ]
        return Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($0), $0) })
    }()

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
        let context = DecodingError.Context(
            codingPath: codingPath + steps,
            debugDescription: SettingValueError(expected: error.expected, found: error.found).description)
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        value == .null
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoded(as: type)
    }
}

/// The settings that a decoder has read.
final class DecodedSettings {
    private(set) var entries: [(section: String, setting: String)] = []

    func note(_ section: String, _ setting: String) {
        entries.append((section, setting))
    }

    /// Notes the settings in a value that is read as a whole.
    func note(allOf value: JSONValue, _ place: ValueDecoder.Place) {
        guard let object = value.asObject else { return }
        switch place {
        case .configuration:
            for section in object.members { note(allOf: section.value, .section(section.key)) }
        case .section(let section):
            for setting in object.members { note(section, setting.key) }
        case .value:
            break
        }
    }
}
