import AllotConfiguration

import struct Foundation.Date

/// A configuration as it was fetched: the bytes that the server sent, and where they come from.
struct StoredConfiguration: Sendable {
    let user: String?
    /// The user's attributes when it was requested; they contain the IDs of units other than the user.
    let attributes: JSONObject
    let body: [UInt8]
    let document: ConfigurationDocument
    let entityTag: String?
    let signature: String?
    /// When the server last sent or confirmed it.
    var fetchedAt: Date
    /// Whether it did so in this run of the app.
    var origin: ConfigurationOrigin

    /// Keeps a server's answer.
    init(
        user: ConfigurationUser, body: [UInt8], document: ConfigurationDocument, answer: DownloadAnswer, fetchedAt: Date
    ) {
        self.user = user.id
        attributes = user.attributes
        self.body = body
        self.document = document
        entityTag = answer.entityTag
        signature = answer.signature
        self.fetchedAt = fetchedAt
        origin = .remote
    }
}

/// The contents of a record are a line of JSON, the header, and then exactly the bytes of the body, which a signature
/// covers.
extension StoredConfiguration {
    private static let format = 1

    /// The record's bytes.
    var record: [UInt8] {
        var header: JSONObject = [
            "attributes": .object(attributes), "fetchedAt": fetchedAt.millisecondsJSON,
            "format": .number(JSONNumber(Self.format)),
        ]
        header["entityTag"] = entityTag.map(JSONValue.string)
        header["signature"] = signature.map(JSONValue.string)
        header["user"] = user.map(JSONValue.string)
        return CheckedRecord.encode(JSONValue.object(header).canonicalBytes + [UInt8(ascii: "\n")] + body)
    }

    /// Reads a record. One that is incomplete, or belongs to another user, is corrupt.
    init(record: [UInt8], user: String?) throws(StoreError) {
        let contents = try CheckedRecord.decode(record, consequence: Self.consequence)
        guard let end = contents.firstIndex(of: UInt8(ascii: "\n")) else { throw Self.corrupt("it has no header") }
        let header = try JSONObject(contents: Array(contents[..<end]), consequence: Self.consequence)
        let body = Array(contents[(end + 1)...])
        guard header["format"] == .number(JSONNumber(Self.format)) else {
            throw Self.corrupt("its format is not \(Self.format)")
        }
        guard header.text("user").map(UTF8Key.init) == user.map(UTF8Key.init) else {
            throw Self.corrupt("it belongs to another user")
        }
        guard let fetchedAt = header.date("fetchedAt") else { throw Self.corrupt("it has no time") }
        guard let attributes = header.object("attributes") else { throw Self.corrupt("it has no attributes") }
        do throws(ConfigurationDocumentError) {
            document = try ConfigurationDocument(parsing: body)
        } catch {
            throw Self.corrupt("\(error)")
        }
        self.user = user
        self.attributes = attributes
        self.body = body
        entityTag = header.text("entityTag")
        signature = header.text("signature")
        self.fetchedAt = fetchedAt
        origin = .stored
    }

    private static func corrupt(_ reason: String) -> StoreError {
        StoreError(.corrupt, "\(consequence): \(reason)")
    }

    private static let consequence = "the stored configuration is corrupt and is not used"
}

extension StoredConfiguration {
    /// Notes that the server has confirmed it.
    mutating func confirm(at date: Date) {
        fetchedAt = date
        origin = .remote
    }
}
