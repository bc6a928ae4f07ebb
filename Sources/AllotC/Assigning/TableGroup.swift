import AllotBatch
import AllotConfiguration
@_spi(Groups) import AllotCore

/// Rows of a table that are decided together, in memory that is used again. Each thread has its own.
struct TableGroup {
    private let columns: TableColumns
    private let nullWords: NullWords
    private let attributeCount: Int
    /// The attribute `user_id`; `nil` if no experiment that is decided looks at it.
    private let userAttribute: Int?
    let capacity: Int
    private let firstRow: Int
    /// Row after row, the plan's attributes; then the elements of lists.
    private(set) var values: [AttributeValue]
    /// By row the `user_id` that only the output shows.
    private(set) var users: [AttributeValue]
    private(set) var store = ByteStore()
    /// By row its own instant; empty where all rows are decided at one.
    private(set) var instants: [Instant]
    /// By column, where the values of its dictionary are in `cache`; `nil` for one that is read value by value.
    private var cacheStarts: [Int?] = []
    /// The values of dictionaries, and those that cannot be read.
    private var cache: [AttributeValue] = []
    private var cacheFaults: [Int: ValueFault] = [:]
    /// The number of bytes that the values of dictionaries take.
    private var cachedBytes = 0
    /// The number of rows that are read together: fewer where their texts and lists are long.
    private var size: Int

    /// How much memory the texts and lists of a group of several rows may take: 32 MiB. Views and dictionaries make
    /// much of little data.
    private static let byteLimit = 1 << 25
    private static let shortLength = 4096

    init(_ assignment: TableAssignment, _ columns: TableColumns, firstRow: Int, rowCount: Int) {
        (self.firstRow, self.columns) = (firstRow, columns)
        nullWords = assignment.nullWords
        let plan = assignment.plan
        attributeCount = plan.attributes.names.count
        let userAttribute = plan.attributes.index(of: Subject.defaultUnit)
        self.userAttribute = columns.entries.contains { $0.attribute == userAttribute } ? userAttribute : nil
        capacity = RowGroup.capacity(for: plan)
        size = capacity
        values = Array(repeating: .missing, count: capacity * attributeCount)
        users = Array(repeating: .missing, count: capacity)
        instants = columns.time == nil ? [] : Array(repeating: Instant(seconds: 0), count: capacity)
        for entry in columns.entries { cacheStarts.append(readDictionary(entry, rowCount)) }
        cachedBytes = store.count
    }

    /// Reads the values of a dictionary once. Returns `nil` if there is none, or it has too many or too long values.
    private mutating func readDictionary(_ entry: TableColumns.Entry, _ rowCount: Int) -> Int? {
        let dictionary = entry.column.values
        guard entry.column.indices != nil, entry.column.lists == nil, dictionary.length <= rowCount else { return nil }
        let (start, byteCount) = (cache.count, store.count)
        for index in 0..<dictionary.length {
            guard store.count - byteCount <= Self.byteLimit else {
                cache.removeLast(cache.count - start)
                cacheFaults = cacheFaults.filter { $0.key < start }
                store.removeAll(after: byteCount)
                return nil
            }
            do throws(ValueFault) {
                cache.append(try dictionary.value(index, isTyped: false, &store))
            } catch {
                cacheFaults[cache.count] = error
                cache.append(.missing)
            }
        }
        return start
    }

    /// The most elements of a list. Lists without data, such as those of nulls, may have any number.
    static let elementLimit = 1 << 20

    /// The value of an attribute of a row of the group; of `user_id` for an experiment without a draw.
    @inline(__always)
    func unit(_ row: Int, _ attribute: Int?) -> AttributeValue {
        (attribute ?? userAttribute).map { values[row &* attributeCount &+ $0] } ?? users[row]
    }

    var decisionPlaces: DecisionPlaces { DecisionPlaces(capacity: capacity) }

    /// Reads the next of the rows that are left, one to ``capacity``, and returns those that were read.
    mutating func fill(_ rows: Range<Int>) throws -> Range<Int> {
        while true {
            let group = rows.prefix(size)
            do throws(ValueFault) {
                if try read(group) {
                    if usedBytes < Self.byteLimit / 4 { size = min(size * 2, capacity) }
                    return group
                }
                size = max(group.count / 2, 1)
            } catch { throw fault(in: group) }
        }
    }

    /// The memory that texts and lists of the group take.
    private var usedBytes: Int {
        store.count - cachedBytes + (values.count - capacity * attributeCount) * MemoryLayout<AttributeValue>.stride
    }

    /// Returns whether there was room for all rows; there is for one.
    private mutating func read(_ group: Range<Int>) throws(ValueFault) -> Bool {
        store.removeAll(after: cachedBytes)
        values.removeLast(values.count - capacity * attributeCount)
        for position in columns.entries.indices {
            let entry = columns.entries[position]
            let cached = cacheStarts[position]
            for row in 0..<group.count {
                let read = try value(entry, cached, row, columns.rows.lowerBound &+ group.lowerBound &+ row)
                let value = isNull(read) ? .missing : read
                if let attribute = entry.attribute {
                    values[row &* attributeCount &+ attribute] = value
                } else {
                    users[row] = value
                }
                // Short values are few enough that their sum does not matter.
                if value.length > Self.shortLength || entry.column.lists != nil, usedBytes > Self.byteLimit,
                    group.count > 1
                {
                    return false
                }
            }
        }
        guard let time = columns.time?.column else { return true }
        for row in 0..<group.count {
            instants[row] = try instant(time, columns.rows.lowerBound &+ group.lowerBound &+ row)
        }
        return true
    }

    @inline(__always)
    private func isNull(_ value: AttributeValue) -> Bool {
        !nullWords.isEmpty && value.kind == .untyped && nullWords.contains(store.bytes.span.extracting(value.range))
    }

    /// The value of a column at an index. The indices of elements are counted from the row in the group.
    @inline(__always)
    private mutating func value(
        _ entry: TableColumns.Entry, _ cached: Int?, _ row: Int, _ index: Int
    ) throws(ValueFault) -> AttributeValue {
        guard columns.isValid(index) else { return .missing }
        if entry.column.lists != nil { return try list(entry, row, index) }
        guard let position = try entry.column.position(index) else { return .missing }
        guard let cached else { return try entry.column.values.value(position, isTyped: false, &store) }
        let value = cache[cached &+ position]
        if value.kind == .missing, !cacheFaults.isEmpty, let fault = cacheFaults[cached &+ position] { throw fault }
        return value
    }

    /// A list, whose elements are added to the values.
    private mutating func list(
        _ entry: TableColumns.Entry, _ row: Int, _ index: Int
    ) throws(ValueFault) -> AttributeValue {
        let items = entry.column.values
        let count = entry.column.indices?.length ?? items.length
        guard let elements = try entry.column.lists?.elements(index, among: count) else { return .missing }
        guard elements.count <= Self.elementLimit else { throw .listLength }
        let (start, byteCount) = (values.count, store.count)
        for element in elements {
            guard store.count &- byteCount <= Self.byteLimit else { throw .listLength }
            var value = AttributeValue.missing
            if let position = try entry.column.position(element) {
                value = try items.value(position, isTyped: true, &store)
            }
            values.append(value.kind == .missing ? AttributeValue(.null) : value)
        }
        return AttributeValue(.array, start: start &- row &* attributeCount, length: elements.count)
    }

    private func instant(_ column: AttributeColumn, _ index: Int) throws(ValueFault) -> Instant {
        guard columns.isValid(index), let position = try column.position(index) else { throw .noInstant }
        return try column.values.instant(position)
    }

    /// The error of the first row of a group that cannot be read, whatever rows are in the group after it.
    private mutating func fault(in group: Range<Int>) -> InterfaceError {
        for row in group {
            let index = columns.rows.lowerBound + row
            var column = ""
            store.removeAll(after: cachedBytes)
            values.removeLast(values.count - capacity * attributeCount)
            do throws(ValueFault) {
                for (position, entry) in columns.entries.enumerated() {
                    column = entry.name
                    _ = try value(entry, cacheStarts[position], 0, index)
                }
                if let time = columns.time {
                    column = time.name
                    _ = try instant(time.column, index)
                }
            } catch { return .data("column \(QuotedText(column)), row \(firstRow + row): \(error.message)") }
        }
        return .data("rows \(group.lowerBound) to \(group.upperBound): the data changed while they were read")
    }
}
