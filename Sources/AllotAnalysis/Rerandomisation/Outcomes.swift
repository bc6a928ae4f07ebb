import AllotBatch
import AllotConfiguration
import AllotCore

/// The outcomes of units that were enrolled, by the index of the unit.
struct Outcomes: Sendable {
    let metric: String
    /// By unit its outcome; NaN without one.
    private(set) var values: [Double]
    /// By unit the denominator of a ratio; empty without one.
    private(set) var denominators: [Double] = []
    /// By unit the variant that was recorded; empty without a column of variants.
    private(set) var recorded: [String] = []
    /// The rows that are not used, by the reason.
    private(set) var unknownCount = 0
    private(set) var refusedCount = 0
    private(set) var emptyCount = 0
    private(set) var doubts: [String] = []

    /// The columns of outcomes.
    struct Columns: Sendable {
        /// The name of the unit, and that of the column of unit IDs if it is another one.
        var unit: String
        var unitColumn: String?
        var unitOption: String?
        /// The outcome; `nil` for the only column that is nothing else.
        var metric: String?
        /// The denominator of a ratio.
        var ratio: String?
        /// The column of recorded variants, and whether the file must have it.
        var variant: String
        var needsVariant = false
        /// Columns that are neither.
        var others: [String] = []
    }

    /// Reads outcomes.
    ///
    /// - Throws: If an outcome is not a number, or a unit has two.
    init(_ rows: consuming CSVRows, _ columns: Columns, of units: CandidateUnits) throws {
        var rows = rows
        let header = rows.header
        let unit = try UnitColumns(
            of: columns.unit, in: header, rows.name, column: columns.unitColumn, for: columns.unitOption)
        let variant =
            columns.needsVariant
            ? try header.index(of: columns.variant, in: rows.name, for: "the recorded variants")
            : try header.indexIfPresent(of: columns.variant, in: rows.name)
        let ratio = try columns.ratio.map { try header.index(of: $0, in: rows.name, for: "the denominators") }
        let value = try Self.metric(
            header, rows.name, columns, besides: unit.columns + [variant, ratio].compactMap(\.self))
        metric = header.names[value]
        values = Array(repeating: .nan, count: units.count)
        if ratio != nil { denominators = values }
        if variant != nil { recorded = Array(repeating: "", count: units.count) }
        rows.unitColumns = unit.columns
        var lines = [Int32](repeating: 0, count: units.count)
        while try rows.next() {
            guard let id = unit.id(of: rows), let index = units.index(of: id.span) else {
                unknownCount += 1
                continue
            }
            guard index >= 0 else {
                refusedCount += 1
                continue
            }
            if lines[index] > 0 {
                throw rows.error(
                    in: unit.columns[0],
                    "the unit \(QuotedText(String(decoding: id, as: UTF8.self))) is also on line \(lines[index]); "
                        + "add its outcomes up, so "
                        + "that each unit has one row")
            }
            lines[index] = Int32(clamping: rows.line)
            if let variant { recorded[index] = rows.text(variant) }
            guard let number = try rows.metric(value) else {
                emptyCount += 1
                continue
            }
            if let ratio {
                guard let denominator = try rows.metric(ratio) else {
                    emptyCount += 1
                    continue
                }
                denominators[index] = denominator
            }
            values[index] = number
        }
        doubts = rows.doubts.sentences
    }

    private static func metric(
        _ header: CSVHeader, _ file: String, _ columns: Columns, besides taken: [Int]
    ) throws -> Int {
        if let name = columns.metric { return try header.index(of: name, in: file, for: "the outcomes") }
        let left = header.names.indices.filter { !taken.contains($0) && !columns.others.contains(header.names[$0]) }
        guard left.count == 1 else {
            throw AnalysisError(
                "\(file) has \(left.count) columns that could be the outcome; name the one to compare, of "
                    + "\(header.listedNames)")
        }
        return left[0]
    }
}
