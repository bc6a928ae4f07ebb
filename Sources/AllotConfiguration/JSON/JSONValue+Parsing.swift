extension JSONValue {
    /// Reads one JSON value. Numbers keep their digits; a key that is given twice is an error.
    ///
    /// - Parameter allowsTrailingCommas: whether a comma may precede a closing bracket. RFC 8259 forbids it;
    ///   MSActiveConfig's own examples contain it.
    /// - Parameter bytes: The text, in UTF-8.
    /// - Parameter depthLimit: How many arrays and objects may be nested.
    /// - Throws: ``JSONParsingError`` with line and column.
    /// - Complexity: O(*n*), and a stack of at most `depthLimit` levels.
    public init(parsing bytes: [UInt8], depthLimit: Int = 100, allowsTrailingCommas: Bool = false)
        throws(JSONParsingError)
    {
        var parser = JSONParser(
            bytes, builder: ValueBuilder(), depthLimit: depthLimit, allowsTrailingCommas: allowsTrailingCommas)
        self = try parser.parse()
    }

    /// Reads JSON that stands in source, for values that would be long as a Swift literal:
    /// `JSONValue(literal: "{\"columns\": [1, 2]}")`.
    ///
    /// Never fails: text that is not valid JSON, or nests deeper than 100 levels, becomes ``null``. For text
    /// that is not your own use ``init(parsing:depthLimit:allowsTrailingCommas:)``, which reports what is wrong.
    ///
    /// - Complexity: O(*n*).
    public init(literal text: String) { self = (try? JSONValue(parsing: Array(text.utf8))) ?? .null }

    private struct ValueBuilder: JSONBuilder {
        func mark(at offset: Int, in bytes: [UInt8]) -> Int { offset }
        func null(_ mark: Int) -> JSONValue { .null }
        func boolean(_ value: Bool, _ mark: Int) -> JSONValue { .boolean(value) }
        func number(_ text: String, _ mark: Int) -> JSONValue { .number(JSONNumber(unchecked: text)) }
        func string(_ text: String, _ mark: Int) -> JSONValue { .string(text) }
        func array(_ elements: [JSONValue], _ mark: Int) -> JSONValue { .array(elements) }

        func object(_ members: [(key: String, keyMark: Int, value: JSONValue)], _ mark: Int) throws(JSONFault)
            -> JSONValue
        {
            let pairs = members.lazy.map { (key: $0.key, value: $0.value) }
            if let object = JSONObject(ascending: pairs) { return .object(object) }
            let object = JSONObject(pairs)
            if object.members.count < members.count {
                var seen: Set<UTF8Key> = []
                for member in members where !seen.insert(UTF8Key(member.key)).inserted {
                    throw JSONFault(
                        message: "the key \(QuotedText(member.key)) is given twice; keep one", offset: member.keyMark)
                }
            }
            return .object(object)
        }
    }
}
