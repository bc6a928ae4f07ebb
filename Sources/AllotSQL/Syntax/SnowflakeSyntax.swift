import AllotCore

/// Snowflake, which has names in capitals, hexadecimal digests and patterns of its own.
struct SnowflakeSyntax: SQLSyntax {
    let title = "Snowflake"
    var integerType: String { "NUMBER(38, 0)" }
    var instantType: String { "TIMESTAMP_TZ" }
    var staging: Staging { .star(except: "EXCLUDE") }
    var search: TextSearch {
        TextSearch(
            startsWith: TextSearch.call("STARTSWITH"), endsWith: TextSearch.call("ENDSWITH"),
            contains: TextSearch.call("CONTAINS"))
    }
    var ignoresCaseOfNames: Bool { false }
    func folded(name: String) -> String { name.utf8.allSatisfy(\.isOfPlainName) ? name.uppercased() : name }

    // Its literals have backslash escapes as well as doubled quotes. Characters by number need neither.

    /// One call, because a tree of operators could be too deep.
    func literal(joining pieces: [String]) -> String { "concat(\(pieces.joined(separator: ", ")))" }
    func asText(_ number: String) -> String { "COLLATE(CAST(\(number) AS VARCHAR), 'utf8')" }
    /// Its patterns always match whole texts.
    func matchesWholly(_ text: String, _ pattern: String) -> String { "REGEXP_LIKE(\(text), '\(pattern)', 'c')" }
    func group(_ text: String, _ pattern: String) -> String {
        "COALESCE(REGEXP_SUBSTR(\(text), '^\(pattern)', 1, 1, 'ce', 1), '')"
    }

    /// Its division rounds to few decimals, so that only a multiple of the divisor has an exact quotient.
    func quotient(_ dividend: String, _ divisor: Int) -> String {
        "CAST((\(dividend) - MOD(\(dividend), \(divisor))) / \(divisor) AS \(integerType))"
    }

    /// Each X in the format represents one hexadecimal digit.
    func number(_ digest: String, digits: Range<Int>) -> String {
        let format = String(repeating: "X", count: digits.count)
        return "TO_NUMBER(SUBSTR(\(digest), \(digits.lowerBound + 1), \(digits.count)), '\(format)')"
    }

    func shiftedRight(_ number: String, by bits: Int) -> String { "BITSHIFTRIGHT(\(number), \(bits))" }
    var clock: String { "CURRENT_TIMESTAMP()" }
    var hasNanoseconds: Bool { true }
    func instantLiteral(_ digits: String) -> String { "'\(digits) +00:00'::TIMESTAMP_TZ" }
    func passed(since instant: Instant, to time: String) -> PassedTime {
        let start = "(\(instant.seconds) * 1000000000 + \(instant.nanoseconds))"
        return PassedTime(count: "(DATE_PART(EPOCH_NANOSECOND, \(time)) - \(start))", perSecond: 1_000_000_000)
    }

    func table(_ name: String, query: String) -> String { "CREATE OR REPLACE TABLE \(name) AS\n\(query)" }

    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        guard !query.utf8.contains("$$".utf8) else {
            throw Unsupported("a function of Snowflake cannot contain \"$$\"; create a view")
        }
        return """
            CREATE OR REPLACE FUNCTION \(name)(\(declared(parameters)))
            RETURNS TABLE (unit VARCHAR, experiment VARCHAR, variant VARCHAR, reason VARCHAR, bucket NUMBER, \
            revision VARCHAR)
            AS $$
            \(query)
            $$
            """
    }

    func call(_ function: String, parameters: [String]) -> String {
        let arguments = parameters.map { "\($0) => NULL::VARCHAR" }.joined(separator: ", ")
        return "SELECT * FROM TABLE(\(function)(\(arguments)))"
    }

    /// A function is its name and the types of its parameters, so that one of other parameters does not replace it.
    func callNotes(on function: String, parameters: [String]) -> [String] {
        let types = parameters.map { _ in "VARCHAR" }.joined(separator: ", ")
        return [
            "Call it with the name of each argument:", "  \(call(function, parameters: parameters))",
            "A function of this name with fewer or more parameters stays, and calls with its parameters get its old",
            "answers. Before you create this one with other parameters, drop it:",
            "  DROP FUNCTION IF EXISTS \(function)(\(types))",
        ]
    }
}
