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
