import AllotConfiguration

/// The names of records' files.
///
/// They are ASCII in lower case, since file systems fold case and normalise other characters. An ID whose name would be
/// too long is hashed; the client checks whose a record is, so that a collision costs only a stored configuration.
enum StoreFileName {
    /// The maximal length of an escaped ID. Names and those of temporary files stay below 143 bytes, the limit of
    /// encrypted file systems.
    static let longestEscapedID = 96

    /// The name of a record. An escaped ID has no ".", so that the name without one belongs to no user.
    static func name(_ record: StoreRecord) -> String {
        if let hash = record.sha256 { return "\(record.kind.rawValue).sha256-\(escaped(hash))" }
        guard let user = record.user else { return record.kind.rawValue }
        let escaped = escaped(user)
        if escaped.utf8.count <= longestEscapedID { return "\(record.kind.rawValue).user-\(escaped)" }
        return "\(record.kind.rawValue).hash-\(FNV1a.hash128(Array(user.utf8)).hexadecimal)"
    }

    /// A text with all bytes except lower-case letters, digits, "-" and "_" as `%xx`.
    static func escaped(_ text: String) -> String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return text.percentEncoded { ($0.isOfPlainName || $0 == UInt8(ascii: "-")) && !capitals.contains($0) }
            .lowercased()
    }
}
