import AllotConfiguration

/// How conditions read a value: as the type that a literal has.
extension AttributeValue {
    @inline(__always) func isText(equalTo literal: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        isText && length == literal.count && ByteTable.areEqual(bytes.extracting(range), literal)
    }

    /// The value as a number. Returns `nil` if it is not one and does not read as one.
    func number(in bytes: Span<UInt8>) -> Double? {
        switch kind {
        case .number: number
        case .text, .untyped: Double(attributeText: bytes.extracting(range))
        default: nil
        }
    }

    /// The value as a boolean. Untyped text is `true` or `false` in any case; other values return `nil`.
    func boolean(in bytes: Span<UInt8>) -> Bool? {
        switch kind {
        case .boolean: length == 1
        case .untyped: isWord("true", in: bytes) ? true : isWord("false", in: bytes) ? false : nil
        default: nil
        }
    }

    private func isWord(_ word: StaticString, in bytes: Span<UInt8>) -> Bool {
        guard length == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { letters in
            for index in 0..<length where bytes[start + index] | 0x20 != letters[index] { return false }
            return true
        }
    }

    /// Whether `$type` finds this type. Untyped text is text, and also of the type that it reads as.
    func isType(_ type: Condition.ValueType, in bytes: Span<UInt8>) -> Bool {
        switch kind {
        case .missing, .null: type == .null
        case .boolean: type == .boolean
        case .number: type == .number
        case .text: type == .string
        case .untyped:
            switch type {
            case .string: true
            case .number: number(in: bytes) != nil
            case .boolean: boolean(in: bytes) != nil
            case .null, .array, .object: false
            }
        case .array: type == .array
        case .object: type == .object
        }
    }

    @inline(__always) var elements: Range<Int> { kind == .array ? range : 0..<0 }

    func member(_ path: [[UInt8]], _ values: Span<AttributeValue>, _ bytes: Span<UInt8>) -> AttributeValue {
        var value = self
        for name in path {
            guard value.kind == .object else { return .missing }
            var found = AttributeValue.missing
            for index in 0..<value.length where values[value.start + index * 2].isText(equalTo: name.span, in: bytes) {
                found = values[value.start + index * 2 + 1]
            }
            value = found
        }
        return value
    }

    /// Deep equality of a typed value with a literal array or object, whatever the order of members.
    func isEqual(to literal: JSONValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>) -> Bool {
        switch (kind, literal) {
        case (.null, .null): return true
        case (.boolean, .boolean(let flag)): return (length == 1) == flag
        case (.number, .number(let literal)): return number == literal.double
        case (.text, .string(let text)): return isText(equalTo: Array(text.utf8).span, in: bytes)
        case (.array, .array(let literals)):
            guard length == literals.count else { return false }
            for index in literals.indices where !values[start + index].isEqual(to: literals[index], values, bytes) {
                return false
            }
            return true
        case (.object, .object(let object)):
            // Members of both sides are sorted by the bytes of their names.
            guard length == object.members.count else { return false }
            for (index, member) in object.members.enumerated() {
                guard values[start + index * 2].isText(equalTo: Array(member.key.utf8).span, in: bytes),
                    values[start + index * 2 + 1].isEqual(to: member.value, values, bytes)
                else { return false }
            }
            return true
        default: return false
        }
    }
}
