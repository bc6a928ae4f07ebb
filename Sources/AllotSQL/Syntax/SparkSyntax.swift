import AllotConfiguration
import AllotCore

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

    /// Spark compares names without the case of any letter.
    func compared(name: String) -> String { name.lowercased() }

    func quoted(name: String) throws(Unsupported) -> String {
        try NameText.check(name, in: title)
        guard !name.utf8.contains("${".utf8) else {
            throw Unsupported("Spark would replace \"${\" in the name \(QuotedText(name)); rename it")
        }
        return "`" + name.doubling("`") + "`"
    }

    /// Bytes, if a setting could make Spark read an escape or a variable; raw literals begin with a quote by another.
    func literal(_ text: String) throws(Unsupported) -> String {
        LiteralText.characters(of: text).allSatisfy { $0.isPlain && $0.scalar != "$" }
            ? "'\(text)'" : "CAST(X'\(LiteralText.hexadecimal(text))' AS STRING)"
    }

    /// Lists fail, because they cannot be concatenated with text. The cast drops the column's collation.
    func columnText(_ column: String) -> String { asText("concat(\(column), '')") }

    /// A timestamp without a time zone is taken as UTC. A setting decides which of the two types is `TIMESTAMP`.
    func instantText(_ column: String) -> String {
        let text = columnText(column)
        let micros = "unix_micros(TRY_CAST(\(column) AS TIMESTAMP_LTZ))"
        let utc = "timestampadd(MICROSECOND, \(micros), TIMESTAMP_NTZ '1970-01-01 00:00:00')"
        return """
            CASE typeof(\(column))
                  WHEN 'timestamp' THEN replace(concat(\(utc), 'Z'), ' ', 'T')
                  WHEN 'timestamp_ntz' THEN replace(concat(\(text), 'Z'), ' ', 'T')
                  WHEN 'date' THEN concat(\(text), 'T00:00:00Z')
                  ELSE \(text)
                END
            """
    }

    /// Spark would cast text, and without ANSI take what is not an instant for a row that has none.
    func instants(of column: String) -> String {
        """
        CASE
              WHEN typeof(\(column)) IN ('timestamp', 'timestamp_ntz', 'date') THEN \(column)
              ELSE raise_error('the column of instants is not a TIMESTAMP; cast it in a view')
            END
        """
    }

    func isValidText(_ text: String) -> String? { "is_valid_utf8(\(text))" }
    func position(_ number: String) -> String { "CAST(\(number) AS INTEGER)" }
    func concatenated(_ parts: [String]) -> String { "concat(\(parts.joined(separator: ", ")))" }
    /// A list, because `split_part` divides the text again each time.
    func divided(_ text: String) -> String { "split(\(text), '[.]')" }
    func identifier(ofDivided column: String, _ position: Int) -> String {
        "COALESCE(get(\(column), \(position - 1)), '')"
    }

    /// Java's `$` matches before a last line terminator too, which by `(?d)` is a line feed alone.
    func matchesWholly(_ text: String, _ pattern: String) -> String {
        "(\(text) RLIKE '(?d)^(\(PlainPattern.possessive(pattern)))$' AND NOT endswith(\(text), X'0a'))"
    }

    func group(_ text: String, _ pattern: String) -> String { "regexp_extract(\(text), '^\(pattern)', 1)" }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        "\(text) RLIKE \(try literal(expression.text(for: .java)))"
    }

    func quotient(_ dividend: String, _ divisor: Int) -> String { "(\(dividend) DIV \(divisor))" }

    /// Only the digits that are needed, because rows are copied from step to step. They are bytes, because Spark counts
    /// the characters of a text one by one to divide it.
    var digestOrder: DigestOrder? {
        DigestOrder(
            digest: { "substr(binary(\($0)), 1, 20)" }, second: { "substr(\($0), 11, 10)" },
            literal: { "binary('\($0)')" })
    }

    /// The digest is text or bytes.
    func number(_ digest: String, digits: Range<Int>) -> String {
        "CAST(conv(string(substr(\(digest), \(digits.lowerBound + 1), \(digits.count))), 16, 10) AS BIGINT)"
    }

    func shiftedRight(_ number: String, by bits: Int) -> String { "shiftright(\(number), \(bits))" }

    func passed(since instant: Instant, to time: String) -> PassedTime {
        passed(since: instant, microseconds: "unix_micros(CAST(\(time) AS TIMESTAMP_LTZ))")
    }

    /// Spark copies each row from step to step, and makes an object of each text that it reads.
    var longForm: LongForm {
        .outcomes(list: { "array(\n      \($0.joined(separator: ",\n      "))\n    )" }, write: long)
    }

    private func long(_ long: OutcomeRows) -> String {
        func list(_ literals: [String]) -> String { "array(\(literals.joined(separator: ", ")))" }
        let outcome = "get(\(OutcomeRows.outcomes), allot_number)"
        let table = long.experiments.enumerated().map { number, experiment in
            "  struct(\(number), \(experiment.key), \(list(experiment.variants)), \(list(experiment.reasons)), "
                + "\(experiment.revision))"
        }
        return """
            SELECT
              \(long.commonUnit ?? "get(\(OutcomeRows.units), allot_number)") AS unit,
              experiment,
              get(allot_variants, \(outcome)) AS variant,
              get(allot_reasons, \(outcome)) AS reason,
              get(\(OutcomeRows.buckets), allot_number) AS bucket,
              revision
            FROM \(long.source)
            LATERAL VIEW inline(array(
            \(table.joined(separator: ",\n"))
            )) allot_experiments AS allot_number, experiment, allot_variants, allot_reasons, revision
            """
    }

    /// Spark compiles the columns of a `SELECT` into one method of Java, and interprets methods of more than 8,000
    /// bytes. Where it cannot compile a function, such as `array_sort` with a comparison, it makes many small methods.
    func inPieces(_ expression: String, _ column: String) -> String? {
        "CASE WHEN size(array_sort(array(\(column)), (one, other) -> 0)) = 0 THEN NULL ELSE \(expression) END"
    }

    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        "CREATE OR REPLACE FUNCTION \(name)(\(declared(parameters)))\nRETURNS TABLE RETURN\n\(query)"
    }

    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String {
        "\(function).\(name)"
    }
}
