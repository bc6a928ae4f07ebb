import AllotConfiguration

/// Names for the columns of stages: readable, made of small ASCII letters, each given once.
struct InternalNames {
    /// What all of them begin with; a table's own columns must not.
    static let prefix = "allot_"
    /// Engines cut names off at 63 bytes or more; the prefix takes 6, and a number behind what little is left.
    private static let longest = 40

    private var names: [UTF8Key: String] = [:]
    /// Names of stages and of the row are taken.
    private var taken: Set<String> = Set(
        [
            "source", "row", "rows", "attributes", "readings", "digests", "buckets", "reasons", "variants", "decisions",
            "experiments",
        ].map { prefix + $0 })

    /// Whether a table's column could be taken for one of these.
    static func isReserved(_ name: String) -> Bool { name.lowercasedASCII.hasPrefix(prefix) }

    /// The name for something, the same whenever it is asked for.
    ///
    /// - Parameters:
    ///   - kind: a word of its own for each kind of thing, so that an attribute and an experiment of one name differ.
    ///   - text: any text.
    mutating func name(_ kind: String, _ text: String) -> String {
        let key = UTF8Key("\(kind)\n\(text)")
        if let known = names[key] { return known }
        let plain = text.unicodeScalars.prefix(Self.longest - kind.utf8.count).map { scalar -> Character in
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain ? Character(scalar) : "_"
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

    /// All names that stand in a text, and perhaps others that look like names.
    static func mentioned(in text: String) -> Set<String> {
        var found: Set<String> = []
        var word: [UInt8] = []
        for byte in text.utf8 {
            if byte.isOfPlainName {
                word.append(byte)
            } else if !word.isEmpty {
                found.insert(String(decoding: word, as: UTF8.self))
                word.removeAll(keepingCapacity: true)
            }
        }
        found.insert(String(decoding: word, as: UTF8.self))
        return found
    }
}
