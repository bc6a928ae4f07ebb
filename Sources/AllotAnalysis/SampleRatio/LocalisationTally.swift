import Allot
import AllotConfiguration

/// How often each value of many attributes met each variant: columns of a file, and members of JSON in one of them.
struct LocalisationTally: Sendable {
    /// An attribute and one of its values, by number.
    private struct Cell: Sendable {
        let attribute: Int
        let value: Int
    }

    /// The attributes to look at, `nil` for all.
    private let wanted: Set<UTF8Key>?
    private let variantCount: Int
    private let valueLimit: Int
    private(set) var attributes: [ValueTally] = []
    private var indices: [UTF8Key: Int] = [:]
    /// Whether each attribute is a column, which goes before a member of the same name.
    private var isColumn: [Bool] = []
    /// The members of JSON texts that were read before, by the hash of the text.
    private var memo: [UInt64: [Cell]] = [:]
    /// The number of rows whose JSON could not be read, and the line of the first.
    private(set) var unreadableCount = 0
    private(set) var firstUnreadableLine = 0
    /// Whether there were more attributes than are looked at.
    private(set) var hasMoreAttributes = false

    /// Attributes of rows that were not requested, the first few.
    private(set) var others: Set<UTF8Key> = []

    /// The most attributes: JSON with an ID for a name must not fill the memory.
    private static let attributeLimit = 200
    private static let memoLimit = 8192

    init(wanted: [String]?, variantCount: Int, valueLimit: Int) {
        self.wanted = wanted.map { Set($0.map(UTF8Key.init)) }
        self.variantCount = variantCount
        self.valueLimit = valueLimit
    }

    /// The number of a column; `nil` if it is not to be looked at.
    mutating func column(_ name: String) -> Int? {
        attribute(name, isColumn: true)
    }

    /// The requested attributes that no row had, in byte order.
    var missing: [String] {
        (wanted ?? []).filter { indices[$0] == nil }.sorted().map(\.text)
    }

    private mutating func attribute(_ name: String, isColumn: Bool) -> Int? {
        let key = UTF8Key(name)
        if let index = indices[key] { return self.isColumn[index] == isColumn ? index : nil }
        if let wanted, !wanted.contains(key) {
            if others.count < Self.attributeLimit { others.insert(key) }
            return nil
        }
        guard attributes.count < Self.attributeLimit else {
            hasMoreAttributes = true
            return nil
        }
        indices[key] = attributes.count
        attributes.append(ValueTally(name, variantCount: variantCount, limit: valueLimit))
        self.isColumn.append(isColumn)
        return attributes.count - 1
    }

    /// Counts units of a value. An empty value is missing, and the number of those follows from the others.
    mutating func count(_ attribute: Int, _ value: Span<UInt8>, variant: Int, _ number: Int) {
        guard !value.isEmpty, let found = attributes[attribute].find(value) else { return }
        attributes[attribute].count(found, variant: variant, number)
    }

    /// Counts units of every member of a JSON object; empty text holds none.
    mutating func count(json: Span<UInt8>, variant: Int, _ number: Int, line: Int) {
        guard !json.isEmpty else { return }
        let hash = ByteHash.hash(json)
        guard let cells = memo[hash] ?? read(json, hash, line: line) else { return }
        for cell in cells { attributes[cell.attribute].count(cell.value, variant: variant, number) }
    }

    /// The members of a JSON object; `nil` for other text.
    private mutating func read(_ json: Span<UInt8>, _ hash: UInt64, line: Int) -> [Cell]? {
        guard case .object(let object)? = try? JSONValue(parsing: json.withUnsafeBytes { Array($0) }) else {
            if unreadableCount == 0 { firstUnreadableLine = line }
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
            cells.append(Cell(attribute: attribute, value: value))
        }
    }
}
