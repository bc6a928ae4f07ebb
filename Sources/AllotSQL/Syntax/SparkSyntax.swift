import Allot
import AllotConfiguration

/// Apache Spark SQL: Java's strings and patterns, hexadecimal digests.
struct SparkSyntax: SQLSyntax {
    let title = "Spark SQL"
    var testedVersion: String? { "4.3" }
    var textType: String { "STRING" }
    var staging: Staging { .star(except: "EXCEPT") }

    func quoted(name: String) throws(Unsupported) -> String {
        try NameText.check(name, in: title)
        guard !UTF8Search.contains(name, "${") else {
            throw Unsupported(
                "Spark would replace the \"${\" of the name \(QuotedText(name)) with a variable; rename it"
            )
        }
        return "`" + name.doubling("`") + "`"
    }

    /// As bytes where there is anything that Spark, by its settings, might read as an escape or a variable. Raw literals
    /// are no help: `spark.sql.parser.escapedStringLiterals` makes them begin with their quote.
    func literal(_ text: String) throws(Unsupported) -> String {
        text.unicodeScalars.allSatisfy { LiteralText.isPlain($0) && $0 != "$" }
            ? "'\(text)'" : "CAST(X'\(LiteralText.hexadecimal(text))' AS STRING)"
    }

    func isValidText(_ text: String) -> String? { "is_valid_utf8(\(text))" }
    func concatenated(_ parts: [String]) -> String { "concat(\(parts.joined(separator: ", ")))" }

    func startsWith(_ text: String, _ literal: String) throws(Unsupported) -> String {
        "startswith(\(text), \(try self.literal(literal)))"
    }

    func endsWith(_ text: String, _ literal: String) throws(Unsupported) -> String {
        "endswith(\(text), \(try self.literal(literal)))"
    }

    func contains(_ text: String, _ literal: String) throws(Unsupported) -> String {
        "contains(\(text), \(try self.literal(literal)))"
    }

    /// Java's `$` matches before a last line feed as well; what ends in one is no match of a plain pattern.
    func matchesWholly(_ text: String, _ pattern: String) -> String {
        "(\(text) RLIKE '^(\(PlainPattern.possessive(pattern)))$' AND NOT endswith(\(text), X'0a'))"
    }

    func group(_ text: String, _ pattern: String) -> String { "regexp_extract(\(text), '^\(pattern)', 1)" }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        "\(text) RLIKE \(try literal(Pattern(expression).text(for: .java)))"
    }

    func quotient(_ dividend: String, _ divisor: Int) -> String { "(\(dividend) DIV \(divisor))" }

    func digest(_ salt: Salt, _ unit: String) throws(Unsupported) -> String { "sha2(\(try salted(salt, unit)), 256)" }

    func bucket(_ digest: String, offset: Int) -> String {
        "shiftright(CAST(conv(substr(\(digest), \(offset * 2 + 1), 10), 16, 10) AS BIGINT) * 1000000, 40)"
    }

    func long(_ long: LongRows) -> String {
        let rows = long.rows.map { "  \(long.values($0).joined(separator: ", "))" }
        return """
            SELECT \(long.list)
            FROM \(long.source)
            LATERAL VIEW stack(\(rows.count),
            \(rows.joined(separator: ",\n"))
            ) allot_decisions AS \(long.valueNames)
            """
    }

    /// Java leaves methods of more than 8 KB to its interpreter, and Spark makes one of 1 KB for each experiment.
    func note(onStatementOf size: Int, experiments: Int) -> String? {
        experiments < 7
            ? nil : "The statement is long: it runs sooner with SET spark.sql.codegen.hugeMethodLimit = 8000."
    }

    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        let list = parameters.map { "\($0) STRING" }.joined(separator: ", ")
        return "CREATE OR REPLACE FUNCTION \(name)(\(list))\nRETURNS TABLE RETURN\n\(query)"
    }

    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String {
        "\(function).\(name)"
    }
}
