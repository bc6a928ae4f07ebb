/// The strong entity tag of an answer (RFC 9110, section 8.8.3): the plan's revision, what was decided, and the form of
/// answers, so that all servers of one version with the same definitions agree on it.
package struct EntityTag {
    private let text: String

    /// The form of answers, which changes whenever the same decisions of the same plan are written with other bytes.
    /// Compression does not count: however a body is compressed, clients read the same bytes.
    private static let form = 3

    package init(revision: String, fingerprint: String) { text = "\(revision)-\(fingerprint)-\(Self.form)" }

    /// The tag as headers contain it. A compressed answer is another representation and has another tag.
    package func header(isCompressed: Bool) -> String { "\"\(text)\(isCompressed ? "-gzip" : "")\"" }

    /// Whether a client that sends this `If-None-Match` already has the representation.
    package func matches(_ header: String, isCompressed: Bool) -> Bool {
        let own = self.header(isCompressed: isCompressed)
        // What nearly all clients send.
        if header == own { return true }
        return header.utf8.split(separator: UInt8(ascii: ",")).contains { entry in
            var tag = entry.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            while tag.last == UInt8(ascii: " ") || tag.last == UInt8(ascii: "\t") { tag.removeLast() }
            if tag.starts(with: "W/".utf8) { tag = tag.dropFirst(2) }
            return tag.elementsEqual(own.utf8) || tag.elementsEqual("*".utf8)
        }
    }
}
