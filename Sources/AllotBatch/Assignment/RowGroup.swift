import Allot

/// Rows of a chunk that are assigned together.
struct RowGroup: Sendable {
    /// The most rows.
    let capacity: Int
    private(set) var count = 0
    /// Row after row the plan's attributes.
    private(set) var values: [AttributeValue]
    /// Row after row where the record stands in the chunk, and behind it the fields that are written again.
    private var fields: [CSVField]

    private let attributeCount: Int
    /// The columns that hold attributes.
    private let columns: [ColumnMap.Entry]
    /// The columns of `fields`.
    private let keptColumns: [Int]
    private var fieldsPerRow: Int { keptColumns.count &+ 1 }

    /// Enough rows to keep the hashing busy, few enough to stay in the nearest cache.
    private static let maximumCapacity = 64
    private static let minimumCapacity = 8
    /// The most decisions of a group of more rows than the fewest.
    private static let decisionLimit = 2048

    init(_ columns: ColumnMap, keeping keptColumns: [Int], experimentCount: Int) {
        capacity = min(
            max(Self.decisionLimit / max(experimentCount, 1), Self.minimumCapacity), Self.maximumCapacity)
        attributeCount = columns.columns.count
        // Arrays of its own: two threads that count references to the same ones wait for each other.
        self.columns = columns.entries.map { $0 }
        self.keptColumns = keptColumns.map { $0 }
        values = Array(repeating: .missing, count: capacity * attributeCount)
        fields = Array(repeating: CSVField(start: 0, end: 0), count: capacity * (keptColumns.count + 1))
    }

    mutating func removeAll() {
        count = 0
    }

    /// Where the attributes of a row are in `values`.
    func valueRange(_ row: Int) -> Range<Int> {
        row * attributeCount..<(row + 1) * attributeCount
    }

    /// Where the record of a row stands in the chunk, without its line end.
    @inline(__always)
    func record(_ row: Int) -> Range<Int> {
        fields[row &* fieldsPerRow].range
    }

    /// A kept field of a row, by its place in `keptColumns`.
    @inline(__always)
    func field(_ row: Int, _ kept: Int) -> CSVField {
        fields[row &* fieldsPerRow &+ 1 &+ kept]
    }

    /// Why rows are not added any more.
    enum Stop {
        /// There is no room.
        case full
        /// The chunk ends.
        case end
        /// The parser is at a record with a problem.
        case problem(RowProblem)
        /// The parser is at a record of which an attribute has to be unescaped first.
        case escapes
    }

    /// Adds the records that come next.
    mutating func fill(_ parser: inout CSVRecordParser, _ chunk: Span<UInt8>) -> Stop {
        // Taken out for the time being, so that they are this function's alone.
        var values: [AttributeValue] = []
        var fields: [CSVField] = []
        swap(&values, &self.values)
        swap(&fields, &self.fields)
        var valueSpan = values.mutableSpan
        var fieldSpan = fields.mutableSpan
        var stop = Stop.full
        while count < capacity {
            guard parser.next(in: chunk) else {
                stop = .end
                break
            }
            if let problem = parser.problem {
                stop = .problem(problem)
                break
            }
            let start = count &* attributeCount
            var hasEscapes = false
            for position in 0..<columns.count {
                let entry = columns[position]
                let field = parser[entry.column]
                hasEscapes = hasEscapes || field.hasEscapes
                let length = field.end &- field.start
                valueSpan[start &+ entry.attribute] = .untyped(start: field.start, length: length)
            }
            if hasEscapes {
                stop = .escapes
                break
            }
            keep(parser, in: &fieldSpan)
            count &+= 1
        }
        swap(&values, &self.values)
        swap(&fields, &self.fields)
        return stop
    }

    /// Adds the parser's record, its attributes as unescaped copies behind `bytes`.
    mutating func append(unescaping parser: borrowing CSVRecordParser, of chunk: Span<UInt8>, to bytes: inout [UInt8]) {
        for entry in columns {
            let start = bytes.count
            parser[entry.column].appendValue(in: chunk, to: &bytes)
            values[count * attributeCount + entry.attribute] = .untyped(start: start, length: bytes.count - start)
        }
        var fields: [CSVField] = []
        swap(&fields, &self.fields)
        var fieldSpan = fields.mutableSpan
        keep(parser, in: &fieldSpan)
        swap(&fields, &self.fields)
        count += 1
    }

    @inline(__always)
    private func keep(_ parser: borrowing CSVRecordParser, in fields: inout MutableSpan<CSVField>) {
        let start = count &* fieldsPerRow
        fields[start] = CSVField(start: parser.recordStart, end: parser.recordEnd)
        for position in 0..<keptColumns.count {
            fields[start &+ 1 &+ position] = parser[keptColumns[position]]
        }
    }
}
