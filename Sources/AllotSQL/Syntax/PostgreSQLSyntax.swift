import AllotConfiguration
import AllotCore

/// PostgreSQL 12 and later, which has collations, patterns of its own and binary digests.
struct PostgreSQLSyntax: SQLSyntax {
    let title = "PostgreSQL"
    var testedVersion: String? { "15" }
    var textType: String { "text" }
    var doubleType: String { "double precision" }
    var integerType: String { "bigint" }
    var instantType: String { "timestamptz" }
    /// `CURRENT_TIMESTAMP` is that of the transaction.
    var clock: String { "statement_timestamp()" }
    var safeCast: String { "CAST" }
    var staging: Staging { .row }
    var search: TextSearch { TextSearch(endsWith: { "right(\($0), \($2)) = \($1)" }) }
    var ignoresCaseOfNames: Bool { false }

    /// Letters that are not ASCII need no quotes, and stay as they are.
    func folded(name: String) -> String {
        name.utf8.allSatisfy { $0.isOfPlainName || $0 >= 0x80 } ? name.lowercasedASCII : name
    }

    func fault(ofColumnName name: String) -> String? {
        name.utf8.count > 63 ? "PostgreSQL cuts off names after 63 bytes" : nil
    }

    func literal(_ text: String) throws(Unsupported) -> String {
        try LiteralText.checkHasNoNull(text, in: title)
        return quote(text)
    }

    /// A literal of text without U+0000, which names do not have.
    private func quote(_ text: String) -> String {
        LiteralText.literal(text, escapedAfter: "E", short: "\\u", long: ("\\U", 8))
    }

    /// Text with a collation, so that the table's collation does not apply.
    func position(_ number: String) -> String { "CAST(\(number) AS INTEGER)" }
    func asText(_ number: String) -> String { "CAST(\(number) AS text) COLLATE \"C\"" }
    /// With the collation of other text, because a view's columns keep their collations.
    var noText: String { asText("NULL") }
    /// Arrays fail, because they cannot be concatenated with text. Texts such as `citext` have other rules.
    func columnText(_ column: String) -> String { asText("(\(column) || '')") }
    /// The type of a column, and for a domain the type below it, which is what `COALESCE` of two types has.
    private func type(_ column: String) -> String { "pg_typeof(COALESCE(\(column), NULL))" }

    /// `inet` has the length of its network, also as text.
    func addressText(_ column: String) -> String {
        let text = columnText(column)
        return "CASE WHEN \(type(column)) = 'inet'::regtype THEN split_part(\(text), '/', 1) ELSE \(text) END"
    }

    /// A timestamp without a time zone is taken as UTC. JSON has one form of dates, whatever the setting `DateStyle`.
    func instantText(_ column: String) -> String {
        let json = "(to_json(\(column)) #>> '{}')"
        func text(_ time: String) -> String { "(to_json(\(time)) #>> '{}') || 'Z'" }
        return asText(
            """
            CASE
                  WHEN \(type(column)) = 'timestamptz'::regtype
                  THEN \(text("CAST(\(json) AS timestamptz) AT TIME ZONE 'UTC'"))
                  WHEN \(type(column)) IN ('timestamp'::regtype, 'date'::regtype)
                  THEN \(text("CAST(\(json) AS timestamp)"))
                  ELSE \(columnText(column))
                END
            """)
    }

    func group(_ text: String, _ pattern: String) -> String { "COALESCE(substring(\(text) FROM '^\(pattern)'), '')" }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        "\(text) ~ \(try literal(expression.text(for: .postgresql)))"
    }

    func digest(_ function: DigestFunction, of text: String) -> String {
        let bytes = "convert_to(\(text), 'UTF8')"
        return switch function {
        case .md5: "decode(md5(\(bytes)), 'hex')"
        case .sha1: "digest(\(bytes), 'sha1')"
        case .sha256: "sha256(\(bytes))"
        }
    }

    /// Binary digests compare by their bytes.
    var digestOrder: DigestOrder? {
        DigestOrder(digest: { $0 }, second: { "substr(\($0), 6)" }, literal: { "decode('\($0)', 'hex')" })
    }

    func note(on function: DigestFunction) -> String? {
        function == .sha1
            ? "SHA-1 is in an extension that comes with PostgreSQL: CREATE EXTENSION IF NOT EXISTS pgcrypto." : nil
    }

    func number(_ digest: String, digits: Range<Int>) -> String {
        let bytes = DigestFunction.bytes(of: digits).map { index in
            let byte = "get_byte(\(digest), \(index))"
            // Below 0 for the byte of which the first digit alone counts.
            let shift = 4 * (digits.upperBound - 2 * (index + 1))
            return switch shift {
            case 0: byte
            case 1...: "(\(byte)::bigint << \(shift))"
            default: "(\(byte) >> \(-shift))"
            }
        }
        return "(\(bytes.joined(separator: " | ")))"
    }

    func instantLiteral(_ digits: String) -> String { "TIMESTAMPTZ '\(digits)+00'" }

    /// `EXTRACT` gave floating-point numbers before PostgreSQL 14, which are exact for whole seconds.
    func passed(since instant: Instant, to time: String) -> PassedTime {
        let (seconds, fraction) = InstantLiteral.microseconds(instant).flooredQuotientAndRemainder(
            dividingBy: 1_000_000)
        var time = finite(time, since: instant)
        if fraction > 0 { time += " - INTERVAL '\(fraction) microseconds'" }
        let passed = "CAST(EXTRACT(EPOCH FROM date_trunc('second', \(time))) AS bigint) - \(seconds)"
        return PassedTime(count: "(\(passed))", perSecond: 1)
    }

    /// A list for each column, because PostgreSQL prepares the expressions of `VALUES` again for each row of the table.
    func long(_ long: LongRows) -> String {
        let lists = zip(long.names, long.columns).map { name, values in
            "  -- \(name)\n  ARRAY[\n    \(values.joined(separator: ",\n    "))\n  ]"
        }
        return """
            SELECT \(long.selected())
            FROM \(long.source)
            CROSS JOIN LATERAL unnest(
            \(lists.joined(separator: ",\n"))
            ) AS allot_decisions (\(long.names.joined(separator: ", ")))
            """
    }

    func notes(onStatementOf size: Int, experiments: Int) -> [String] {
        let encoding = "The encoding of the database must be UTF8 (SHOW server_encoding)."
        guard experiments >= Self.manyExperiments else { return [encoding] }
        return [
            encoding,
            "PostgreSQL may take longer to compile a query of that many experiments than to run it: SET jit = off in "
                + "the session that runs it.",
        ]
    }

    /// The number from which PostgreSQL's compiler takes longer than it saves.
    private static let manyExperiments = 100

    /// PostgreSQL does not replace a view by one of other columns.
    func view(_ name: String, query: String, layout: WarehouseStatement.Layout) -> String {
        guard layout == .wide else { return replacingView(name, query: query) }
        let place = Place(quoted: name, self)
        return block(
            """
            IF EXISTS (SELECT FROM pg_class WHERE relname = \(place.name) AND relnamespace = \(place.schema)) THEN
              DROP VIEW \(name);
            END IF;
            CREATE VIEW \(name) AS
            \(query);
            """)
    }

    /// Without default values: a call without an argument is an error, and never one of another function of the name.
    /// Only a function of other parameters is dropped, so that others keep their privileges and what depends on them.
    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        let types = ["text", "text", "text", "text", "bigint", "text"]
        let columns = zip(LongRows.columns, types).map { "\($0) \($1)" }
        // What PostgreSQL keeps of a function: the names of its parameters and columns, and their types.
        let names = parameters.flatMap(Self.parts) + LongRows.columns
        let signature = (names + parameters.map { _ in "text" } + types).map(quote)
        let place = Place(quoted: name, self)
        let tag = unusedTag("allot", query)
        return block(
            """
            IF EXISTS (
              SELECT FROM pg_proc WHERE proname = \(place.name) AND pronamespace = \(place.schema)
              AND proargnames || proallargtypes::regtype[]::text[]
              IS DISTINCT FROM ARRAY[\(signature.joined(separator: ", "))]
            ) THEN
              DROP FUNCTION \(name);
            END IF;
            CREATE OR REPLACE FUNCTION \(name)(\(declared(parameters)))
            RETURNS TABLE (\(columns.joined(separator: ", ")))
            LANGUAGE sql STABLE PARALLEL SAFE AS $\(tag)$
            \(query)
            $\(tag)$;
            """)
    }

    /// Where PostgreSQL's catalogue has what has a name: in the first schema of the search path, if it names none.
    private struct Place {
        let name: String
        let schema: String

        init(quoted name: String, _ syntax: PostgreSQLSyntax) {
            let parts = PostgreSQLSyntax.parts(name)
            self.name = syntax.quote(parts.last ?? "")
            let schema = parts.dropLast().last.map(syntax.quote) ?? "current_schema()"
            self.schema = "(SELECT oid FROM pg_namespace WHERE nspname = \(schema))"
        }
    }

    /// The parts of a name whose parts are in quotes, without these.
    private static func parts(_ name: String) -> [String] {
        var parts: [String.UnicodeScalarView] = [.init()]
        var rest = name.unicodeScalars.dropFirst()
        while let scalar = rest.popFirst() {
            if scalar == "\"", rest.first == "." {
                rest = rest.dropFirst(2)
                parts.append(.init())
            } else if scalar != "\"" || rest.popFirst() != nil {
                parts[parts.count - 1].append(scalar)
            }
        }
        return parts.map { String($0) }
    }

    /// Statements as one: all of them or none, in a transaction of the caller's too.
    private func block(_ statements: String) -> String {
        let tag = unusedTag("allot_block", statements)
        return "DO $\(tag)$\nBEGIN\n\(statements)\nEND\n$\(tag)$"
    }

    private func unusedTag(_ start: String, _ text: String) -> String {
        var tag = start
        while text.utf8.contains("$\(tag)$".utf8) { tag += "_" }
        return tag
    }

    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String { "$\(position)" }
}
