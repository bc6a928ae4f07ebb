import AllotConfiguration
import AllotCore

/// Trino, which is also the engine of Athena, and has Java's patterns and binary digests.
struct TrinoSyntax: SQLSyntax {
    let title = "Trino"
    var instantType: String { "TIMESTAMP WITH TIME ZONE" }
    var staging: Staging { .lateral }
    var search: TextSearch { TextSearch(endsWith: { "substr(\($0), -\($2)) = \($1)" }) }

    /// Escapes instead of joined pieces, because a tree of operators could be too deep.
    func literal(_ text: String) throws(Unsupported) -> String {
        LiteralText.literal(text, escapedAfter: "U&", short: "\\", long: ("\\+", 6))
    }

    func byteCount(_ text: String) -> String { "length(to_utf8(\(text)))" }
    func identifier(_ text: String, _ position: Int) -> String { "COALESCE(split_part(\(text), '.', \(position)), '')" }

    func matchesWholly(_ text: String, _ pattern: String) -> String {
        "(regexp_like(\(text), '^(\(PlainPattern.possessive(pattern)))$') AND substr(\(text), -1) <> chr(10))"
    }

    func group(_ text: String, _ pattern: String) -> String {
        "COALESCE(regexp_extract(\(text), '^\(pattern)', 1), '')"
    }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        "regexp_like(\(text), \(try literal(expression.text(for: .java))))"
    }

    func digest(_ function: DigestFunction, of text: String) -> String {
        "\(function.name.lowercasedASCII)(to_utf8(\(text)))"
    }

    func number(_ digest: String, digits: Range<Int>) -> String {
        let bytes = DigestFunction.bytes(of: digits)
        let part = "substr(\(digest), \(bytes.lowerBound + 1), \(bytes.count))"
        let zeros = String(repeating: "00", count: 8 - bytes.count)
        let number = "from_big_endian_64(\(zeros.isEmpty ? part : "concat(X'\(zeros)', \(part))"))"
        return digits.count == bytes.count * 2 ? number : shiftedRight(number, by: 4)
    }

    func shiftedRight(_ number: String, by bits: Int) -> String { "bitwise_right_shift(\(number), \(bits))" }
    var hasNanoseconds: Bool { true }
    func instantLiteral(_ digits: String) -> String { "TIMESTAMP '\(digits) UTC'" }

    /// `date_diff` cuts off what is finer than milliseconds, which changes no number of whole milliseconds.
    func passed(since instant: Instant, to time: String) throws(Unsupported) -> PassedTime {
        try check(firstWindow: instant)
        guard instant.nanoseconds % 1_000_000 == 0 else {
            throw Unsupported(
                "\(title) counts windows from whole milliseconds, and the first one begins at "
                    + "\(instant.writtenText); write it with at most three decimals")
        }
        return PassedTime(count: "date_diff('second', \(literal(instant)), \(time))", perSecond: 1)
    }

    func long(_ long: LongRows) -> String {
        """
        SELECT \(long.selected())
        FROM \(long.source)
        CROSS JOIN UNNEST(ARRAY[
        \(long.list(row: { "ROW(\($0))" }))
        ]) AS allot_decisions (\(long.names.joined(separator: ", ")))
        """
    }
}
