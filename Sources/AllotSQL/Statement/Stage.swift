struct Stage {
    let name: String
    var comment: String
    /// The expressions have one line or several. Later lines begin with the column's indentation.
    private(set) var columns: [(name: String, expression: String)] = []
    private(set) var partCount = 0
    private var places: [String: Int] = [:]

    init(name: String, comment: String) {
        self.name = name
        self.comment = comment
    }

    /// The columns as the items of a `SELECT`.
    func lines(_ syntax: any SQLSyntax, after earlier: [String]) -> [String] {
        let pieces = SelectPieces(syntax: syntax, earlier: earlier)
        let expressions = pieces.applied(to: columns.map(\.expression), partCount: partCount)
        return zip(expressions, columns).map { "    \($0) AS \($1.name)" }
    }

    mutating func add(_ name: String, _ expression: String, parts: Int = 1) {
        if let known = places[name] {
            precondition(columns[known].expression == expression, "two columns of one name")
            return
        }
        places[name] = columns.count
        columns.append((name, expression))
        partCount += parts
    }
}

/// The steps from a table's columns to buckets, filled as decisions need columns.
struct Stages {
    var attributes = Stage(
        name: "allot_attributes", comment: "Unit IDs and attributes as text. What is empty is missing.")
    /// The IDs of units of several attributes, which may be too long together.
    var units = Stage(
        name: "allot_units", comment: "Unit IDs of several attributes: their texts with \"|\" between them.")
    /// Attributes whose text has the grammar of a type, and the windows of instants.
    var readings = Stage(
        name: "allot_readings",
        comment: "Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.")
    var digests = Stage(name: "allot_digests", comment: "One SHA-256 of salt, \":\" and unit ID for each salt.")
    /// Buckets, or digests that are compared as they are, and the sort keys of versions and of instants.
    var buckets = Stage(
        name: "allot_buckets", comment: "Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.")

    mutating func noteDigits() {
        digests.comment = "Parts of what was read."
        buckets.comment =
            "One SHA-256 of salt, \":\" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits\n"
            + "  -- are below those of B * 2^40 / 1000000, rounded up."
        comparesDigits = true
    }

    mutating func noteForeignHashes() {
        digests.comment = "One hash of salt and unit ID for each salt."
        guard !comparesDigits else { return }
        buckets.comment = "Buckets: the numbers that hashes give, in the way of each system."
    }

    private var comparesDigits = false

    var used: [Stage] { [attributes, units, readings, digests, buckets].filter { !$0.columns.isEmpty } }
}

/// Keeps an engine from compiling the columns of one `SELECT` as one piece that is too long to run fast.
struct SelectPieces {
    let syntax: any SQLSyntax
    let earlier: [String]

    /// The least number of expressions for which it is worth the time that it takes.
    private static let leastCount = 4

    /// The expressions of the columns, one of them with what the engine needs.
    func applied(to expressions: [String], partCount: Int? = nil) -> [String] {
        guard partCount ?? expressions.count >= Self.leastCount else { return expressions }
        var expressions = expressions
        for index in expressions.indices {
            let words = InternalNames.mentioned(in: expressions[index])
            guard let column = earlier.first(where: words.contains) else { continue }
            if let inPieces = syntax.inPieces(expressions[index], column) { expressions[index] = inPieces }
            break
        }
        return expressions
    }
}
