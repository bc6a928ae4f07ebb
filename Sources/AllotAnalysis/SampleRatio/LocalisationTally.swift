import AllotConfiguration
import AllotCore

/// The values of many attributes for each record: columns of a file, and members of JSON in one of them.
struct LocalisationTally: Sendable {
    private typealias Cell = (attribute: Int, value: Int)

    /// The attributes to look at, `nil` for all.
    private let wanted: Set<UTF8Key>?
    /// Further attributes that count as named.
    private let known: Set<UTF8Key>
    private(set) var attributes: [ValueTally] = []
    private var indices: [UTF8Key: Int] = [:]
    /// Whether each attribute is a column, which goes before a member of the same name.
    private var isColumn: [Bool] = []
    /// The members of JSON texts that were read before, by the hash of the text.
    private var memo: [UInt64: [Cell]] = [:]
    private(set) var unreadableCount = 0
    /// Whether there were too many members of JSON to look at any of them.
    private(set) var hasMoreAttributes = false

    /// Attributes of rows that were not requested, the first few.
    private(set) var others: Set<UTF8Key> = []

    /// The most attributes: JSON with an ID for a name must not fill the memory.
    private static let attributeLimit = 200
    private static let memoLimit = 8192

    init(wanted: [String]?, known: [String] = []) {
        self.wanted = wanted.map { Set($0.map(UTF8Key.init)) }
        self.known = Set(known.map(UTF8Key.init))
    }

    /// The number of a column; `nil` if it is not wanted.
    mutating func column(_ name: String) -> Int? { attribute(name, isColumn: true) }

    /// The number of an attribute that is computed, and counts as named; `nil` if there are too many.
    mutating func computed(_ name: String) -> Int? {
        guard indices[UTF8Key(name)] == nil, attributes.count < Self.attributeLimit else { return nil }
        let tally = ValueTally(name, isNamed: true, isComputed: true, limit: SampleRatioQuestion.fewValues)
        return enter(tally, isColumn: true)
    }

    /// The requested attributes that no row had, in byte order.
    var missing: [String] { (wanted ?? []).filter { indices[$0] == nil }.sorted().map(\.text) }

    private mutating func attribute(_ name: String, isColumn: Bool) -> Int? {
        let key = UTF8Key(name)
        if let index = indices[key] { return self.isColumn[index] == isColumn ? index : nil }
        let isNamed = known.contains(key) || wanted?.contains(key) == true
        if wanted != nil, !isNamed {
            if others.count < Self.attributeLimit { others.insert(key) }
            return nil
        }
        guard attributes.count < Self.attributeLimit else {
            if !isColumn, !hasMoreAttributes {
                hasMoreAttributes = true
                attributes = zip(attributes, self.isColumn).map {
                    $1 || $0.isNamed ? $0 : ValueTally($0.name, limit: 0)
                }
            }
            return nil
        }
        let limit = isNamed ? SampleRatioQuestion.manyValues : SampleRatioQuestion.fewValues
        return enter(ValueTally(name, isNamed: isNamed, limit: limit), isColumn: isColumn)
    }

    private mutating func enter(_ tally: ValueTally, isColumn: Bool) -> Int {
        indices[UTF8Key(tally.name)] = attributes.count
        attributes.append(tally)
        self.isColumn.append(isColumn)
        return attributes.count - 1
    }

    /// Forgets the values of a record, before those of an earlier row are set.
    mutating func clear(_ record: Int) {
        for index in attributes.indices where attributes[index].value(of: record) >= 0 {
            attributes[index].set(record, -1)
        }
    }

    mutating func forget(_ record: Int, _ attribute: Int) { attributes[attribute].set(record, -1) }

    /// Takes a value of a record's row. An empty value is missing. Rows that change nothing are read too, so that
    /// whether there are too many values does not depend on their order.
    mutating func set(_ record: Int, _ attribute: Int, _ value: Span<UInt8>, _ change: ExposureLedger.Change) {
        guard !value.isEmpty, let found = attributes[attribute].find(value) else { return }
        set(record, (attribute, found), change)
    }

    private mutating func set(_ record: Int, _ cell: Cell, _ change: ExposureLedger.Change) {
        switch change {
        case .new, .earlier: attributes[cell.attribute].set(record, cell.value)
        case .asEarly: attributes[cell.attribute].setLeast(record, cell.value)
        case .later: break
        }
    }

    /// Takes the values of every member of a JSON object; empty text holds none.
    mutating func set(_ record: Int, json: Span<UInt8>, _ change: ExposureLedger.Change) {
        guard !json.isEmpty else { return }
        let hash = ByteHash.hash(json)
        guard let cells = memo[hash] ?? read(json, hash) else { return }
        for cell in cells { set(record, cell, change) }
    }

    private mutating func read(_ json: Span<UInt8>, _ hash: UInt64) -> [Cell]? {
        guard case .object(let object)? = try? JSONValue(parsing: json.withUnsafeBytes { Array($0) }) else {
            unreadableCount += 1
            return nil
        }
        var cells: [Cell] = []
        collect(object, prefix: "", into: &cells)
        if memo.count < Self.memoLimit { memo[hash] = cells }
        return cells
    }

    /// Finds the scalars of an object; dots walk into the objects in it, and lists have no one value.
    private mutating func collect(_ object: JSONObject, prefix: String, into cells: inout [Cell]) {
        for member in object.members {
            if prefix.isEmpty, wanted == nil, ExposureMarks.members.contains(member.key) { continue }
            let text: String
            switch member.value {
            case .object(let inner):
                collect(inner, prefix: "\(prefix)\(member.key).", into: &cells)
                continue
            case .string(let value): text = value
            case .number(let value): text = value.text
            case .boolean(let value): text = value ? "true" : "false"
            case .null, .array: continue
            }
            // Two ways to write one path, {"a.b": 1, "a": {"b": 2}}, must not count a unit twice.
            guard !text.isEmpty, let attribute = attribute(prefix + member.key, isColumn: false),
                !cells.contains(where: { $0.attribute == attribute }),
                let value = attributes[attribute].find(Array(text.utf8).span)
            else { continue }
            cells.append((attribute, value))
        }
    }
}
