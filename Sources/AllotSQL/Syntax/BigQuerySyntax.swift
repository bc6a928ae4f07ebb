import AllotConfiguration
import AllotCore

/// BigQuery (GoogleSQL), which uses RE2 and has binary digests.
struct BigQuerySyntax: SQLSyntax {
    let title = "BigQuery"
    var textType: String { "STRING" }
    var doubleType: String { "FLOAT64" }
    var integerType: String { "INT64" }
    var safeCast: String { "SAFE_CAST" }
    var staging: Staging { .star(except: "EXCEPT") }

    func quoted(name: String) throws(Unsupported) -> String {
        try NameText.check(name, in: title)
        guard !name.utf8.contains(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\\") }) else {
            throw Unsupported("BigQuery cannot name \(QuotedText(name)); rename it")
        }
        return "`\(name)`"
    }

    func fault(ofColumnName name: String) -> String? {
        name.utf8.contains(UInt8(ascii: ".")) ? "BigQuery does not allow \".\" in the name of a column" : nil
    }

    func literal(_ text: String) throws(Unsupported) -> String {
        let escaped = LiteralText.escaped(text, quote: "\\'", short: "\\u", long: ("\\U", 8))
        return "'\(escaped)'"
    }

    /// Text without the column's collation.
    func asText(_ number: String) -> String { "COLLATE(CAST(\(number) AS STRING), '')" }
    func byteCount(_ text: String) -> String { "BYTE_LENGTH(\(text))" }
    func concatenated(_ parts: [String]) -> String { "CONCAT(\(parts.joined(separator: ", ")))" }
    func identifier(_ text: String, _ position: Int) -> String {
        "COALESCE(SPLIT(\(text), '.')[SAFE_OFFSET(\(position - 1))], '')"
    }

    func matchesWholly(_ text: String, _ pattern: String) -> String { "REGEXP_CONTAINS(\(text), r'^(?:\(pattern))$')" }
    func group(_ text: String, _ pattern: String) -> String { "COALESCE(REGEXP_EXTRACT(\(text), r'^\(pattern)'), '')" }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        let flags = expression.ignoresCase ? "(?i)" : ""
        return "REGEXP_CONTAINS(\(text), \(try literal(flags + expression.pattern)))"
    }

    func quotient(_ dividend: String, _ divisor: Int) -> String { "DIV(\(dividend), \(divisor))" }
    func digest(_ function: DigestFunction, of text: String) -> String { "\(function.name)(\(text))" }

    func number(_ digest: String, digits: Range<Int>) -> String {
        let bytes = DigestFunction.bytes(of: digits)
        let hex = "TO_HEX(SUBSTR(\(digest), \(bytes.lowerBound + 1), \(bytes.count)))"
        let digits = digits.count == bytes.count * 2 ? hex : "SUBSTR(\(hex), 1, \(digits.count))"
        return "CAST(CONCAT('0x', \(digits)) AS INT64)"
    }

    func passed(since instant: Instant, to time: String) -> PassedTime {
        passed(since: instant, microseconds: "UNIX_MICROS(\(time))")
    }

    func long(_ long: LongRows) -> String {
        """
        SELECT \(long.selected("decision."))
        FROM \(long.source)
        CROSS JOIN UNNEST([
        \(long.list(field: { "\($1) AS \($0)" }, row: { "STRUCT(\($0))" }))
        ]) AS decision
        """
    }

    func table(_ name: String, query: String) -> String { "CREATE OR REPLACE TABLE \(name) AS\n\(query)" }

    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        "CREATE OR REPLACE TABLE FUNCTION \(name)(\(declared(parameters))) AS (\n\(query)\n)"
    }

    /// Its functions of tables do not have named arguments.
    func call(_ function: String, parameters: [String]) -> String {
        "SELECT * FROM \(function)(\(parameters.map { "NULL /* \($0) */" }.joined(separator: ", ")))"
    }

    /// Arguments that move to another parameter are no error, because all of them are text.
    func callNotes(on function: String, parameters: [String]) -> [String] {
        [
            "Its arguments have no names, only this order, which changes with the attributes. Where it does, change",
            "each call at the same time, or give the function another name:",
            "  \(call(function, parameters: parameters))",
        ]
    }
}
