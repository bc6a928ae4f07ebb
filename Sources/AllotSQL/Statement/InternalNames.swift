import AllotConfiguration

/// Names for the columns of stages: readable, made of small ASCII letters, each given once.
struct InternalNames {
    /// What all of them begin with; a table's own columns must not.
    static let prefix = "allot_"
    /// Engines cut names off at 63 bytes or more; what is added behind takes up to 23.
    private static let longest = 40

    private var names: [UTF8Key: String] = [:]
    private var taken: Set<String> = []

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
}
