import AllotConfiguration

/// Text that reads as something else, and how to write that. Conditions compare text byte by byte, so text such as
/// `>=4.2.0`, `DE, AT` or `True` equals next to nothing. Each rule of the table below names one way to write such text;
/// the first rule that finds something gives the message.
package enum DoubtfulText {
    /// A text as a condition, a group or a setting has it.
    struct Use {
        let text: String
        let style: LiteralStyle
        /// The attribute that is compared with it; `nil` in a group or for an element.
        let attribute: String?
    }

    private typealias Rule = @Sendable (Use) -> String?

    /// The rules for text that a value has to equal.
    private static let rules: [Rule] = [
        wordDoubt, comparisonDoubt, rangeDoubt, literalDoubt, listDoubt, patternDoubt, spaceDoubt,
    ]
    private static let partRules: [Rule] = [literalDoubt, listDoubt, patternDoubt, letterAndStarDoubt]

    static func doubt(_ use: Use) -> String? { rules.lazy.compactMap { $0(use) }.first }
    static func partDoubt(_ use: Use) -> String? { partRules.lazy.compactMap { $0(use) }.first }

    // MARK: Lists

    /// The doubts about the members of a list of which one is enough, each with its place. A member that could be one
    /// value among others is not doubted: `NO` beside `SE`, `<18` beside `18-24`, `Washington, DC` beside `Portland,
    /// OR`.
    package static func doubts(
        among nodes: [some ConditionNode], of attribute: String?
    ) -> [(index: Int, message: String)] {
        let words = Set(words(among: nodes))
        let texts = nodes.map { if case .string(let text) = $0.json { text } else { "" } }
        var rules: [Rule] = [literalDoubt, patternDoubt, spaceDoubt]
        if texts.allSatisfy({ comparison($0) != nil }) { rules.append(comparisonDoubt) }
        if nodes.count == 1 {
            rules.append(anyListDoubt)
        } else if texts.count(where: holdsSeparator) == 1 {
            rules.append(listDoubt)
        }
        return nodes.indices.compactMap { index -> (index: Int, message: String)? in
            let use = Use(text: texts[index], style: nodes[index].style, attribute: attribute)
            if use.style == .leftOut { return (index, "a value is left out here, which counts as null; write it") }
            if use.text.isEmpty { return nil }
            let message = words.contains(index) ? wordDoubt(use) : rules.lazy.compactMap { $0(use) }.first
            return message.map { (index, $0) }
        }
    }

    // MARK: Words and numbers of YAML

    /// The words without quotes that other readers of YAML, or other languages, take for a boolean or null.
    private static let words: [String: String] = [
        "True": "true", "TRUE": "true", "yes": "true", "Yes": "true", "YES": "true", "on": "true", "On": "true",
        "ON": "true", "False": "false", "FALSE": "false", "no": "false", "No": "false", "NO": "false", "off": "false",
        "Off": "false", "OFF": "false", "Null": "null", "NULL": "null", "None": "null", "nil": "null", "Nil": "null",
        "undefined": "null", ".nan": "null", ".NaN": "null", ".NAN": "null", ".inf": "a finite number",
        ".Inf": "a finite number", ".INF": "a finite number", "-.inf": "a finite number",
    ]
    /// The letters that stand for a boolean where an attribute's name asks a question.
    private static let flags: [String: String] = [
        "y": "true", "Y": "true", "t": "true", "T": "true", "n": "false", "N": "false", "f": "false", "F": "false",
    ]
    /// The words that are hardly a text, even among others.
    private static let certainWords: Set<String> = ["True", "TRUE", "False", "FALSE", "Null", "NULL"]

    /// The boolean, null or number that a text without quotes reads as elsewhere; `nil` if it reads as text.
    private static func reading(of text: String) -> String? {
        if let word = text.utf8.count <= 9 ? words[text] : nil { return word }
        if JSONNumber.isNumber(text) { return nil }
        if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).map(String.init) }
        if text.hasPrefix("0o") { return UInt64(text.dropFirst(2), radix: 8).map(String.init) }
        return number(text)
    }

    /// Whether a text without quotes may read as something else.
    package static func isWord(_ text: String) -> Bool { reading(of: text) != nil || flags[text] != nil }

    /// The doubt about a text of a setting. `NO` alone is not doubted: it is Norway.
    package static func settingDoubt(_ text: String) -> String? {
        text == "NO" ? nil : reading(of: text).map { wordMessage(text, $0) }
    }

    package static let leftOutDoubt =
        "a value is left out here, which counts as null; write it, or null if that is meant"

    /// The places of the texts without quotes in a list that read as something else.
    package static func words(among nodes: [some ConditionNode]) -> [Int] {
        var found: [Int] = []
        for (index, node) in nodes.enumerated() where node.style == .plain {
            if case .string(let text) = node.json, reading(of: text) != nil { found.append(index) }
        }
        if found.count == nodes.count, nodes.count > 1 || nodes.first?.json != "NO" { return found }
        return found.filter { index in
            guard case .string(let text) = nodes[index].json else { return false }
            return certainWords.contains(text) || words[text] == nil
        }
    }

    private static func wordMessage(_ text: String, _ meaning: String) -> String {
        "\(text) is text here; write \(meaning), or \(QuotedText(text)) in quotes if the text is meant"
    }

    private static func wordDoubt(_ use: Use) -> String? {
        let name = use.attribute ?? ""
        guard use.style == .plain,
            let meaning = reading(of: use.text) ?? (asksYesOrNo(name) ? flags[use.text] : nil)
        else { return nil }
        // `NO` is Norway and `no` Norwegian, unless the attribute's name asks a question.
        let mayBePlace = use.text == "NO" && !asksYesOrNo(name) || use.text.lowercased() == "no" && namesPlace(name)
        return mayBePlace ? nil : wordMessage(use.text, meaning)
    }

    private static func asksYesOrNo(_ name: String) -> Bool {
        let last = lastPart(of: name)
        return last.hasSuffix("ed") || last == "active"
            || ["is", "has", "can", "was", "allows", "wants"].contains { start in
                guard last.hasPrefix(start), let next = last.dropFirst(start.count).first else { return false }
                return next == "_" || next == "-" || next.isUppercase
            }
    }

    private static func namesPlace(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["country", "region", "market", "locale", "lang", "nation", "geo", "iso", "land", "code", "tld"]
            .contains { name.contains($0) }
    }

    /// Whether an attribute's name says that a number is a version of it. For whole numbers only some names do: `17`
    /// may be all of a browser's version, or of a schema's.
    static func namesVersion(_ name: String, isWhole: Bool) -> Bool {
        let letters = lastPart(of: name).lowercased().filter { $0 != "_" && $0 != "-" }
        guard isWhole else { return letters.contains("version") }
        return ["app", "os", "ios", "android", "client", "sdk", "firmware"].contains { letters == $0 + "version" }
    }

    private static func lastPart(of name: String) -> String { AttributePath.parts(of: name).last ?? name }

    /// The number of JSON's grammar that a text reads as: `.5`, `+5`, `1_000` and `1,000` too.
    static func number(_ text: String) -> String? {
        if JSONNumber.isNumber(text) { return text }
        guard let first = text.utf8.first, first.isDigit || "+-.".utf8.contains(first) else { return nil }
        var digits = text
        // A longer number with a plus sign is that of a telephone.
        if digits.hasPrefix("+"), digits.utf8.count <= 6 { digits.removeFirst() }
        for separator in ["_", ","] as [Character] where digits.contains(separator) {
            let groups = digits.split(separator: separator, omittingEmptySubsequences: false)
            guard groups.dropFirst().allSatisfy({ $0.prefix(while: \.isNumber).count == 3 }) else { return nil }
            digits = groups.joined()
        }
        if digits.hasPrefix("-.") { digits = "-0" + digits.dropFirst() }
        if digits.hasPrefix(".") { digits = "0" + digits }
        if digits.hasSuffix(".") { digits.removeLast() }
        return JSONNumber.isNumber(digits) ? digits : nil
    }

    // MARK: Comparisons

    private static let signs: [(sign: String, name: String)] = [
        (">=", "$gte"), ("=>", "$gte"), ("≥", "$gte"), ("<=", "$lte"), ("=<", "$lte"), ("≤", "$lte"), ("<>", "$ne"),
        ("!=", "$ne"), ("==", "$eq"), ("=", "$eq"), (">", "$gt"), ("<", "$lt"), ("!", "$ne"), ("~>", "~"), ("~", "~"),
        ("^", "~"),
    ]

    /// The comparison that a text begins with, and what follows it.
    static func comparison(_ text: String) -> (name: String, operand: String)? {
        if let (sign, name) = signs.first(where: { text.hasPrefix($0.sign) }) {
            let rest = text.dropFirst(sign.count)
            let operand = trimmed(rest)
            guard let first = operand.utf8.first else { return nil }
            let isNumber = operand.drop { "v-.".contains($0) }.utf8.first?.isDigit ?? false
            // `<none>` and `~/folder` are text.
            let isOperand =
                switch name {
                case "$eq", "$ne": first.isLetterOrDigit || first == UInt8(ascii: "\"") || rest.first == " "
                case "~": isNumber
                default: isNumber || rest.first == " "
                }
            return isOperand ? (name, operand) : nil
        }
        // The words of operators: `gte 5`, `$in [DE, AT]`.
        guard let end = text.firstIndex(where: { " :[".contains($0) }), let name = operatorName(String(text[..<end]))
        else { return Operators.contains(text) ? (text, "…") : nil }
        let operand = trimmed(text[end...].drop { " :".contains($0) })
        // `not DE`, and no text such as `not set`.
        if name == "$not", isCode(operand) { return ("$ne", operand) }
        let isSigned = text.hasPrefix("$")
        let isList = operand.hasPrefix("[") && operand.hasSuffix("]")
        guard !operand.isEmpty, isSigned || isList || abbreviations.contains(String(text[..<end])) else { return nil }
        return (name, operand)
    }

    /// The names of operators that are no words of English.
    private static let abbreviations: Set<String> = [
        "eq", "ne", "gt", "gte", "lt", "lte", "nin", "veq", "vne", "vgt", "vgte", "vlt", "vlte",
    ]

    private static func comparisonDoubt(_ use: Use) -> String? {
        comparison(use.text).map { found in
            let isOrder = ["$gt", "$gte", "$lt", "$lte"].contains(found.name)
            let isVersion = isVersion(found.operand) || namesVersion(use.attribute ?? "", isWhole: false)
            let fix =
                switch found.name {
                case "$eq": "write \(found.operand)"
                case "~": "write $vgte and $vlt for a range of versions"
                case _ where isOrder && isVersion: "write { $v\(found.name.dropFirst()): \(found.operand) }"
                default: "write { \(found.name): \(found.operand) }"
                }
            return "\(QuotedText(use.text)) is compared as a whole, with the comparison that it begins with; \(fix)"
        }
    }

    /// A range in one text: `18..25`, or `4.2.0+`.
    private static func rangeDoubt(_ use: Use) -> String? {
        var fix: String?
        if use.text.hasSuffix("+"), isVersion(String(use.text.dropLast())) {
            fix = "$vgte: \(use.text.dropLast())"
        } else if let dots = use.text.firstIndex(of: "."), use.text[dots...].hasPrefix("..") {
            let end = use.text[dots...].drop { $0 == "." }
            let isOpen = end.hasPrefix("<")
            let bounds = (first: String(use.text[..<dots]), last: String(isOpen ? end.dropFirst() : end))
            if JSONNumber.isNumber(bounds.first), JSONNumber.isNumber(bounds.last) {
                fix = "$gte: \(bounds.first), \(isOpen ? "$lt" : "$lte"): \(bounds.last)"
            }
        }
        return fix.map { "\(QuotedText(use.text)) is one text and not a range; write { \($0) }" }
    }

    /// Whether a text is a version that hardly is something else: with a "v", or of several numbers.
    static func isVersion(_ text: String) -> Bool {
        guard let version = Version(Array(text.utf8).span) else { return false }
        return text.hasPrefix("v") || version.numberCount > 2 || (version.numberCount == 2 && number(text) == nil)
    }

    // MARK: Lists and literals in text

    private static func literalDoubt(_ use: Use) -> String? {
        guard let first = use.text.utf8.first, "[{ ".utf8.contains(first) else { return nil }
        let text = trimmed(use.text)
        let isList = text.hasPrefix("[") && text.hasSuffix("]") && text.contains { ",\"'".contains($0) }
        let isMap = text.hasPrefix("{") && text.hasSuffix("}") && text.contains(":")
        guard isList || isMap else { return nil }
        return "\(QuotedText(use.text)) is text and not a \(isList ? "list" : "map"); write it without quotes"
    }

    private static func holdsSeparator(_ text: String) -> Bool {
        text.utf8.contains { ",;|".utf8.contains($0) } || (text.utf8.contains(0x20) && !listed(text).isEmpty)
    }

    /// The values that a text lists; also codes between which there are spaces only, or the word "or".
    private static func listed(_ text: String) -> [String] {
        let text = text.hasPrefix("(") && text.hasSuffix(")") ? text.dropFirst().dropLast() : text[...]
        if let separator = ",;|".first(where: { text.contains($0) }) {
            return text.split(separator: separator, omittingEmptySubsequences: false).map(trimmed)
        }
        let words = text.split(separator: " ").map(String.init).filter { $0 != "or" }
        return words.count > 1 && words.allSatisfy(isCode) ? words : []
    }

    /// Whether a text has the form of a country's or a currency's code.
    private static func isCode(_ text: String) -> Bool {
        (2...3).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// The shape of a value that is not prose: words in one case, digits.
    private static func shape(_ value: String) -> Int? {
        guard !value.isEmpty, value.utf8.allSatisfy({ $0.isOfPlainName || "-.@".utf8.contains($0) }) else { return nil }
        let letters = value.filter(\.isLetter)
        if letters.isEmpty { return 0 }
        return letters.allSatisfy(\.isLowercase) ? 1 : letters.allSatisfy(\.isUppercase) ? 2 : nil
    }

    /// A list of values that are alike, such as `DE, AT`; not `Washington, DC`.
    private static func listDoubt(_ use: Use) -> String? {
        guard holdsSeparator(use.text) else { return nil }
        let shapes = listed(use.text).map(shape)
        guard let first = shapes.first, first != nil, shapes.allSatisfy({ $0 == first }) else { return nil }
        return listMessage(use)
    }

    /// A list of any values, as the only member of a list.
    private static func anyListDoubt(_ use: Use) -> String? {
        guard holdsSeparator(use.text) else { return nil }
        let values = listed(use.text)
        guard values.count > 1, values.allSatisfy({ !$0.isEmpty }) else { return nil }
        let isPlaceInState = shape(values[0]) == nil && values.count == 2 && values[1].count == 2
        return isPlaceInState ? nil : listMessage(use)
    }

    private static func listMessage(_ use: Use) -> String {
        if use.attribute != nil, let number = number(use.text) {
            return "\(QuotedText(use.text)) is text; write \(number) without quotes if the number is meant"
        }
        let values = listed(use.text)
        let shown = values.prefix(3).joined(separator: ", ") + (values.count > 3 ? ", …" : "")
        let place = use.attribute == nil ? "" : " below $in"
        return "\(QuotedText(use.text)) is one text and not a list; write [\(shown)]\(place)"
    }

    /// The fix for a text in place of a list: of `-DE`, YAML's list without the space after the hyphen, the list.
    package static func listFix(for text: String) -> String {
        guard text.hasPrefix("-"), text.utf8.dropFirst().first?.isLetterOrDigit ?? false else {
            return "write [\(JSONValue.string(text).canonicalText)]"
        }
        let first = String(text.dropFirst().prefix { $0 != " " })
        return "write a space after each hyphen, as in - \(PrintableText(first, atMost: QuotedText.limit))"
    }

    // MARK: Patterns and spaces

    private static func patternDoubt(_ use: Use) -> String? {
        let text = use.text
        if text == "*", use.attribute != nil { return "* stands for itself; write $exists: true for any value" }
        let stars = text.hasPrefix("*") || text.hasSuffix("*")
        let isPattern = stars && text.utf8.count > 2 && text.contains { $0 != "*" }
        // `50%` is a share.
        let isLike =
            text.utf8.count > 2
            && (text.hasPrefix("%")
                ? text.dropFirst().first != " " : text.hasSuffix("%") && text.contains(where: \.isLetter))
        let isExpression = (text.hasPrefix("^") && text.utf8.count > 1) || text.hasPrefix("/^")
        // `4.x` is a range of versions.
        let isRange =
            text.utf8.count > 2 && (text.hasSuffix(".x") || text.hasSuffix(".X"))
            && text.dropLast(2).utf8.allSatisfy { $0.isDigit || ".".utf8.contains($0) }
        guard isPattern || isLike || isExpression || isRange else { return nil }
        return patternMessage(isLike ? "%" : isExpression ? "^" : isRange ? "x" : "*", text)
    }

    /// The doubt about `D*`, which as a whole value may be a grade.
    private static func letterAndStarDoubt(_ use: Use) -> String? {
        use.text.utf8.count == 2 && (use.text.hasPrefix("*") || use.text.hasSuffix("*"))
            ? patternMessage("*", use.text) : nil
    }

    private static func patternMessage(_ mark: String, _ text: String) -> String {
        "\(mark) stands for itself in \(QuotedText(text)); use $startsWith, $endsWith, $contains or $regex"
    }

    /// The doubt about a regular expression that has an anchor between characters, where it never holds: also that
    /// between the slashes of other languages.
    static func expressionDoubt(_ text: String) -> String? {
        // In classes, after a backslash and with flags these characters mean something else.
        if text.contains(where: { "[\\".contains($0) }) || text.contains("(?") { return nil }
        let bytes = Array(text.utf8)
        func isPlain(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte == UInt8(ascii: "/") }
        let isFault = bytes.indices.dropFirst().contains { index in
            (bytes[index] == UInt8(ascii: "^") && isPlain(bytes[index - 1]))
                || (bytes[index - 1] == UInt8(ascii: "$") && isPlain(bytes[index]))
        }
        guard isFault else { return nil }
        let fix =
            text.hasPrefix("/")
            ? "leave the slashes out, and write $regexi to ignore case" : "write \\^ or \\$ for the character itself"
        return "\(QuotedText(text)) has ^ or $ between characters, where it never matches; \(fix)"
    }

    private static func spaceDoubt(_ use: Use) -> String? { edgeDoubt(use.text) }

    /// The doubt about a text, such as a name or a unit ID, that begins or ends with characters that do not show.
    package static func edgeDoubt(_ text: String) -> String? {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar == " " || PrintableText.isHidden(scalar) || (!scalar.isASCII && scalar.properties.isWhitespace)
        }
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            isBlank(first) || isBlank(last)
        else { return nil }
        let edge = text.hasPrefix(" ") || text.hasSuffix(" ") ? "a space" : "a character that does not show"
        return "\(QuotedText(text)) begins or ends with \(edge), which counts; remove it"
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " }
        return String(start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)])
    }

    // MARK: Names of operators

    /// The operators and connectives by their names without "$", in lower case.
    private static let operators: [String: String] = Dictionary(
        (Operators.names + Connective.allCases.map(\.rawValue)).map { (String($0.dropFirst()).lowercased(), $0) },
        uniquingKeysWith: { first, _ in first })

    /// The operator that a name without "$" is that of, whatever its case; also of one with it.
    static func operatorName(_ name: String) -> String? {
        let plain = name.filter { $0 != "_" && $0 != "-" }.lowercased()
        return operators[plain.hasPrefix("$") ? String(plain.dropFirst()) : plain]
    }
}
