import Allot
import AllotConfiguration

/// Apache Spark SQL, which has Java's strings and patterns, and hexadecimal digests.
struct SparkSyntax: SQLSyntax {
    let title = "Spark SQL"
    var testedVersion: String? { "4.3" }
    var textType: String { "STRING" }
    var staging: Staging { .star(except: "EXCEPT") }
    var search: TextSearch {
        TextSearch(
            startsWith: TextSearch.call("startswith"), endsWith: TextSearch.call("endswith"),
            contains: TextSearch.call("contains"))
    }

    func quoted(name: String) throws(Unsupported) -> String {
        try NameText.check(name, in: title)
        guard !name.utf8.contains("${".utf8) else {
            throw Unsupported(
                "Spark would replace the \"${\" of the name \(QuotedText(name)) with a variable; rename it"
            )
        }
        return "`" + name.doubling("`") + "`"
    }

    /// Bytes, if Spark's settings could make it read a part of the text as an escape or a variable. Raw literals do not
    /// help: with `spark.sql.parser.escapedStringLiterals` they begin with their quote.
    func literal(_ text: String) throws(Unsupported) -> String {
        LiteralText.characters(of: text).allSatisfy { $0.isPlain && $0.scalar != "$" }
            ? "'\(text)'" : "CAST(X'\(LiteralText.hexadecimal(text))' AS STRING)"
    }

    func isValidText(_ text: String) -> String? { "is_valid_utf8(\(text))" }
    func position(_ number: String) -> String { "CAST(\(number) AS INTEGER)" }
    func concatenated(_ parts: [String]) -> String { "concat(\(parts.joined(separator: ", ")))" }

    /// Java's `$` matches before a last line feed too, and a text that ends in one does not match a plain pattern.
    func matchesWholly(_ text: String, _ pattern: String) -> String {
        "(\(text) RLIKE '^(\(PlainPattern.possessive(pattern)))$' AND NOT endswith(\(text), X'0a'))"
    }

    func group(_ text: String, _ pattern: String) -> String { "regexp_extract(\(text), '^\(pattern)', 1)" }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        "\(text) RLIKE \(try literal(Pattern(expression).text(for: .java)))"
    }

    func quotient(_ dividend: String, _ divisor: Int) -> String { "(\(dividend) DIV \(divisor))" }

    func digest(_ function: DigestFunction, of text: String) -> String {
        switch function {
        case .md5: "md5(\(text))"
        case .sha1: "sha1(\(text))"
        case .sha256: "sha2(\(text), 256)"
        }
    }

    func number(_ digest: String, digits: Range<Int>) -> String {
        "CAST(conv(substr(\(digest), \(digits.lowerBound + 1), \(digits.count)), 16, 10) AS BIGINT)"
    }

    func shiftedRight(_ number: String, by bits: Int) -> String { "shiftright(\(number), \(bits))" }

    func long(_ long: LongRows) -> String {
        long.joined(
            "LATERAL VIEW stack(\(long.rows.count),", { $0 },
            ") allot_decisions AS \(long.names.joined(separator: ", "))")
    }

    /// Java interprets methods of more than 8 KB, and Spark generates about 1 KB of code for each experiment.
    func note(onStatementOf size: Int, experiments: Int) -> String? {
        experiments < 7
            ? nil : "The statement is long. It runs faster with SET spark.sql.codegen.hugeMethodLimit = 8000."
    }

    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        let list = parameters.map { "\($0) STRING" }.joined(separator: ", ")
        return "CREATE OR REPLACE FUNCTION \(name)(\(list))\nRETURNS TABLE RETURN\n\(query)"
    }

    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String {
        "\(function).\(name)"
    }
}
