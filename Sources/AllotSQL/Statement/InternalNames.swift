import AllotConfiguration

/// Names for the columns of stages: readable, unique, and in lower-case ASCII.
struct InternalNames {
    /// The prefix of all names. Columns of tables must not have it.
    static let prefix = "allot_"
    /// The longest name without prefix and number. Engines cut off names after 63 bytes or more.
    private static let longest = 40

    private var names: [UTF8Key: String] = [:]
    /// The names that are in use, with those of stages and of the row.
    private var taken: Set<String> = Set(
        [
            "source", "row", "rows", "attributes", "units", "readings", "digests", "buckets", "reasons", "variants",
            "decisions", "experiments", "outcomes", "lists", "outcome_list", "bucket_list", "unit_list", "number",
        ].map { prefix + $0 })

    /// Whether a column of a table could be confused with one of these names.
    static func isReserved(_ name: String) -> Bool { name.lowercasedASCII.hasPrefix(prefix) }

    /// The name of a thing, always the same for the same thing.
    mutating func name(_ kind: String, _ text: String) -> String {
        let key = UTF8Key("\(kind)\n\(text)")
        if let known = names[key] { return known }
        let plain = text.unicodeScalars.prefix(Self.longest - kind.utf8.count).map { scalar -> Character in
            UInt8(exactly: scalar.value)?.isOfPlainName == true ? Character(scalar) : "_"
        }
        let base = Self.prefix + kind + String(plain).lowercased()
        var name = base
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(base)_\(number)"
            number += 1
        }
        names[key] = name
        return name
    }

    /// All names in a text, and perhaps other words that look like names.
    static func mentioned(in text: String) -> Set<String> {
        Set(text.utf8.split { !$0.isOfPlainName }.map { String(decoding: $0, as: UTF8.self) })
    }
}
