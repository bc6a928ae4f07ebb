import Allot

/// How an engine spells what Allot asks of it. Expressions are text; what is passed in as an expression is atomic: a
/// column, a call or something in brackets.
protocol SQLSyntax: Sendable {
    /// The engine's name as its makers write it.
    var title: String { get }
    /// The version on which equality is proved, `nil` if the syntax is from documentation alone.
    var testedVersion: String? { get }
    /// The name of the type of text.
    var textType: String { get }
    /// The names of the types of numbers that are read from text.
    var doubleType: String { get }
    var integerType: String { get }
    /// What reads a number from text as one of these types: the cast that never fails, where the engine has one.
    var safeCast: String { get }
    /// The name of the type of a bucket.
    var bucketType: String { get }
    /// How a stage passes on what it is given, and how the last one leaves out what it does not show.
    var staging: Staging { get }
    /// Whether names of columns that differ in case alone are one name.
    var ignoresCaseOfNames: Bool { get }

    // MARK: Names and literals

    /// A name in its quotes, exactly as given.
    func quoted(name: String) throws(Unsupported) -> String
    /// A name as the engine reads it where it is written without quotes.
    func folded(name: String) -> String
    /// A literal of any text.
    func literal(_ text: String) throws(Unsupported) -> String
    /// Why a column cannot have a name, `nil` if it can.
    func fault(ofColumnName name: String) -> String?

    // MARK: Text

    /// A column of any type as text, compared by bytes.
    func asText(_ column: String) -> String
    /// Text that the statement itself made, compared by bytes.
    func byBytes(_ text: String) -> String
    func byteCount(_ text: String) -> String
    func characterCount(_ text: String) -> String
    /// Whether bytes are UTF-8, `nil` where all text is.
    func isValidText(_ text: String) -> String?
    func concatenated(_ parts: [String]) -> String
    /// The pieces of a literal, of which there may be thousands, as one text.
    func literal(joining pieces: [String]) -> String
    /// From a 1-based position, a number or an expression.
    func part(_ text: String, from position: String, count: Int) -> String
    /// Each character of `from` replaced with the one at its place in `to`, which may be shorter: the rest is dropped.
    func translated(_ text: String, from: String, to: String) -> String
    func replaced(_ text: String, _ needle: String, with replacement: String) -> String
    func lowercasedASCII(_ text: String) -> String
    func startsWith(_ text: String, _ literal: String) throws(Unsupported) -> String
    func endsWith(_ text: String, _ literal: String) throws(Unsupported) -> String
    func contains(_ text: String, _ literal: String) throws(Unsupported) -> String
    /// The identifier at a 1-based position of text that dots divide; empty behind the last.
    func identifier(_ text: String, _ position: Int) -> String

    // MARK: Patterns

    /// Whether all of a text matches a plain pattern: ASCII without back-slashes, quotes and `$`.
    func matchesWholly(_ text: String, _ pattern: String) -> String
    /// What the one group of a plain pattern matches at the beginning of a text; something without digits if nothing.
    func group(_ text: String, _ pattern: String) -> String
    /// Whether a pattern as people write it occurs in a text.
    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String

    // MARK: Numbers

    /// The double of a text that is known to be a number, or missing.
    func double(_ text: String) -> String
    /// The integer of a text that is known to be digits, or missing.
    func integer(_ text: String) -> String
    func literal(_ number: Double) -> String
    /// Division without remainder, of numbers that are not negative.
    func quotient(_ dividend: String, _ divisor: Int) -> String

    // MARK: Hashes

    /// SHA-256 of a salt, ":" and a unit ID.
    func digest(_ salt: Salt, _ unit: String) throws(Unsupported) -> String
    /// A bucket: five bytes of a digest from an offset, big-endian, times 1,000,000, shifted right by 40 bits.
    func bucket(_ digest: String, offset: Int) -> String

    // MARK: Conditions

    /// A condition, false where it is unknown.
    func falseIfUnknown(_ condition: String) -> String
    /// Whether the engine's clock is before an instant.
    func clockIsBefore(_ instant: Instant) -> String

    // MARK: Statements

    /// The statement that turns the columns of decisions into rows, with its `FROM`.
    func long(_ rows: LongRows) -> String
    /// What whoever runs a statement of so many bytes and experiments has to know, for a comment.
    func note(onStatementOf size: Int, experiments: Int) -> String?
    /// What follows the statement, if anything has to.
    func settings(readsNumbers: Bool) -> String?
    /// The statement that keeps the rows of a query as a table.
    func table(_ name: String, query: String) -> String
    /// The statement that keeps a query as a function.
    ///
    /// - Parameter parameters: quoted.
    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String
    /// A parameter of a function, inside of it.
    ///
    /// - Parameters:
    ///   - name: quoted.
    ///   - position: 1-based.
    ///   - function: quoted.
    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String
}

/// How stages follow each other.
enum Staging: Sendable {
    /// `SELECT *, … FROM stage`, and `* KEYWORD (…)` at the end, with the keyword behind the star or behind the whole
    /// list.
    case star(except: String, isLast: Bool = false)
    /// As `star`, but the row is a column: `(allot_row).*`. Stages end with `OFFSET 0`, lest they be merged and their
    /// expressions computed for each mention.
    case row
    /// `FROM table CROSS JOIN LATERAL (SELECT …) …`.
    case lateral
}

/// One experiment's part of the long layout.
struct LongRows {
    struct Row {
        let experiment: String
        let unit: String
        let variant: String
        let reason: String
        let bucket: String
        let revision: String
    }

    /// What the columns are called.
    static let columns = ["unit", "experiment", "variant", "reason", "bucket", "revision"]

    let rows: [Row]
    /// What follows `FROM`.
    let source: String

    /// The values of a row, the unit first where it is not the same in all rows.
    func values(_ row: Row) -> [String] {
        (commonUnit == nil ? [row.unit] : []) + [row.experiment, row.variant, row.reason, row.bucket, row.revision]
    }

    /// The names of ``values(_:)``.
    var valueNames: String {
        (commonUnit == nil ? Self.columns : Array(Self.columns.dropFirst())).joined(separator: ", ")
    }

    /// The columns where the values have these names.
    var list: String {
        ([commonUnit.map { "\($0) AS unit" } ?? "unit"] + Self.columns.dropFirst()).joined(separator: ", ")
    }

    /// The one unit of all rows, if it is one.
    var commonUnit: String? { rows.allSatisfy { $0.unit == rows[0].unit } ? rows[0].unit : nil }
}

/// Under which name a statement is kept.
public struct Creation: Sendable {
    /// What a statement is kept as.
    public enum Kind: String, Sendable, CaseIterable {
        case view, table, function
    }

    public let kind: Kind
    public let name: String

    /// Names what is to be created.
    public init(_ kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }
}
