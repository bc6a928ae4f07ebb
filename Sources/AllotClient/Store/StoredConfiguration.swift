import AllotConfiguration

import struct Foundation.Date

/// A configuration as it was fetched: the bytes that the server sent, and their provenance.
struct StoredConfiguration: Sendable {
    let user: String?
    /// Larger than that of each response for the user before, whatever the clock said.
    let number: Int
    /// The user's attributes when the server last sent or confirmed it, with the IDs of other units.
    private(set) var attributes: JSONObject
    let body: [UInt8]
    let document: ConfigurationDocument
    let entityTag: String?
    let signature: String?
    /// The name of the server that sent it; `nil` if it is not known.
    var server: String?
    /// When the server last sent or confirmed it.
    var fetchedAt: Date
    /// Whether it did so in this run of the app.
    var origin = ConfigurationOrigin.remote
}

/// The contents of a record are a line of JSON, the header, and then the bytes that a signature covers.
extension StoredConfiguration {
    private static let format = 1

    var record: [UInt8] {
        let header = JSONValue(members: [
            "attributes": attributes, "fetchedAt": fetchedAt.milliseconds, "format": Self.format, "number": number,
            "entityTag": entityTag, "server": server, "signature": signature, "user": user,
        ])
        return CheckedRecord.encode(header.canonicalBytes + [UInt8(ascii: "\n")] + body)
    }

    init(record: [UInt8], user: String?) throws(StoreError) {
        let contents = try CheckedRecord.decode(record, consequence: Self.consequence)
        guard let end = contents.firstIndex(of: UInt8(ascii: "\n")) else { throw Self.corrupt("the header is missing") }
        let header = try JSONObject(contents: Array(contents[..<end]), consequence: Self.consequence)
        let body = Array(contents[(end + 1)...])
        guard header["format"] == .number(JSONNumber(Self.format)) else {
            throw Self.corrupt("its format is not \(Self.format)")
        }
        guard header.text("user").map(UTF8Key.init) == user.map(UTF8Key.init) else {
            throw Self.corrupt("the record belongs to another user")
        }
        guard let fetchedAt = header.date("fetchedAt") else { throw Self.corrupt("the time is missing") }
        guard let attributes = header.object("attributes") else { throw Self.corrupt("the attributes are missing") }
        let document: ConfigurationDocument
        do throws(ConfigurationDocumentError) {
            document = try ConfigurationDocument(parsing: body)
        } catch { throw Self.corrupt("\(error)") }
        // Versions before this one wrote no number.
        let number = header["number"]?.asNumber.flatMap { Int(exactly: $0.double) } ?? 0
        self.init(
            user: user, number: number, attributes: attributes, body: body, document: document,
            entityTag: header.text("entityTag"), signature: header.text("signature"), server: header.text("server"),
            fetchedAt: fetchedAt, origin: .stored)
    }

    private static func corrupt(_ reason: String) -> StoreError { StoreError(.corrupt, "\(consequence): \(reason)") }

    private static let consequence = "the stored configuration is corrupt and is not used"
}

extension StoredConfiguration {
    func isOlder(than other: StoredConfiguration) -> Bool {
        // Records of earlier versions have no numbers.
        number == other.number ? fetchedAt < other.fetchedAt : number < other.number
    }

    /// Notes that the server has confirmed it for a user, whose attributes may be new.
    mutating func confirm(for user: ConfigurationUser, at date: Date) {
        attributes = user.attributes
        fetchedAt = date
        origin = .remote
    }
}

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
        } catch { throw StoreError(.corrupt, "\(consequence): \(error)") }
        guard let object = value.asObject else {
            throw StoreError(.corrupt, "\(consequence): it is of type \(value.typeName), not an object")
        }
        self = object
    }
}
