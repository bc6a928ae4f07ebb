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
        guard case .object(let object) = value else { throw mismatch([String: Any].self, expected: "an object") }
        return KeyedDecodingContainer(MemberContainer(decoder: self, object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch([Any].self, expected: "an array") }
        return ElementContainer(decoder: self, values: values)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The decoder's value as a type.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        guard let direct = type as? any DirectlyDecoded.Type else { return try Value(from: self) }
        let result: any DirectlyDecoded
        do throws(SettingValueError) {
            result = try direct.init(strict: value)
        } catch {
            throw decodingError(error, type)
        }
        guard let result = result as? Value else { throw mismatch(type, expected: direct.expectation) }
        readings.note(allOf: value, place)
        return result
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

/// A type that converts a JSON value directly, not through a container.
private protocol DirectlyDecoded: SettingValue {}

extension Bool: DirectlyDecoded {}
extension Int: DirectlyDecoded {}
extension Int8: DirectlyDecoded {}
extension Int16: DirectlyDecoded {}
extension Int32: DirectlyDecoded {}
extension Int64: DirectlyDecoded {}
extension Int128: DirectlyDecoded {}
extension UInt: DirectlyDecoded {}
extension UInt8: DirectlyDecoded {}
extension UInt16: DirectlyDecoded {}
extension UInt32: DirectlyDecoded {}
extension UInt64: DirectlyDecoded {}
extension UInt128: DirectlyDecoded {}
extension Double: DirectlyDecoded {}
extension Float: DirectlyDecoded {}
extension String: DirectlyDecoded {}
extension JSONValue: DirectlyDecoded {}
extension JSONObject: DirectlyDecoded {}
extension Data: DirectlyDecoded {}
extension Date: DirectlyDecoded {}
extension URL: DirectlyDecoded {}
extension Foundation.Decimal: DirectlyDecoded {}
extension GeoPoint: DirectlyDecoded {}
extension FileReference: DirectlyDecoded {}

/// The settings that a decoder has read.
final class DecodedSettings {
    private(set) var entries: [(section: String, setting: String)] = []

    func note(_ section: String, _ setting: String) {
        entries.append((section, setting))
    }

    /// Notes the settings in a value that is read as a whole.
    func note(allOf value: JSONValue, _ place: ValueDecoder.Place) {
        guard case .object(let object) = value else { return }
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
