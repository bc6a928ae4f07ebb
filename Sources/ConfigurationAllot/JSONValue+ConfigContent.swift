import AllotClient
import AllotConfiguration
import Configuration

/// Why a JSON value does not have the requested type.
struct ContentMismatch: Error, Sendable, Hashable {
    /// The type that it has, in words.
    let found: String
    /// The index of the element of an array that has it.
    var index: Int?
}

extension JSONValue {
    /// The value for swift-configuration, with exactly this type.
    func content(as type: ConfigType) throws(ContentMismatch) -> ConfigContent {
        switch type {
        case .string: .string(try string())
        case .int: .int(try int())
        case .double: .double(try double())
        case .bool: .bool(try bool())
        case .bytes: .bytes(try bytes())
        case .stringArray: .stringArray(try elements { value throws(ContentMismatch) in try value.string() })
        case .intArray: .intArray(try elements { value throws(ContentMismatch) in try value.int() })
        case .doubleArray: .doubleArray(try elements { value throws(ContentMismatch) in try value.double() })
        case .boolArray: .boolArray(try elements { value throws(ContentMismatch) in try value.bool() })
        case .byteChunkArray: .byteChunkArray(try elements { value throws(ContentMismatch) in try value.bytes() })
        }
    }

    private func elements<Element>(
        _ convert: (JSONValue) throws(ContentMismatch) -> Element
    ) throws(ContentMismatch) -> [Element] {
        guard let values = asArray else { throw ContentMismatch(found: kind) }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(ContentMismatch) {
                elements.append(try convert(value))
            } catch {
                throw ContentMismatch(found: error.found, index: index)
            }
        }
        return elements
    }

    private func string() throws(ContentMismatch) -> String {
        if let text = asText { return text }
        if let text = parseMember("iso", of: "Date") { return text }
        throw ContentMismatch(found: kind)
    }

    private func int() throws(ContentMismatch) -> Int {
        guard let number = asNumber else { throw ContentMismatch(found: kind) }
        if let integer = Int(exactly: number) { return integer }
        throw ContentMismatch(
            found: number.decimal.isWhole ? "a whole number beyond an int's range" : "a number with a fraction")
    }

    private func double() throws(ContentMismatch) -> Double {
        guard let number = asNumber else { throw ContentMismatch(found: kind) }
        let double = number.double
        guard double.isFinite else { throw ContentMismatch(found: "a number beyond a double's range") }
        return double
    }

    private func bool() throws(ContentMismatch) -> Bool {
        guard case .boolean(let value) = self else { throw ContentMismatch(found: kind) }
        return value
    }

    private func bytes() throws(ContentMismatch) -> [UInt8] {
        guard let text = asText ?? parseMember("base64", of: "Bytes") else { throw ContentMismatch(found: kind) }
        guard let bytes = ConfigBytesFromBase64StringDecoder().decode(text) else {
            throw ContentMismatch(found: "a string that is not base64")
        }
        return bytes
    }

    /// A text of an object that stands for one of Parse's types: `{"__type": "Date", "iso":
    /// "2011-08-21T18:02:52.249Z"}`.
    private func parseMember(_ name: String, of type: String) -> String? {
        asObject.flatMap { $0["__type"] == .string(type) ? $0.text(name) : nil }
    }

    private var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
