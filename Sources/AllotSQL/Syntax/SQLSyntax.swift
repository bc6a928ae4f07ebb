import AllotCore

/// The syntax of an engine. Expressions are text; those that are arguments are columns, calls or in parentheses.
protocol SQLSyntax: Sendable {
    var title: String { get }
    /// The tested version; `nil` if the syntax follows documentation alone.
    var testedVersion: String? { get }
    var textType: String { get }
    /// The types of numbers that are read from text.
    var doubleType: String { get }
    var integerType: String { get }
    /// The cast from text to these types that never fails, if the engine has one.
    var safeCast: String { get }
    var bucketType: String { get }
    /// How stages pass on columns, and how the last stage leaves out the columns that are not shown.
    var staging: Staging { get }
    /// Whether names of columns that differ only in case are the same.
    var ignoresCaseOfNames: Bool { get }

    // MARK: Names and literals

    /// A name in quotes, exactly as given.
    func quoted(name: String) throws(Unsupported) -> String
    /// A name as the engine reads it if it is written without quotes; the same name if it must have quotes.
    func folded(name: String) -> String
    /// A name in the form in which equal names have equal bytes.
    func compared(name: String) -> String
    func literal(_ text: String) throws(Unsupported) -> String
    /// The reason why a column cannot have a name; `nil` if it can.
    func fault(ofColumnName name: String) -> String?

    // MARK: Text

    /// A number as text, compared by bytes.
    func asText(_ number: String) -> String
    var noText: String { get }
    /// A column of a table as text, compared by bytes. In most engines a column of lists is an error.
    func columnText(_ column: String) -> String
    /// A column of a table that is read as instants, as text: RFC 3339 for the engine's dates and timestamps.
    func instantText(_ column: String) -> String
    /// A column of a table that is read as IP addresses, as text without the length of a network.
    func addressText(_ column: String) -> String
    /// Text from the statement itself, compared by bytes.
    func byBytes(_ text: String) -> String
    func byteCount(_ text: String) -> String
    func characterCount(_ text: String) -> String
    /// Whether bytes are UTF-8; `nil` if all text of the engine is.
    func isValidText(_ text: String) -> String?
    func concatenated(_ parts: [String]) -> String
    /// Joins the pieces of a literal, of which there may be thousands.
    func literal(joining pieces: [String]) -> String
    /// A part of a text from a 1-based position, which is a number or an expression.
    func part(_ text: String, from position: String, count: Int) -> String
    func position(_ number: String) -> String
    /// Replaces each character of `from` with the one at its place in `to`, or with nothing if `to` is shorter.
    func translated(_ text: String, from: String, to: String) -> String
    /// The tests of a text with a literal.
    var search: TextSearch { get }
    /// The identifier at a 1-based position of text with dots; empty after the last one.
    func identifier(_ text: String, _ position: Int) -> String
    /// Text with dots for a column of which many identifiers are read.
    func divided(_ text: String) -> String
    /// The identifier at a 1-based position of such a column; empty after the last one.
    func identifier(ofDivided column: String, _ position: Int) -> String

    // MARK: Patterns

    /// Whether a whole text matches a plain pattern, which is ASCII without backslashes, quotes and `$`.
    func matchesWholly(_ text: String, _ pattern: String) -> String
    /// The match of the only group of a plain pattern at the beginning of a text; without digits if there is no match.
    func group(_ text: String, _ pattern: String) -> String
    /// Whether a pattern of RE2 occurs in a text.
    func matches(_ text: String, _ expression: RegularExpression) throws(Unsupported) -> String

    // MARK: Numbers

    /// The double of a text that is a number or NULL.
    func double(_ text: String) -> String
    /// The integer of a text that is digits or NULL.
    func integer(_ text: String) -> String
    /// A number that is not whole, or large.
    func fraction(_ number: Double) -> String
    /// Division of numbers that are not negative, rounded down.
    func quotient(_ dividend: String, _ divisor: Int) -> String

    // MARK: Hashes

    func digest(_ function: DigestFunction, of text: String) -> String
    /// How the engine compares digests of SHA-256 as they are; `nil` if buckets are compared as numbers.
    var digestOrder: DigestOrder? { get }
    /// The number that some of the first hexadecimal digits of a digest are: at most 15 of them, from an even position.
    func number(_ digest: String, digits: Range<Int>) -> String
    /// A number that is not negative, without its lowest bits.
    func shiftedRight(_ number: String, by bits: Int) -> String
    /// MurmurHash3 in 32 bits with the seed 0, of which the first text is given; `nil` if the engine lacks it.
    func murmur3(_ first: String, _ second: String, _ form: HashedForm) throws(Unsupported) -> String?
    /// The preparation of a statement with a digest; `nil` if it needs none.
    func note(on function: DigestFunction) -> String?

    // MARK: Conditions

    func falseIfUnknown(_ condition: String) -> String
    /// A condition that never holds, first in a `CASE`, with which the engine computes columns once; `nil` if it does.
    func condition(computing columns: [String]) -> String?
    /// An equal expression of a column with which the engine compiles its `SELECT` in pieces; `nil` if it needs none.
    func inPieces(_ expression: String, _ column: String) -> String?

    // MARK: Instants

    var instantType: String { get }
    var clock: String { get }
    /// The unit in which the clock stands still: the statement or the transaction.
    var clockUnit: String { get }
    /// The instants that the engine reads. The nearest one stands for any other.
    var instants: ClosedRange<Instant> { get }
    var hasNanoseconds: Bool { get }
    /// A column of a table that has the instants of its rows; an error of the engine if its values are something else.
    func instants(of column: String) -> String
    /// An instant from its digits in UTC: `2026-11-21 12:00:00.000000`, or with nine decimals.
    func instantLiteral(_ digits: String) -> String
    /// The time from an instant to another, which is an expression and not before it, by integers alone.
    func passed(since instant: Instant, to time: String) throws(Unsupported) -> PassedTime

    // MARK: Statements

    /// Whether functions are views, and so have names among those of tables.
    var functionsAreViews: Bool { get }
    /// How decisions become the rows of the long layout.
    var longForm: LongForm { get }
    /// The long layout from a column for each variant and each reason.
    func long(_ rows: LongRows) -> String
    /// Remarks for the person who runs a statement of this number of bytes and experiments.
    func notes(onStatementOf size: Int, experiments: Int) -> [String]
    /// The statement that stores a query as a view, in the place of the one that has the name, if any.
    func view(_ name: String, query: String, layout: WarehouseStatement.Layout) -> String
    func table(_ name: String, query: String) -> String
    /// The statement that stores a query as a function. Parameters are quoted.
    func function(_ name: String, parameters: [String], query: String) throws(Unsupported) -> String
    /// A parameter of a function, in its body. Names are quoted, and positions begin with 1.
    func parameter(_ name: String, position: Int, of function: String) throws(Unsupported) -> String
    /// A query of a function, as an example.
    func call(_ function: String, parameters: [String]) -> String
    /// The notes for callers of a function, line by line, with ``call(_:parameters:)``.
    func callNotes(on function: String, parameters: [String]) -> [String]
}

/// How an engine searches a text for a literal.
struct TextSearch {
    /// Writes a test of a text with a literal that has a number of characters.
    typealias Test = (_ text: String, _ literal: String, _ length: Int) -> String

    var startsWith = call("starts_with")
    var endsWith = call("ends_with")
    var contains: Test = { text, literal, _ in "strpos(\(text), \(literal)) > 0" }
    static func call(_ function: String) -> Test { { text, literal, _ in "\(function)(\(text), \(literal))" } }
}

/// How stages follow each other.
enum Staging: Sendable {
    /// `SELECT *, … FROM stage`, and `* KEYWORD (…)` in the last stage, with the keyword after the star or the list.
    case star(except: String, isLast: Bool = false)
    /// Like `star`, but the row is a column. `OFFSET 0` keeps the engine from merging stages and computing them anew.
    case row
    /// `FROM table CROSS JOIN LATERAL (SELECT …) …`.
    case lateral
}

/// The bytes of two texts that are hashed: one after the other, or as one text or as an array of both in CBOR.
enum HashedForm {
    case plain, textInCBOR, arrayInCBOR
}

/// A cryptographic hash that engines have.
enum DigestFunction: Sendable {
    case md5, sha1, sha256

    var name: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        }
    }

    static func bytes(of digits: Range<Int>) -> Range<Int> { digits.lowerBound / 2..<(digits.upperBound + 1) / 2 }
}
