import AllotConfiguration

import struct Foundation.Date

/// The form of all records: a line with the checksum of what follows, and what follows.
enum CheckedRecord {
    /// Puts the checksum before a record's contents.
    static func encode(_ contents: [UInt8]) -> [UInt8] {
        Array(Checksum.text(of: contents).utf8) + [UInt8(ascii: "\n")] + contents
    }

    /// The contents of a record that is whole.
    ///
    /// - Parameter consequence: what a corrupt one comes to, for people.
    static func decode(_ record: [UInt8], consequence: String) throws(StoreError) -> ArraySlice<UInt8> {
        guard let end = record.firstIndex(of: UInt8(ascii: "\n")) else {
            throw StoreError(.corrupt, "\(consequence): it is not whole")
        }
        let contents = record[(end + 1)...]
        guard record[..<end].elementsEqual(Checksum.text(of: contents).utf8) else {
            throw StoreError(.corrupt, "\(consequence): its checksum is not that of its bytes")
        }
        return contents
    }
}

/// A checksum that tells damaged bytes from whole ones: FNV-1a with 64 bits (draft-eastlake-fnv). It is no protection from
/// people; signatures are.
enum Checksum {
    /// The checksum as 16 hexadecimal digits. Complexity: O(*n*), about a nanosecond a byte.
    static func text(of bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

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
