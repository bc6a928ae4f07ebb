import AllotConfiguration
import Configuration

/// Why a JSON value is not of the type asked for.
struct ContentMismatch: Error, Sendable, Hashable {
    /// What it is instead, in words.
    let found: String
    /// Which element of an array that is.
    var index: Int?
}

extension JSONValue {
    /// The value as swift-configuration has it, of exactly this type.
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
        guard case .array(let values) = self else { throw ContentMismatch(found: kind) }
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
        if case .string(let text) = self { return text }
        if let text = parseMember("iso", of: "Date") { return text }
        throw ContentMismatch(found: kind)
    }

    private func int() throws(ContentMismatch) -> Int {
        guard case .number(let number) = self else { throw ContentMismatch(found: kind) }
        if let integer = Int(number.text) { return integer }
        let decimal = number.decimal
        guard decimal.isWhole else { throw ContentMismatch(found: "a number with a fraction") }
        guard let integer = Int(decimal) else { throw ContentMismatch(found: "a whole number beyond an int's range") }
        return integer
    }

    private func double() throws(ContentMismatch) -> Double {
        guard case .number(let number) = self else { throw ContentMismatch(found: kind) }
        let double = number.double
        guard double.isFinite else { throw ContentMismatch(found: "a number beyond a double's range") }
        return double
    }

    private func bool() throws(ContentMismatch) -> Bool {
        guard case .boolean(let value) = self else { throw ContentMismatch(found: kind) }
        return value
    }

    private func bytes() throws(ContentMismatch) -> [UInt8] {
        let text: String
        if case .string(let value) = self {
            text = value
        } else if let value = parseMember("base64", of: "Bytes") {
            text = value
        } else {
            throw ContentMismatch(found: kind)
        }
        guard let bytes = ConfigBytesFromBase64StringDecoder().decode(text) else {
            throw ContentMismatch(found: "a string that is no base64")
        }
        return bytes
    }

    /// A text of an object that stands for one of Parse's types: `{"__type": "Date", "iso": "2011-08-21T18:02:52.249Z"}`.
    private func parseMember(_ name: String, of type: String) -> String? {
        guard case .object(let object) = self, object["__type"] == .string(type),
            case .string(let text)? = object[name]
        else { return nil }
        return text
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

extension Int {
    /// The exact value of a whole decimal; `nil` for a fraction and beyond the range.
    fileprivate init?(_ decimal: AllotConfiguration.Decimal) {
        // An Int has 19 digits at most; an exponent may be anything.
        guard decimal.isWhole, decimal.digits.count + decimal.exponent <= 19 else { return nil }
        var value = 0
        for digit in decimal.digits + Array(repeating: 0, count: decimal.exponent) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                decimal.isNegative
                ? product.subtractingReportingOverflow(Int(digit)) : product.addingReportingOverflow(Int(digit))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        self = value
    }
}
