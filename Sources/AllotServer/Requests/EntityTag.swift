import HTTPTypes

/// The strong entity tag of an answer (RFC 9110, section 8.8.3): the plan's revision and what was decided, so that all
/// servers with the same definitions agree on it.
struct EntityTag {
    private let text: String

    init(revision: String, fingerprint: String) {
        text = "\(revision)-\(fingerprint)"
    }

    /// The tag as headers contain it. A compressed answer is another representation and has another tag.
    func header(isCompressed: Bool) -> String {
        "\"\(text)\(isCompressed ? Self.compressedSuffix : "")\""
    }

    private static let compressedSuffix = "-gzip"

    /// Whether a client that sends this `If-None-Match` already has the representation.
    func matches(_ header: String?, isCompressed: Bool) -> Bool {
        guard let header else { return false }
        let own = self.header(isCompressed: isCompressed)
        return header.split(separator: ",").contains { entry in
            var tag = entry.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag == own || tag == "*"
        }
    }
}
