@_spi(Groups) import AllotCore

/// Rows of a chunk that are assigned together.
package struct RowGroup: Sendable {
    let capacity: Int
    private(set) var count = 0
    /// Row after row, the plan's attributes.
    private(set) var values: [AttributeValue]
    /// By row its own instant; empty where all rows are decided at one.
    private(set) var instants: [Instant]
    /// Row after row, the range of the record in the chunk, followed by the fields that are written again.
    private(set) var fields: [CSVField]
    private var plain: PlainRecords
    private let columns: Columns
    let time: TimeColumn?

    /// Where the fields of a row are among those of all rows.
    struct FieldPlaces {
        fileprivate let perRow: Int

        /// The place of the record's range in the chunk, without its line end.
        @inline(__always)
        func record(_ row: Int) -> Int { row &* perRow }
        @inline(__always)
        func field(_ row: Int, _ kept: Int) -> Int { row &* perRow &+ 1 &+ kept }
    }

    /// The columns of rows. The group's arrays are passed one by one, so that each has one owner while it changes.
    private struct Columns {
        let attributeCount: Int
        let attributes: [ColumnMap.AttributeColumn]
        let kept: [Int]
        let time: Int?

        var places: FieldPlaces { FieldPlaces(perRow: kept.count &+ 1) }

        /// Adds the records that come next, up to the row `capacity`.
        func fill(
            _ values: inout [AttributeValue], _ fields: inout [CSVField], _ instants: inout [Instant],
            _ plain: inout PlainRecords, _ count: inout Int, upTo capacity: Int, from parser: inout CSVRecordParser,
            _ chunk: Span<UInt8>
        ) -> Stop {
            var values = values.mutableSpan
            var fields = fields.mutableSpan
            while count < capacity {
                plain.find(capacity &- count, in: chunk, from: parser.position)
                let added = timed(&plain, &instants, from: count, chunk)
                if added > 0 {
                    take(plain, 0..<added, &values, &fields, from: count)
                    count &+= added
                    parser.resume(at: plain.record(added &- 1).end &+ 1)
                    continue
                }
                // The next record is not plain, or shares its bytes' block with one that is not.
                let end = min(count &+ Self.othersAtOnce, capacity)
                while count < end {
                    guard parser.next(in: chunk) else { return .end }
                    if let problem = parser.problem { return .problem(problem) }
                    if let time {
                        guard let instant = TimeColumn.instant(parser[time], of: chunk) else { return .noInstant }
                        instants[count] = instant
                    }
                    if take(&values, row: count, { parser[$0] }) { return .escapes }
                    keep(parser.record, row: count, in: &fields) { parser[$0] }
                    count &+= 1
                }
            }
            return .full
        }

        /// How many records are parsed before plain ones are sought again.
        private static let othersAtOnce = 8

        /// Takes the instants of plain records from row `start`. Returns the number before the first without one.
        @inline(__always)
        private func timed(
            _ plain: inout PlainRecords, _ instants: inout [Instant], from start: Int, _ chunk: Span<UInt8>
        ) -> Int {
            guard let time else { return plain.count }
            for index in 0..<plain.count {
                guard let instant = TimeColumn.instant(plain[index, time], of: chunk) else {
                    plain.startSmall()
                    return index
                }
                instants[start &+ index] = instant
            }
            return plain.count
        }

        /// Takes plain records, column after column, whose first row is `start`.
        @inline(__always)
        private func take(
            _ plain: borrowing PlainRecords, _ records: Range<Int>, _ values: inout MutableSpan<AttributeValue>,
            _ fields: inout MutableSpan<CSVField>, from start: Int
        ) {
            let (attributeCount, places) = (attributeCount, places)
            for position in 0..<attributes.count {
                let entry = attributes[position]
                plain.forEach(records, entry.column..<entry.column &+ 1) { record, field in
                    values[(start &+ record) &* attributeCount &+ entry.attribute] = .untyped(
                        start: field.start, length: field.length)
                }
            }
            plain.forEach(records, 0..<plain.columnCount) { fields[places.record(start &+ $0)] = $1 }
            for position in 0..<kept.count {
                let column = kept[position]
                plain.forEach(records, column..<column &+ 1) { fields[places.field(start &+ $0, position)] = $1 }
            }
        }

        /// Takes the attributes of a record. Returns whether one of them must be unescaped first.
        @inline(__always)
        private func take(
            _ values: inout MutableSpan<AttributeValue>, row: Int, _ field: (_ column: Int) -> CSVField
        ) -> Bool {
            let start = row &* attributeCount
            var hasEscapes = false
            for position in 0..<attributes.count {
                let entry = attributes[position]
                let field = field(entry.column)
                hasEscapes = hasEscapes || field.hasEscapes
                values[start &+ entry.attribute] = .untyped(start: field.start, length: field.length)
            }
            return hasEscapes
        }

        /// Keeps the range of a record, and the fields that are written again.
        @inline(__always)
        func keep(
            _ record: Range<Int>, row: Int, in fields: inout MutableSpan<CSVField>,
            _ field: (_ column: Int) -> CSVField
        ) {
            let places = places
            fields[places.record(row)] = CSVField(start: record.lowerBound, end: record.upperBound)
            for position in 0..<kept.count { fields[places.field(row, position)] = field(kept[position]) }
        }
    }

    private static let maximumCapacity = 256
    private static let minimumCapacity = 8
    /// The most decisions, and the most attributes, of a group that has more rows than the minimum: 128 KiB of each.
    private static let decisionLimit = 1 << 14
    private static let valueLimit = 1 << 12

    /// The number of rows that a plan decides together: many for the lanes of the hash, few for the nearest caches.
    package static func capacity(for plan: Plan) -> Int {
        let decisions = decisionLimit / max(plan.experiments.count, 1)
        let values = valueLimit / max(plan.attributes.names.count, 1)
        return min(max(min(decisions, values), minimumCapacity), maximumCapacity)
    }

    init(_ columns: ColumnMap, keeping keptColumns: [Int], for plan: Plan) {
        capacity = Self.capacity(for: plan)
        time = columns.time
        // Arrays of its own: two threads that count references to the same ones wait for each other.
        self.columns = Columns(
            attributeCount: columns.attributeCount, attributes: columns.attributes.map { $0 },
            kept: keptColumns.map { $0 }, time: columns.time?.index)
        values = Array(repeating: .missing, count: capacity * columns.attributeCount)
        instants = columns.time == nil ? [] : Array(repeating: Instant(seconds: 0), count: capacity)
        fields = Array(repeating: CSVField(start: 0, end: 0), count: capacity * (keptColumns.count + 1))
        plain = PlainRecords(columnCount: columns.columnCount, delimiter: columns.delimiter, limit: capacity)
    }

    mutating func removeAll() { count = 0 }
    var places: FieldPlaces { columns.places }
    var decisionPlaces: DecisionPlaces { DecisionPlaces(capacity: capacity) }
    var attributeCount: Int { columns.attributeCount }
    func valueRange(_ row: Int) -> Range<Int> { row * columns.attributeCount..<(row + 1) * columns.attributeCount }
    @inline(__always)
    func field(_ row: Int, _ kept: Int) -> CSVField { fields[places.field(row, kept)] }

    /// The reason why no more rows are added.
    enum Stop {
        case full
        case end
        /// The parser is at a record with a problem.
        case problem(RowProblem)
        /// The parser is at a record whose field in ``time`` is not an instant.
        case noInstant
        /// The parser is at a record with an attribute that must be unescaped first.
        case escapes
    }

    /// Adds the records that come next.
    mutating func fill(_ parser: inout CSVRecordParser, _ chunk: Span<UInt8>) -> Stop {
        columns.fill(&values, &fields, &instants, &plain, &count, upTo: capacity, from: &parser, chunk)
    }

    /// Makes the values missing that stand for a missing value.
    mutating func removeNulls(_ words: NullWords, of bytes: Span<UInt8>) {
        guard !words.isEmpty else { return }
        for index in 0..<count * columns.attributeCount where values[index].length > 0 {
            if words.contains(bytes.extracting(values[index].range)) { values[index] = .missing }
        }
    }

    /// Adds the parser's record, with unescaped copies of its attributes at the end of `bytes`.
    mutating func append(unescaping parser: borrowing CSVRecordParser, of chunk: Span<UInt8>, to bytes: inout [UInt8]) {
        for entry in columns.attributes {
            let start = bytes.count
            parser[entry.column].appendValue(in: chunk, to: &bytes)
            values[count * columns.attributeCount + entry.attribute] = .untyped(
                start: start, length: bytes.count - start)
        }
        let (columns, row) = (columns, count)
        if let time = columns.time, let instant = TimeColumn.instant(parser[time], of: chunk) {
            instants[row] = instant
        }
        var fields = fields.mutableSpan
        columns.keep(parser.record, row: row, in: &fields) { parser[$0] }
        count += 1
    }
}
