import Foundation

/// Makes Swift identifiers of any names, in the case that Swift uses for them.
enum SwiftName {
    /// `maxItems` from `MaxItems`, `max-items` or `MAX_ITEMS`: for properties.
    static func lowerCamelCase(_ name: String, else fallback: String) -> String {
        let words = words(of: name)
        let joined = lowercasingStart(of: words.first ?? "") + words.dropFirst().map(capitalizingStart).joined()
        return identifier(joined, fallback)
    }

    /// `MaxItems` from the same: for types.
    static func upperCamelCase(_ name: String, else fallback: String) -> String {
        identifier(words(of: name).map(capitalizingStart).joined(), fallback)
    }

    /// `a_20_b` from `a b`: an identifier that no other text has, with an underscore, unlike names in camel case.
    static func exact(_ text: String) -> String {
        guard !text.isEmpty else { return "empty_" }
        let name = text.unicodeScalars.map { scalar in
            isLetter(scalar) || isDigit(scalar) ? "\(scalar)" : "_\(String(scalar.value, radix: 16, uppercase: true))_"
        }.joined()
        // Between names with pairs of underscores and other ones there is no confusion.
        return name.contains("_") && name.unicodeScalars.first.map(isDigit) != true ? name : "_" + name
    }

    /// An identifier as source: a word that Swift reserves is put between backticks.
    static func source(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// The text, after a word if it is not an identifier by itself.
    private static func identifier(_ text: String, _ fallback: String) -> String {
        guard let first = text.unicodeScalars.first else { return fallback }
        // Backticks do not help these everywhere.
        if ["init", "self", "Self", "Type", "Protocol", "deinit", "subscript"].contains(text) {
            return fallback + capitalizingStart(text)
        }
        return isDigit(first) ? fallback + text : text
    }

    /// The runs of ASCII letters and digits, without marks above them. Several words in capitals become lower case.
    private static func words(of name: String) -> [String] {
        let scalars = name.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
            $0.properties.generalCategory != .nonspacingMark
        }
        let words = scalars.split { !isLetter($0) && !isDigit($0) }.map { String(String.UnicodeScalarView($0)) }
        let isShouted = words.count > 1 && !words.joined().contains { $0.isLowercase }
        return isShouted ? words.map { $0.lowercased() } : words
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    private static func capitalizingStart(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// `urlPath` from `URLPath`, `id` from `ID`.
    private static func lowercasingStart(of word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }.count
        let rest = word.dropFirst(capitals)
        let isFollowed = rest.first?.isLowercase == true
        let count = capitals > 1 && isFollowed ? capitals - 1 : capitals
        return word.prefix(count).lowercased() + word.dropFirst(count)
    }

    /// Reserved words, including those that are reserved in some places only, since backticks cost nothing.
    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "static", "struct", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while",
        // In some places.
        "actor", "any", "associativity", "async", "await", "borrow", "borrowing", "consume", "consuming", "convenience",
        "copy", "didSet", "discard", "distributed", "dynamic", "each", "final", "get", "indirect", "infix", "isolated",
        "lazy", "left", "macro", "module", "modify", "mutating", "none", "nonisolated", "nonmutating", "of", "open",
        "optional", "override", "package", "postfix", "precedence", "prefix", "read", "reasync", "required", "right",
        "sending", "set", "some", "then", "unowned", "unsafe", "using", "weak", "willSet", "yield",
    ]
}

struct SwiftScope {
    private var taken: Set<String>
    private(set) var changes: [(name: String, identifier: String)] = []

    init(reserving names: Set<String> = []) { taken = names }

    /// The identifier, with the first free number after it if it is taken.
    mutating func identifier(_ wanted: String, for name: String) -> String {
        var identifier = wanted
        var number = 2
        while !taken.insert(identifier).inserted {
            identifier = "\(wanted)\(number)"
            number += 1
        }
        if identifier != wanted { changes.append((name, identifier)) }
        return identifier
    }
}
