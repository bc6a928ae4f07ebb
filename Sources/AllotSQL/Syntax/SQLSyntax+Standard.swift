import AllotCore

/// The syntax that most engines share.
extension SQLSyntax {
    var testedVersion: String? { nil }
    var textType: String { "VARCHAR" }
    var doubleType: String { "DOUBLE" }
    var integerType: String { "BIGINT" }
    var safeCast: String { "TRY_CAST" }
    var bucketType: String { "BIGINT" }
    var ignoresCaseOfNames: Bool { true }
    var search: TextSearch { TextSearch() }

    func quoted(name: String) throws(Unsupported) -> String {
        try NameText.check(name, in: title)
        return "\"" + name.doubling("\"") + "\""
    }

    func folded(name: String) -> String { name }
    func compared(name: String) -> String { ignoresCaseOfNames ? name.lowercasedASCII : name }
    func fault(ofColumnName name: String) -> String? { nil }

    /// A literal with doubled quotes, and with each character that is not plain written by its number.
    func literal(_ text: String) throws(Unsupported) -> String {
        LiteralText.concatenated(text, character: { "chr(\($0.value))" }, joined: literal(joining:))
    }

    func asText(_ number: String) -> String { "CAST(\(number) AS \(textType))" }
    var noText: String { "CAST(NULL AS \(textType))" }
    func columnText(_ column: String) -> String { asText(column) }
    func instantText(_ column: String) -> String { columnText(column) }
    func addressText(_ column: String) -> String { columnText(column) }
    func byBytes(_ text: String) -> String { text }
    func byteCount(_ text: String) -> String { "octet_length(\(text))" }
    func characterCount(_ text: String) -> String { "length(\(text))" }
    func isValidText(_ text: String) -> String? { nil }
    func concatenated(_ parts: [String]) -> String { "(" + parts.joined(separator: " || ") + ")" }
    func literal(joining pieces: [String]) -> String { concatenated(pieces) }
    func part(_ text: String, from position: String, count: Int) -> String { "substr(\(text), \(position), \(count))" }
    func position(_ number: String) -> String { number }
    func translated(_ text: String, from: String, to: String) -> String { "translate(\(text), \(from), \(to))" }

    func replaced(_ text: String, _ needle: String, with replacement: String) -> String {
        "replace(\(text), \(needle), \(replacement))"
    }

    func lowercasedASCII(_ text: String) -> String { "lower(\(text))" }
    func matchesWholly(_ text: String, _ pattern: String) -> String { "\(text) ~ '^(\(pattern))$'" }

    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String {
        throw Unsupported(
            "the patterns of \(title) differ from RE2's in ways that are not documented; use $in, $startsWith, "
                + "$endsWith or $contains")
    }

    func digest(_ function: DigestFunction, of text: String) -> String {
        switch function {
        case .md5: "MD5(\(text))"
        case .sha1: "SHA1(\(text))"
        case .sha256: "SHA2(\(text), 256)"
        }
    }

    var digestOrder: DigestOrder? { nil }
    func shiftedRight(_ number: String, by bits: Int) -> String { "(\(number)) >> \(bits)" }
    func murmur3(_ first: String, _ second: String, _ form: HashedForm) throws(Unsupported) -> String? { nil }
    func note(on function: DigestFunction) -> String? { nil }

    /// A bucket: five bytes of a digest from an offset, big-endian, times 1,000,000, shifted right by 40 bits.
    func bucket(_ digest: String, offset: Int) -> String {
        shiftedRight("\(number(digest, digits: offset * 2..<offset * 2 + 10)) * \(Bucketing.bucketCount)", by: 40)
    }

    func identifier(_ text: String, _ position: Int) -> String { "split_part(\(text), '.', \(position))" }
    func divided(_ text: String) -> String { text }
    func identifier(ofDivided column: String, _ position: Int) -> String { identifier(column, position) }
    func double(_ text: String) -> String { "\(safeCast)(\(text) AS \(doubleType))" }
    func integer(_ text: String) -> String { "\(safeCast)(\(text) AS \(integerType))" }
    /// A literal of a number. Integers and doubles of every engine represent whole ones below 2^53 exactly.
    func literal(_ number: Double) -> String {
        Int64(exactly: number).flatMap { $0.magnitude < 1 << 53 ? "\($0)" : nil } ?? fraction(number)
    }

    func fraction(_ number: Double) -> String { "CAST('\(number)' AS \(doubleType))" }
    func quotient(_ dividend: String, _ divisor: Int) -> String { "(\(dividend) / \(divisor))" }
    func falseIfUnknown(_ condition: String) -> String { "COALESCE(\(condition), FALSE)" }
    func condition(computing columns: [String]) -> String? { nil }
    func inPieces(_ expression: String, _ column: String) -> String? { nil }
    var instantType: String { "TIMESTAMP" }
    var clock: String { "CURRENT_TIMESTAMP" }
    var clockUnit: String { "statement" }
    var instants: ClosedRange<Instant> { InstantLiteral.common }
    var hasNanoseconds: Bool { false }
    func instants(of column: String) -> String { column }
    func instantLiteral(_ digits: String) -> String { "TIMESTAMP '\(digits)+00:00'" }
    func isBefore(_ time: String, _ instant: Instant) -> String { "\(time) < \(literal(instant))" }

    /// An instant, or the nearest one that the engine reads.
    func literal(_ instant: Instant) -> String {
        let instant = min(max(instant, instants.lowerBound), instants.upperBound)
        return instantLiteral(InstantLiteral.digits(instant, hasNanoseconds: hasNanoseconds))
    }

    var functionsAreViews: Bool { false }
    var longForm: LongForm { .columns(long) }
    func notes(onStatementOf size: Int, experiments: Int) -> [String] { [] }

    func creation(
        _ kind: Creation.Kind, of name: String, parameters: [String], query: String, layout: WarehouseStatement.Layout
    ) throws(Unsupported) -> String {
        switch kind {
        case .view: view(name, query: query, layout: layout)
        case .table: table(name, query: query)
        case .function: try function(name, parameters: parameters, query: query)
        }
    }

    func view(_ name: String, query: String, layout: WarehouseStatement.Layout) -> String {
        replacingView(name, query: query)
    }

    func replacingView(_ name: String, query: String) -> String { "CREATE OR REPLACE VIEW \(name) AS\n\(query)" }
    func table(_ name: String, query: String) -> String { "CREATE TABLE \(name) AS\n\(query)" }

    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String {
        throw Unsupported("\(title) does not have functions that return rows; create a view")
    }

    func declared(_ parameters: [String]) -> String { parameters.map { "\($0) \(textType)" }.joined(separator: ", ") }
    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String { name }
    func call(_ function: String, parameters: [String]) -> String { call(function, parameters: parameters, sign: "=>") }

    func callNotes(on function: String, parameters: [String]) -> [String] {
        [
            "Call it with the name of each argument, because positions may change:",
            "  \(call(function, parameters: parameters))",
        ]
    }

    /// A query of a function with named arguments.
    func call(_ function: String, parameters: [String], sign: String) -> String {
        "SELECT * FROM \(function)(\(parameters.map { "\($0) \(sign) NULL" }.joined(separator: ", ")))"
    }

    func salted(_ salt: String, _ unit: String) throws(Unsupported) -> String {
        concatenated([try literal(salt), unit])
    }

    /// The long layout by a join with a list of the experiments, and the values of each row's experiment.
    func long(_ long: LongRows) -> String {
        func choice(_ column: Int) -> String {
            let branches = long.rows.map { "      WHEN \($0[1]) THEN \($0[column])" }
            return "  CASE allot_experiments.experiment\n\(branches.joined(separator: "\n"))\n"
                + "  END AS \(LongRows.columns[column])"
        }
        let columns =
            [long.commonUnit.map { "  \($0) AS unit" } ?? choice(0), "  allot_experiments.experiment"]
            + (2..<LongRows.columns.count).map(choice)
        let list = long.rows.map { "  SELECT \($0[1]) AS experiment" }
        return "SELECT\n\(columns.joined(separator: ",\n"))\nFROM \(long.source)\nCROSS JOIN (\n"
            + list.joined(separator: "\n  UNION ALL\n") + "\n) AS allot_experiments"
    }
}
