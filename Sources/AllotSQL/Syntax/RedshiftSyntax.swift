import AllotCore

/// Amazon Redshift, which resembles old versions of PostgreSQL and has hexadecimal digests.
struct RedshiftSyntax: SQLSyntax {
    let title = "Redshift"
    var textType: String { "VARCHAR(65535)" }
    var doubleType: String { "DOUBLE PRECISION" }
    var instantType: String { "TIMESTAMPTZ" }
    var safeCast: String { "CAST" }
    var staging: Staging { .star(except: "EXCLUDE", isLast: true) }
    var search: TextSearch {
        TextSearch(startsWith: { "LEFT(\($0), \($2)) = \($1)" }, endsWith: { "RIGHT(\($0), \($2)) = \($1)" })
    }

    func folded(name: String) -> String { name.utf8.allSatisfy(\.isOfPlainName) ? name.lowercasedASCII : name }

    func fault(ofColumnName name: String) -> String? {
        name == name.lowercasedASCII ? nil : "Redshift converts the names of columns to lower case"
    }

    /// Writes other characters than ASCII as bytes, because `CHR` is for ASCII only.
    func literal(_ text: String) throws(Unsupported) -> String {
        try LiteralText.checkHasNoNull(text, in: title)
        return LiteralText.concatenated(
            text,
            character: { scalar in
                scalar.isASCII
                    ? "CHR(\(scalar.value))"
                    : "FROM_VARBYTE(FROM_HEX('\(LiteralText.hexadecimal(String(scalar)))'), 'utf8')"
            }, joined: literal(joining:))
    }

    func position(_ number: String) -> String { "CAST(\(number) AS INTEGER)" }
    func asText(_ number: String) -> String { "COLLATE(CAST(\(number) AS VARCHAR(65535)), 'case_sensitive')" }
    /// With the collation of other text, because a view's columns keep their collations.
    var noText: String { asText("NULL") }
    func group(_ text: String, _ pattern: String) -> String { "REGEXP_SUBSTR(\(text), '^\(pattern)', 1, 1, 'e')" }

    func number(_ digest: String, digits: Range<Int>) -> String {
        "STRTOL(SUBSTRING(\(digest), \(digits.lowerBound + 1), \(digits.count)), 16)"
    }

    /// The clock shows the session's time zone.
    var clock: String { "CAST(GETDATE() AS TIMESTAMPTZ)" }
    func instantLiteral(_ digits: String) -> String { "CAST('\(digits)+00' AS TIMESTAMPTZ)" }
    func passed(since instant: Instant, to time: String) -> PassedTime {
        let utc = "\(time) AT TIME ZONE 'UTC'"
        return passed(since: instant, microseconds: "DATEDIFF(microsecond, TIMESTAMP '1970-01-01 00:00:00', \(utc))")
    }

    func view(_ name: String, query: String, layout: WarehouseStatement.Layout) -> String {
        // It does not replace a view by one of other columns.
        layout == .long
            ? replacingView(name, query: query)
            : "BEGIN;\nDROP VIEW IF EXISTS \(name);\nCREATE VIEW \(name) AS\n\(query);\nCOMMIT"
    }
}
