import AllotCore

/// DuckDB, which uses RE2 and has hexadecimal digests.
struct DuckDBSyntax: SQLSyntax {
    let title = "DuckDB"
    var testedVersion: String? { "2.0" }
    var instantType: String { "TIMESTAMPTZ" }
    var staging: Staging { .star(except: "EXCLUDE") }
    var search: TextSearch { TextSearch(contains: TextSearch.call("contains")) }
    /// One call, because a tree of operators could be too deep.
    func literal(joining pieces: [String]) -> String { "concat(\(pieces.joined(separator: ", ")))" }
    /// Text with a collation, so that the table's or session's collation does not apply.
    func asText(_ number: String) -> String { byBytes("CAST(\(number) AS VARCHAR)") }
    /// Lists fail, because they cannot be concatenated with text.
    func columnText(_ column: String) -> String { asText("(\(column) || '')") }

    /// A timestamp without a time zone is taken as UTC. Microseconds do not depend on the setting `Calendar`.
    func instantText(_ column: String) -> String {
        let micros = "epoch_us(TRY_CAST(\(column) AS TIMESTAMPTZ))"
        let utc = "strftime(make_timestamp(\(micros)), '%Y-%m-%dT%H:%M:%S.%fZ')"
        return asText(
            """
            CASE
                  WHEN typeof(\(column)) = 'TIMESTAMP WITH TIME ZONE' THEN \(utc)
                  WHEN typeof(\(column)) = 'DATE' THEN \(column) || 'T00:00:00Z'
                  WHEN starts_with(typeof(\(column)), 'TIMESTAMP') THEN replace(\(column) || 'Z', ' ', 'T')
                  ELSE \(columnText(column))
                END
            """)
    }
    func byBytes(_ text: String) -> String { "\(text) COLLATE \"C\"" }
    func byteCount(_ text: String) -> String { "strlen(\(text))" }
    func matchesWholly(_ text: String, _ pattern: String) -> String { "regexp_full_match(\(text), '\(pattern)')" }
    func group(_ text: String, _ pattern: String) -> String { byBytes("regexp_extract(\(text), '^\(pattern)', 1)") }

    /// Within COALESCE, because DuckDB 2.0 fails to compare `split_part` of a column that is all NULL with a literal.
    func identifier(_ text: String, _ position: Int) -> String {
        "COALESCE(\(byBytes("split_part(\(text), '.', \(position))")), '')"
    }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        let options = expression.ignoresCase ? "'i'" : "'c'"
        return "regexp_matches(\(text), \(try literal(expression.pattern)), \(options))"
    }

    func quotient(_ dividend: String, _ divisor: Int) -> String { "(\(dividend) // \(divisor))" }

    func digest(_ function: DigestFunction, of text: String) -> String {
        byBytes("\(function.name.lowercasedASCII)\(text)")
    }

    var digestOrder: DigestOrder? {
        DigestOrder(digest: { $0 }, second: { byBytes("substr(\($0), 11)") }, literal: { "'\($0)'" })
    }

    func number(_ digest: String, digits: Range<Int>) -> String {
        "CAST('0x' || substr(\(digest), \(digits.lowerBound + 1), \(digits.count)) AS BIGINT)"
    }

    var clock: String { "now()" }
    var clockUnit: String { "transaction" }
    func instantLiteral(_ digits: String) -> String { "TIMESTAMPTZ '\(digits)+00'" }
    func passed(since instant: Instant, to time: String) -> PassedTime {
        passed(since: instant, microseconds: "epoch_us(\(finite(time, since: instant)))")
    }

    func long(_ long: LongRows) -> String {
        let columns = LongRows.columns.dropFirst().map { "decision.\($0)" }.joined(separator: ", ")
        return """
            SELECT \(long.commonUnit == nil ? "decision" : "allot_rows").unit, \(columns)
            FROM (
              SELECT
                \(long.commonUnit.map { "\($0) AS unit,\n    " } ?? "")unnest([
            \(long.list(indent: "      ", field: { "\($0): \($1)" }, row: { "{\($0)}" }))
                ]) AS decision
              FROM \(long.source)
            ) AS allot_rows
            """
    }

    func table(_ name: String, query: String) -> String { "CREATE OR REPLACE TABLE \(name) AS\n\(query)" }

    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        "CREATE OR REPLACE MACRO \(name)(\(parameters.joined(separator: ", "))) AS TABLE\n\(query)"
    }

    func call(_ function: String, parameters: [String]) -> String { call(function, parameters: parameters, sign: ":=") }
}
