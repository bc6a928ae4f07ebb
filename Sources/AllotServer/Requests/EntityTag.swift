import HTTPTypes

/// The strong entity tag of an answer (RFC 9110, section 8.8.3): the plan's revision and what was decided, so that all
/// servers with the same definitions agree on it.
struct EntityTag {
    private let text: String

    init(revision: String, fingerprint: String) {
        text = "\(revision)-\(fingerprint)"
    }

    /// The tag as a header has it; a compressed answer is another representation and has another tag.
    func header(isCompressed: Bool) -> String {
        "\"\(text)\(isCompressed ? Self.compressedSuffix : "")\""
    }

    private static let compressedSuffix = "-gzip"

    /// Whether a client that sends `If-None-Match` has this answer already, in either representation.
    func matches(_ header: String?) -> Bool {
        guard let header else { return false }
        let tags = [self.header(isCompressed: false), self.header(isCompressed: true), "*"]
        return header.split(separator: ",").contains { entry in
            var tag = entry.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tags.contains { tag == $0 }
        }
    }
}
