import AllotConfiguration
import AllotCore

/// ClickHouse, which compares bytes without collations, uses RE2 and has binary digests.
struct ClickHouseSyntax: SQLSyntax {
    let title = "ClickHouse"
    var testedVersion: String? { "26.9" }
    var textType: String { "Nullable(String)" }
    var instantType: String { "DateTime64" }
    var bucketType: String { "Nullable(UInt64)" }
    var staging: Staging { .star(except: "EXCEPT") }
    var search: TextSearch {
        TextSearch(
            startsWith: TextSearch.call("startsWith"), endsWith: TextSearch.call("endsWith"),
            contains: { text, literal, _ in "position(\(text), \(literal)) > 0" })
    }
    var ignoresCaseOfNames: Bool { false }

    func quoted(name: String) throws(Unsupported) -> String {
        try NameText.check(name, in: title)
        return "`" + name.doubling("\\").doubling("`") + "`"
    }

    func literal(_ text: String) throws(Unsupported) -> String {
        let escaped = LiteralText.escaped(text) { scalar in
            String(scalar).utf8.map { "\\x" + $0.zeroPadded(to: 2, radix: 16) }.joined()
        }
        return "'\(escaped)'"
    }

    func asText(_ number: String) -> String { "toString(\(number))" }
    /// Arrays cannot be Nullable.
    func columnText(_ column: String) -> String { "toString(toNullable(\(column)))" }

    /// All branches are computed, so a column that has no instants is cast to its own type. Instants keep their scale,
    /// because finer ones do not reach as far. Names of types in quotes are values of an enumeration.
    func instantText(_ column: String) -> String {
        let type = "toTypeName(\(column))"
        let seconds = #"replaceRegexpOne(\#(type), '^[^\']*\\bDateTime\\b.*', 'Nullable(DateTime(\'UTC\'))')"#
        let utcType =
            #"replaceRegexpOne(\#(seconds), '^[^\']*\\bDateTime64.(\\d).*', 'Nullable(DateTime64(\\1, \'UTC\'))')"#
        return #"""
            multiIf(
                  match(\#(type), '^[^\']*\\bDateTime'),
                  concat(replaceOne(toString(accurateCastOrNull(\#(column), \#(utcType))), ' ', 'T'), 'Z'),
                  match(\#(type), '^[^\']*\\bDate'), concat(toString(\#(column)), 'T00:00:00Z'),
                  \#(columnText(column))
                )
            """#
    }
    func byteCount(_ text: String) -> String { "length(\(text))" }
    func characterCount(_ text: String) -> String { "lengthUTF8(\(text))" }
    func isValidText(_ text: String) -> String? { "isValidUTF8(\(text))" }
    func concatenated(_ parts: [String]) -> String { "concat(\(parts.joined(separator: ", ")))" }
    func part(_ text: String, from position: String, count: Int) -> String {
        "substring(\(text), \(position), \(count))"
    }
    func translated(_ text: String, from: String, to: String) -> String { "translateUTF8(\(text), \(from), \(to))" }

    func identifier(_ text: String, _ position: Int) -> String {
        "arrayElement(splitByChar('.', assumeNotNull(\(text))), \(position))"
    }

    func matchesWholly(_ text: String, _ pattern: String) -> String { "match(\(text), '^(\(pattern))$')" }
    func group(_ text: String, _ pattern: String) -> String { "regexpExtract(\(text), '^\(pattern)', 1)" }

    /// Unlike RE2 itself, ClickHouse lets "." match a line feed by default.
    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        let flags = expression.ignoresCase ? "(?i-s)" : "(?-s)"
        return "match(\(text), \(try literal(flags + expression.pattern)))"
    }

    /// Versions that do not read doubles exactly by default read them as JSON, which has no zeros at the beginning of
    /// a number, and is exact for numbers with a fraction or an exponent. Where the setting is 1, this costs nothing.
    func double(_ text: String) -> String {
        let number = "replaceRegexpOne(\(text), '^(-?)0+([0-9])', '\\\\1\\\\2')"
        let json = "concat(\(number), if(match(\(text), '[.eE]'), '', 'e0'))"
        return "if(getSetting('precise_float_parsing'), toFloat64OrNull(\(text)), "
            + "JSONExtract(assumeNotNull(\(json)), 'Nullable(Float64)'))"
    }
    func integer(_ text: String) -> String { "toInt64OrNull(\(text))" }
    func fraction(_ number: Double) -> String { "\(number)" }
    func quotient(_ dividend: String, _ divisor: Int) -> String { "intDiv(\(dividend), \(divisor))" }
    func digest(_ function: DigestFunction, of text: String) -> String { "\(function.name)(\(text))" }

    /// Reads eight bytes, or fewer and zeros at the end of the digest, reverses them and shifts out the other digits.
    func number(_ digest: String, digits: Range<Int>) -> String {
        let eight = "byteSwap(reinterpretAsUInt64(substring(\(digest), \(digits.lowerBound / 2 + 1), 8)))"
        return shiftedRight(eight, by: 64 - 4 * digits.count)
    }

    func shiftedRight(_ number: String, by bits: Int) -> String { "bitShiftRight(\(number), \(bits))" }

    func murmur3(_ first: String, _ second: String, _ form: HashedForm) throws(Unsupported) -> String? {
        func unhex(_ bytes: [UInt8]) -> String { "unhex('\(LiteralText.hexadecimal(bytes))')" }
        let bytes = Array(first.utf8)
        let parts: [String]
        switch form {
        case .plain: parts = [try literal(first), second]
        case .textInCBOR: parts = [headInCBOR("(\(bytes.count) + \(byteCount(second)))"), unhex(bytes), second]
        case .arrayInCBOR:
            // A text has its length before it: with its type in one byte, or after it in one or two.
            let (high, low) = (UInt8(truncatingIfNeeded: bytes.count / 256), UInt8(truncatingIfNeeded: bytes.count))
            let head = bytes.count < 24 ? [0x60 + low] : bytes.count < 256 ? [0x78, low] : [0x79, high, low]
            parts = [unhex([0x82] + head + bytes), headInCBOR(byteCount(second)), second]
        }
        return "toUInt64(murmurHash3_32(\(concatenated(parts))))"
    }

    /// The head of a CBOR text of a number of bytes.
    private func headInCBOR(_ count: String) -> String {
        "multiIf(\(count) < 24, char(96 + \(count)), \(count) < 256, char(120, \(count)), "
            + "char(121, intDiv(\(count), 256), MOD(\(count), 256)))"
    }

    func falseIfUnknown(_ condition: String) -> String { "ifNull(\(condition), FALSE)" }
    /// Otherwise it computes a column, with its hash, anew for each branch that mentions it. The first condition of a
    /// `CASE` is always computed. Users with `readonly = 1` cannot set the setting with the same effect.
    func condition(computing columns: [String]) -> String? { "ignore(\(columns.joined(separator: ", ")))" }
    var clock: String { "now64(6)" }
    var hasNanoseconds: Bool { true }

    /// The range of nanoseconds in 64 bits, which are what finer columns are compared in, as far as dates reach.
    var instants: ClosedRange<Instant> {
        // 1900-01-01T00:00:00Z ... 2262-04-11T23:47:16Z
        Instant(seconds: -2_208_988_800)...Instant(seconds: 9_223_372_036)
    }

    func instantLiteral(_ digits: String) -> String {
        let scale = digits.utf8.count - "2026-11-21 12:00:00.".utf8.count
        return "toDateTime64('\(digits)', \(scale), 'UTC')"
    }

    /// Whole seconds, from instants in nanoseconds.
    func passed(since instant: Instant, to time: String) throws(Unsupported) -> PassedTime {
        try check(firstWindow: instant)
        return PassedTime(count: "age('second', \(literal(instant)), \(time), 'UTC')", perSecond: 1)
    }

    func long(_ long: LongRows) -> String {
        let rows = long.rows.map { values in
            // The unit comes last, so that the other fields have the same numbers with it and without.
            "  (\((values.dropFirst() + (long.commonUnit == nil ? values.prefix(1) : [])).joined(separator: ", ")))"
        }
        let columns = LongRows.columns.dropFirst().enumerated().map { "decision.\($0.offset + 1) AS \($0.element)" }
        return """
            SELECT \(long.commonUnit ?? "decision.6") AS unit, \(columns.joined(separator: ", "))
            FROM \(long.source)
            ARRAY JOIN [
            \(rows.joined(separator: ",\n"))
            ] AS decision
            """
    }

    /// The default limit of a statement is 256 KiB.
    func notes(onStatementOf size: Int, experiments: Int) -> [String] {
        size < 260_000 ? [] : ["The statement is long: run it with the setting max_query_size = \(size * 2) or more."]
    }

    func table(_ name: String, query: String) -> String {
        "CREATE TABLE \(name) ENGINE = MergeTree ORDER BY tuple() AS\n\(query)"
    }

    /// A view with parameters. ClickHouse does not have other functions that return rows.
    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        view(name, query: query, layout: .long)
    }

    var functionsAreViews: Bool { true }

    func call(_ function: String, parameters: [String]) -> String {
        parameters.isEmpty ? "SELECT * FROM \(function)" : call(function, parameters: parameters, sign: "=")
    }

    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String {
        let plain = name.dropFirst().dropLast()
        guard plain.utf8.allSatisfy(\.isOfPlainName), !plain.utf8.allSatisfy(\.isDigit) else {
            throw Unsupported(
                "a parameter of \(title) cannot be named \(name), only with an ASCII word; map the attribute to a "
                    + "column with a plain name")
        }
        // Not Nullable: arguments that are not given would be NULL. NULL comes as ''.
        return "{\(plain):String}"
    }
}
