import AllotConfiguration
import AllotCore

extension JSONValue {
    /// The condition that an attribute satisfies all operators: `{"country": {"$in": ["DE", "FR"]}}`.
    static func test(_ attribute: String, _ operators: JSONObject) -> JSONValue {
        .object([attribute: .object(operators)])
    }
}

extension Double {
    /// Whether an attribute compares so with this number.
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
    /// The name of an attribute that conditions can test.
    func attributeName() throws(ImportProblem) -> String {
        try attributeName(text())
    }

    /// The name of an attribute, in a system where the unit ID is not one and is called `unit`.
    func attributeName(besides unit: String) throws(ImportProblem) -> String {
        let name = try attributeName()
        let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        guard !UTF8Order.areEqual(String(name[..<dot]), unit) else {
            throw problem("an attribute named \(QuotedText(unit)) cannot be told from the unit ID; rename it")
        }
        return name
    }

    /// A name that this stands for, if conditions can test an attribute of it.
    func attributeName(_ name: String) throws(ImportProblem) -> String {
        let test = JSONValue.object([name: ["$exists": true]])
        guard ConditionParser.parse(test, segments: SegmentTable()).condition != nil else {
            throw problem("Allot's conditions cannot test an attribute named \(QuotedText(name))")
        }
        return name
    }

    /// A salt, seed or other text that is hashed with the unit ID.
    ///
    /// - Parameter scheme: Which hash it is for; `nil` for one that takes no empty salt, as most.
    func salt(of scheme: HashScheme? = nil) throws(ImportProblem) -> String {
        try salt(try text(), of: scheme)
    }

    /// A text that is hashed with the unit ID and that this stands for. Throws if it cannot be a salt in Allot.
    func salt(_ text: String, of scheme: HashScheme? = nil) throws(ImportProblem) -> String {
        guard ForeignHash.isSalt(text, of: scheme) else { throw ImportProblem(path, salt: text, of: scheme) }
        return text
    }
}

extension Instant {
    /// The instant after this one, at the precision of definitions: ends of other systems may still be within.
    var next: Instant {
        nanoseconds == 999_999_999
            ? Instant(seconds: seconds + 1) : Instant(seconds: seconds, nanoseconds: nanoseconds + 1)
    }
}
