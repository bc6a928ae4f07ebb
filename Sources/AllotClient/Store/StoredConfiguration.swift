import AllotConfiguration

import struct Foundation.Date

/// A configuration as it was fetched: the bytes that the server sent, and what is known of them.
struct StoredConfiguration: Sendable {
    let user: String?
    let body: [UInt8]
    let document: ConfigurationDocument
    let entityTag: String?
    let signature: String?
    /// When the server last gave or confirmed it.
    var fetchedAt: Date
    /// Whether it did so in this run of the app.
    var origin: ConfigurationOrigin

    /// Takes what the server sent.
    init(user: String?, body: [UInt8], document: ConfigurationDocument, answer: DownloadAnswer, fetchedAt: Date) {
        self.user = user
        self.body = body
        self.document = document
        entityTag = answer.entityTag
        signature = answer.signature
        self.fetchedAt = fetchedAt
        origin = .remote
    }
}

/// A record is a line of JSON, the header, and behind it the bytes of the body: a signature covers these exactly.
extension StoredConfiguration {
    private static let format = 1

    /// The record's bytes.
    var record: [UInt8] {
        var header: JSONObject = [
            "checksum": .string(Checksum.text(of: body)), "fetchedAt": .number(JSONNumber(fetchedAt.milliseconds)),
            "format": .number(JSONNumber(Self.format)),
        ]
        header["entityTag"] = entityTag.map(JSONValue.string)
        header["signature"] = signature.map(JSONValue.string)
        header["user"] = user.map(JSONValue.string)
        return JSONValue.object(header).canonicalBytes + [UInt8(ascii: "\n")] + body
    }

    /// Reads a record; one that is not whole, or of another user, is corrupt.
    init(record: [UInt8], user: String?) throws(StoreError) {
        guard let end = record.firstIndex(of: UInt8(ascii: "\n")) else { throw Self.corrupt("it has no header") }
        let header = try JSONObject(record: Array(record[..<end]), consequence: Self.consequence)
        let body = Array(record[(end + 1)...])
        guard header["format"] == .number(JSONNumber(Self.format)) else {
            throw Self.corrupt("its format is not \(Self.format)")
        }
        guard header.text("checksum") == Checksum.text(of: body) else {
            throw Self.corrupt("its checksum is not that of its bytes")
        }
        guard header.text("user").map(UTF8Key.init) == user.map(UTF8Key.init) else {
            throw Self.corrupt("it is another user's")
        }
        guard let fetchedAt = header.milliseconds("fetchedAt") else { throw Self.corrupt("it has no time") }
        do throws(ConfigurationDocumentError) {
            document = try ConfigurationDocument(parsing: body)
        } catch {
            throw Self.corrupt("\(error)")
        }
        self.user = user
        self.body = body
        entityTag = header.text("entityTag")
        signature = header.text("signature")
        self.fetchedAt = fetchedAt
        origin = .stored
    }

    private static func corrupt(_ reason: String) -> StoreError {
        StoreError(.corrupt, "\(consequence): \(reason)")
    }

    private static let consequence = "the stored configuration is corrupt and counts as absent"
}

extension Date {
    /// Milliseconds since 1970; the nearest that there are for times beyond all calendars.
    var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
    }
}
