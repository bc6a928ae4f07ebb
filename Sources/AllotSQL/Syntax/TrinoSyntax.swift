import Allot

/// Trino, and Athena, which runs it: Java's patterns, binary digests.
struct TrinoSyntax: SQLSyntax {
    let title = "Trino"
    var staging: Staging { .lateral }

    /// With escapes rather than pieces; a tree of operators could be too deep.
    func literal(_ text: String) throws(Unsupported) -> String {
        LiteralText.literal(text, escapedBehind: "U&", short: "\\", long: ("\\+", 6))
    }

    func byteCount(_ text: String) -> String { "length(to_utf8(\(text)))" }

    func endsWith(_ text: String, _ literal: String) throws(Unsupported) -> String {
        "substr(\(text), -\(literal.unicodeScalars.count)) = \(try self.literal(literal))"
    }

    func identifier(_ text: String, _ position: Int) -> String { "COALESCE(split_part(\(text), '.', \(position)), '')" }

    func matchesWholly(_ text: String, _ pattern: String) -> String {
        "(regexp_like(\(text), '^(\(PlainPattern.possessive(pattern)))$') AND substr(\(text), -1) <> chr(10))"
    }

    func group(_ text: String, _ pattern: String) -> String {
        "COALESCE(regexp_extract(\(text), '^\(pattern)', 1), '')"
    }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        "regexp_like(\(text), \(try literal(Pattern(expression).text(for: .java))))"
    }

    func digest(_ salt: Salt, _ unit: String) throws(Unsupported) -> String {
        "sha256(to_utf8(\(try salted(salt, unit))))"
    }

    func bucket(_ digest: String, offset: Int) -> String {
        let five = "from_big_endian_64(concat(X'000000', substr(\(digest), \(offset + 1), 5)))"
        return "bitwise_right_shift(\(five) * 1000000, 40)"
    }

    func clockIsBefore(_ instant: Instant) -> String {
        "CURRENT_TIMESTAMP < TIMESTAMP '\(ClockText.standard(instant)) UTC'"
    }

    func long(_ long: LongRows) -> String {
        let rows = long.rows.map { "  ROW(\(long.values($0).joined(separator: ", ")))" }
        return """
            SELECT \(long.list)
            FROM \(long.source)
            CROSS JOIN UNNEST(ARRAY[
            \(rows.joined(separator: ",\n"))
            ]) AS allot_decisions (\(long.valueNames))
            """
    }
}
