import Allot

/// PostgreSQL 12 and later: collations, its own patterns, binary digests.
struct PostgreSQLSyntax: SQLSyntax {
    let title = "PostgreSQL"
    var testedVersion: String? { "15" }
    var textType: String { "text" }
    var doubleType: String { "double precision" }
    var integerType: String { "bigint" }
    var safeCast: String { "CAST" }
    var staging: Staging { .row }
    var ignoresCaseOfNames: Bool { false }

    func folded(name: String) -> String { name.lowercasedASCII }

    func fault(ofColumnName name: String) -> String? {
        name.utf8.count > 63 ? "PostgreSQL cuts names off after 63 bytes" : nil
    }

    func literal(_ text: String) throws(Unsupported) -> String {
        try LiteralText.checkHoldsNoNull(text, in: title)
        return LiteralText.literal(text, escapedBehind: "E", short: "\\u", long: ("\\U", 8))
    }

    /// With a collation, lest the table's compare otherwise than by bytes.
    func asText(_ column: String) -> String { "CAST(\(column) AS text) COLLATE \"C\"" }

    func endsWith(_ text: String, _ literal: String) throws(Unsupported) -> String {
        "right(\(text), \(literal.unicodeScalars.count)) = \(try self.literal(literal))"
    }

    func matchesWholly(_ text: String, _ pattern: String) -> String { "\(text) ~ '^(\(pattern))$'" }
    func group(_ text: String, _ pattern: String) -> String { "COALESCE(substring(\(text) FROM '^\(pattern)'), '')" }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        "\(text) ~ \(try literal(Pattern(expression).text(for: .postgresql)))"
    }

    func digest(_ salt: Salt, _ unit: String) throws(Unsupported) -> String {
        "sha256(convert_to(\(try salted(salt, unit)), 'UTF8'))"
    }

    func bucket(_ digest: String, offset: Int) -> String {
        let bytes = (0..<5).map { index in
            let byte = "get_byte(\(digest), \(offset + index))"
            return index == 4 ? byte : "(\(byte)::bigint << \(8 * (4 - index)))"
        }
        return "((\(bytes.joined(separator: " | "))) * 1000000) >> 40"
    }

    func clockIsBefore(_ instant: Instant) -> String {
        "CURRENT_TIMESTAMP < TIMESTAMPTZ '\(ClockText.standard(instant))+00'"
    }

    func long(_ long: LongRows) -> String {
        let rows = long.rows.map { "  (\(long.values($0).joined(separator: ", ")))" }
        return """
            SELECT \(long.list)
            FROM \(long.source)
            CROSS JOIN LATERAL (VALUES
            \(rows.joined(separator: ",\n"))
            ) AS allot_decisions (\(long.valueNames))
            """
    }

    func note(onStatementOf size: Int, experiments: Int) -> String? {
        "The database has to be one whose encoding is UTF8 (SHOW server_encoding)."
    }

    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        let list = parameters.map { "\($0) text DEFAULT NULL" }.joined(separator: ", ")
        var tag = "allot"
        while UTF8Search.contains(query, "$\(tag)$") { tag += "_" }
        return """
            CREATE OR REPLACE FUNCTION \(name)(\(list))
            RETURNS TABLE (unit text, experiment text, variant text, reason text, bucket bigint, revision text)
            LANGUAGE sql STABLE PARALLEL SAFE AS $\(tag)$
            \(query)
            $\(tag)$
            """
    }

    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String {
        "$\(position)"
    }
}
