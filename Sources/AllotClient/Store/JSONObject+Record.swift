import AllotConfiguration

import struct Foundation.Date

extension JSONObject {
    /// Reads a record's object.
    ///
    /// - Parameter consequence: what a corrupt one comes to, for people.
    init(record: [UInt8], consequence: String) throws(StoreError) {
        try self.init(contents: CheckedRecord.decode(record, consequence: consequence), consequence: consequence)
    }

    /// Reads an object from a part of a record.
    init(contents: ArraySlice<UInt8>, consequence: String) throws(StoreError) {
        let value: JSONValue
        do throws(JSONParsingError) {
            value = try JSONValue(parsing: Array(contents))
        } catch {
            throw StoreError(.corrupt, "\(consequence): \(error)")
        }
        guard case .object(let object) = value else {
            throw StoreError(.corrupt, "\(consequence): it is of type \(value.typeName) where an object was written")
        }
        self = object
    }

    /// A time in milliseconds since 1970.
    func milliseconds(_ name: String) -> Date? {
        guard case .number(let number)? = self[name], let milliseconds = Int64(number.text) else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
