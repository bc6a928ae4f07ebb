import AllotConfiguration
import AllotCore

extension Double {
    func admits(_ attribute: Double, _ comparison: String) -> Bool {
        switch comparison {
        case "$lt": attribute < self
        case "$lte": attribute <= self
        case "$gt": attribute > self
        case "$gte": attribute >= self
        default: attribute == self
        }
    }
}

extension PayloadNode {
    func attributeName() throws(ImportProblem) -> String { try attributeName(text()) }

    /// The name of an attribute, in a system where the unit ID is not one and is called `unit`.
    func attributeName(besides unit: String) throws(ImportProblem) -> String {
        let name = try attributeName()
        let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        guard !UTF8Order.areEqual(String(name[..<dot]), unit) else {
            throw problem("an attribute named \(QuotedText(unit)) cannot be distinguished from the unit ID; rename it")
        }
        return name
    }

    /// A name that this stands for, if conditions can test an attribute of it.
    func attributeName(_ name: String) throws(ImportProblem) -> String {
        guard ConditionParser.parse(.test(name, ["$exists": true]), segments: SegmentTable()).condition != nil else {
            throw problem("Allot's conditions cannot test an attribute named \(QuotedText(name))")
        }
        return name
    }

    /// Throws for a text that systems find in another case by the places of its sigmas in words.
    func checkCase(of texts: [String]) throws(ImportProblem) {
        for text in texts where text.unicodeScalars.contains(where: { "Σσς".unicodeScalars.contains($0) }) {
            throw problem("\(QuotedText(text)): the lower case of a sigma depends on its place in a word")
        }
    }

    /// A salt, seed or other text that is hashed with the unit ID. Without a scheme it is not empty.
    func salt(of scheme: HashScheme? = nil) throws(ImportProblem) -> String { try salt(try text(), of: scheme) }

    func salt(_ text: String, of scheme: HashScheme? = nil) throws(ImportProblem) -> String {
        guard ForeignHash.isSalt(text, of: scheme) else { throw ImportProblem(path, salt: text, of: scheme) }
        return text
    }
}

extension String {
    /// Whether it asks a list for its length or for one of its elements, as a part of the path of an attribute.
    var asksList: Bool { self == "length" || !isEmpty && utf8.allSatisfy(\.isDigit) }
}

extension Instant {
    /// The instant after this one, at the precision of definitions: periods of other systems may include their ends.
    var next: Instant {
        nanoseconds == 999_999_999
            ? Instant(seconds: seconds + 1) : Instant(seconds: seconds, nanoseconds: nanoseconds + 1)
    }

    /// Reads an instant of RFC 3339 with a "T", with seconds and with the minutes of the offset; `nil` for other ones.
    init?(strict text: String) {
        let bytes = Array(text.utf8)
        self.init(text)
        guard bytes[10] != UInt8(ascii: " "), bytes[16] == UInt8(ascii: ":"),
            bytes[bytes.count - 1] | 0x20 == UInt8(ascii: "z") || bytes[bytes.count - 3] == UInt8(ascii: ":")
        else { return nil }
    }
}
