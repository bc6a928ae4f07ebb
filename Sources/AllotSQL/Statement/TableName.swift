import AllotConfiguration

/// Names as people write them: dots separate the parts, and a part in double quotes is used exactly.
enum TableName {
    static func quoted(_ text: String, _ syntax: some SQLSyntax) throws(Unsupported) -> String {
        try parts(text, syntax).joined(separator: ".")
    }

    /// The last part of the name of a table or function, in the dialect's quotes.
    static func quoted(last text: String, _ syntax: some SQLSyntax) throws(Unsupported) -> String {
        try quoted(try divided(text).last ?? Part(name: "", isExact: false), syntax)
    }

    /// Whether two names may mean the same table: where one has fewer schemas, only the last parts tell.
    static func canBeSame(_ one: String, _ other: String, _ syntax: some SQLSyntax) throws(Unsupported) -> Bool {
        zip(try parts(one, syntax).reversed(), try parts(other, syntax).reversed()).allSatisfy {
            UTF8Order.areEqual(syntax.compared(name: $0), syntax.compared(name: $1))
        }
    }

    static func quoted(column text: String, _ syntax: some SQLSyntax) throws(Unsupported) -> String {
        guard text.unicodeScalars.first == "\"" else { return try quoted(attribute: text, syntax) }
        let parts = try divided(text)
        guard parts.count == 1 else {
            throw Unsupported("\(QuotedText(text)) has a dot between quotes; write the name of one column")
        }
        return try quoted(parts[0], syntax)
    }

    /// The quoted name of the column with the name of an attribute, whose quotes belong to the name.
    static func quoted(attribute text: String, _ syntax: some SQLSyntax) throws(Unsupported) -> String {
        try quoted(Part(name: text, isExact: false), syntax)
    }

    private static func parts(_ text: String, _ syntax: some SQLSyntax) throws(Unsupported) -> [String] {
        try divided(text).map { part throws(Unsupported) in try quoted(part, syntax) }
    }

    private struct Part {
        let name: String
        let isExact: Bool
    }

    private static func quoted(_ part: Part, _ syntax: some SQLSyntax) throws(Unsupported) -> String {
        try syntax.quoted(name: part.isExact ? part.name : syntax.folded(name: part.name))
    }

    private static func divided(_ text: String) throws(Unsupported) -> [Part] {
        var parts: [Part] = []
        var rest = text.unicodeScalars[...]
        while true {
            if rest.first == "\"" {
                var name = String.UnicodeScalarView()
                rest = rest.dropFirst()
                var isClosed = false
                while !isClosed, let scalar = rest.popFirst() {
                    if scalar == "\"", rest.first != "\"" {
                        isClosed = true
                    } else {
                        if scalar == "\"" { rest = rest.dropFirst() }
                        name.append(scalar)
                    }
                }
                guard isClosed else {
                    throw Unsupported("\(QuotedText(text)) has an opening quote without a closing one")
                }
                parts.append(Part(name: String(name), isExact: true))
            } else {
                let name = rest.prefix { $0 != "." }
                rest = rest.dropFirst(name.count)
                parts.append(Part(name: String(String.UnicodeScalarView(name)), isExact: false))
            }
            guard !rest.isEmpty else { return parts }
            guard rest.removeFirst() == "." else {
                throw Unsupported(
                    "\(QuotedText(text)) is not the name of a table; write schema.table, and names with dots in double "
                        + "quotes")
            }
        }
    }
}
