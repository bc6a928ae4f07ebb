import AllotBatch
import AllotConfiguration
import AllotCore

/// Reads from a row what kind of exposure it is, and of which revision. Clients of older versions wrote reason,
/// override and revision into the attributes; they are read there where their column is missing or empty.
struct ExposureMarks {
    /// Whether the variant is randomised, and if not, why.
    enum Kind: Sendable, Hashable {
        case split, winner, forced, overridden, other
    }

    /// The members of the attributes that are no attributes of the unit.
    static let members = [ExposureMessage.Event.reason, ExposureMessage.Event.override, ExposureMessage.Event.revision]

    private let record: SampleRatioColumns.Record
    private let attributes: Int?
    /// The members of JSON texts that were read before, by the hash of the text.
    private var memo: [UInt64: ExposureNotes] = [:]

    /// The fields of the last row that was read, one after another.
    private var lastFields: [UInt8] = []
    private var lastEnds: [Int] = []
    /// Whether its attributes' JSON said something.
    private var lastHadMembers = false
    private let fields: [Int]

    private static let memoLimit = 8192
    private static let quoted = members.map { Array("\"\($0)\"".utf8) }
    private static let shortest = quoted.map(\.count).min() ?? 0

    init(_ columns: SampleRatioColumns) {
        record = columns.record
        attributes = columns.variant == nil ? nil : columns.attributes
        fields = [record.salt, record.revision, record.reason, record.override].compactMap { $0 }
    }

    /// Whether a row has the same marks and the same salt as the last one that was read. Most rows have.
    func isLikeLast(_ rows: borrowing CSVRows) -> Bool {
        guard lastEnds.count == fields.count, !lastHadMembers else { return false }
        let bytes = rows.bytes.span
        var start = 0
        for (field, end) in zip(fields, lastEnds) {
            guard ByteTable.areEqual(bytes.extracting(rows[field]), lastFields.span.extracting(start..<end)) else {
                return false
            }
            start = end
        }
        return attributes.map { !Self.mentionsMember(bytes.extracting(rows[$0])) } ?? true
    }

    /// The kind of exposure of a row, and its revision: empty if there is none.
    mutating func read(_ rows: borrowing CSVRows) -> (kind: Kind, revision: String) {
        func field(_ column: Int?) -> String? {
            guard let column, !rows[column].isEmpty else { return nil }
            return rows.text(column)
        }
        let notes = notes(rows)
        lastHadMembers = notes != nil
        lastFields.removeAll(keepingCapacity: true)
        lastEnds.removeAll(keepingCapacity: true)
        for field in fields {
            lastFields.append(contentsOf: rows.bytes[rows[field]])
            lastEnds.append(lastFields.count)
        }
        let isOverridden = field(record.override).map(Self.isTrue) ?? notes?.isOverridden ?? false
        let reason = field(record.reason) ?? notes?.reason ?? ExposureMessage.defaultReason
        return (Self.kind(reason, isOverridden), field(record.revision) ?? notes?.revision ?? "")
    }

    private static func kind(_ reason: String, _ isOverridden: Bool) -> Kind {
        if isOverridden { return .overridden }
        if ExposureMessage.isCounted(reason: reason, isOverridden: false) {
            return UTF8Order.areEqual(reason, Reason.winner.text) ? .winner : .split
        }
        return UTF8Order.areEqual(reason, Reason.forced.text) ? .forced : .other
    }

    /// Databases write a boolean in several ways.
    private static func isTrue(_ text: String) -> Bool { ["true", "t", "1", "yes"].contains(text.lowercased()) }

    /// The members of the attributes' JSON; `nil` if it mentions none.
    private mutating func notes(_ rows: borrowing CSVRows) -> ExposureNotes? {
        guard let attributes else { return nil }
        let json = rows.bytes.span.extracting(rows[attributes])
        guard Self.mentionsMember(json) else { return nil }
        let hash = ByteHash.hash(json)
        if let known = memo[hash] { return known }
        typealias Key = ExposureMessage.Event
        let object = (try? JSONValue(parsing: json.withUnsafeBytes { Array($0) }))?.asObject ?? [:]
        let override = object[Key.override]
        let found = ExposureNotes(
            revision: object[Key.revision]?.text, reason: object[Key.reason]?.text,
            isOverridden: override?.boolean ?? override?.text.map(Self.isTrue))
        if memo.count < Self.memoLimit { memo[hash] = found }
        return found
    }

    /// Whether the name of a member is in the text, which need not be parsed otherwise.
    private static func mentionsMember(_ json: Span<UInt8>) -> Bool {
        var start = 0
        while start + shortest <= json.count {
            // Their first letters tell nearly all other names apart.
            if json[start] == UInt8(ascii: "\""),
                json[start + 1] == UInt8(ascii: "r") || json[start + 1] == UInt8(ascii: "o")
            {
                for name in quoted where start + name.count <= json.count {
                    if ByteTable.areEqual(json.extracting(start..<start + name.count), name.span) { return true }
                }
            }
            start += 1
        }
        return false
    }
}
