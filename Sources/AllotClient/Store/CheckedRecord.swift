import AllotConfiguration

/// The form of all records: a line with the checksum of the contents, then the contents.
enum CheckedRecord {
    static func encode(_ contents: [UInt8]) -> [UInt8] {
        Array("\(FNV1a.hash64(contents).hexadecimal)\n".utf8) + contents
    }

    static func encode(_ object: JSONObject) -> [UInt8] { encode(JSONValue.object(object).canonicalBytes) }

    /// The contents of a complete record; `consequence` is what it means for people that it is corrupt.
    static func decode(_ record: [UInt8], consequence: String) throws(StoreError) -> [UInt8] {
        guard let end = record.firstIndex(of: UInt8(ascii: "\n")) else {
            throw StoreError(.corrupt, "\(consequence): it is incomplete")
        }
        let contents = Array(record[(end + 1)...])
        guard record[..<end].elementsEqual(FNV1a.hash64(contents).hexadecimal.utf8) else {
            throw StoreError(.corrupt, "\(consequence): its checksum does not match its bytes")
        }
        return contents
    }
}

extension JSONObject {
    init(record: [UInt8], consequence: String) throws(StoreError) {
        try self.init(contents: CheckedRecord.decode(record, consequence: consequence), consequence: consequence)
    }

    init(contents: [UInt8], consequence: String) throws(StoreError) {
        let value: JSONValue
        do throws(JSONParsingError) {
            value = try JSONValue(parsing: contents)
        } catch {
            throw StoreError(.corrupt, "\(consequence): \(error)")
        }
        guard let object = value.asObject else {
            throw StoreError(.corrupt, "\(consequence): it is of type \(value.typeName), not an object")
        }
        self = object
    }
}
