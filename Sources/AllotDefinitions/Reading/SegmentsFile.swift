import AllotConfiguration
import AllotCore

struct SegmentsFile: SharedFile {
    private(set) var table = SegmentTable()
    private(set) var written: [Positioned<Condition>] = []
    /// Segments with errors of their own. They count as everyone, so that conditions that use them get no errors.
    private var broken: Set<UTF8Key> = []
    private var isComplete = true
    /// The name of the file, or the one to create.
    private var name = "segments.yaml"
    private static let depthLimit = 100

    init() {}

    static var unreadable: SegmentsFile {
        var file = SegmentsFile()
        file.isComplete = false
        return file
    }

    init(_ root: SourceNode, reader: inout FileReader) {
        guard let fields = reader.fields(Field(root), of: "the segments file", form: "NAME: { country: DE }") else {
            self = .unreadable
            return
        }
        name = reader.file.split(separator: "/").last.map(String.init) ?? reader.file
        reader.checkCase(of: "segments", fields)
        var pending: [Pending] = []
        for (name, field) in fields.entries {
            if !reader.isName(name, "the segment name", at: field, atKey: true) { broken.insert(UTF8Key(name)) }
            switch field.node.content {
            case .list(let elements): readGroup(name, elements, field, &reader)
            case .map(let tests):
                if tests.isEmpty {
                    reader.warning("the segment has no test, so that all units are in it; write one", at: field)
                }
                pending.append((name, field, SegmentReferences(field.node)))
            default:
                reader.error(
                    "the segment is \(field.node.described); it is a condition (a map) or a list of values", at: field)
                broken.insert(UTF8Key(name))
                (table.conditions[UTF8Key(name)], table.groups[UTF8Key(name)]) = (.everyone, [])
            }
        }
        readConditions(pending, &reader)
    }

    // MARK: Use

    /// The condition in a field, and whether it and all segments that it uses could be read completely.
    func condition(_ field: Field, _ reader: inout FileReader) -> (condition: Condition, isReliable: Bool) {
        if isComplete, broken.isEmpty {
            let condition = reader.condition(field, segments: table, definedIn: name)
            return (condition ?? .everyone, condition != nil)
        }
        let used = SegmentReferences(field.node)
        var table = table
        if !isComplete {
            for name in used.conditions { table.conditions[name] = .everyone }
            for name in used.groups { table.groups[name] = [] }
        }
        guard let condition = reader.condition(field, segments: table, definedIn: name) else {
            return (.everyone, false)
        }
        let names = used.conditions.union(used.groups)
        return (condition, isComplete ? names.isDisjoint(with: broken) : names.isEmpty)
    }

    // MARK: Reading

    private mutating func readGroup(
        _ name: String, _ elements: [SourceNode], _ field: Field, _ reader: inout FileReader
    ) {
        table.groups[UTF8Key(name)] = LiteralList(elements.map(\.json))
        let isFaultless = reader.isFaultless { reader in
            for (index, element) in elements.enumerated() {
                let member = Field(element, path: field.path.appending(index: index))
                switch element.content {
                case .list, .map:
                    reader.error("a member is \(element.described); list text, numbers and booleans", at: member)
                case .null:
                    reader.error(
                        "a member is null, which every unit without the attribute would be; remove it, and list text, "
                            + "numbers and booleans", at: member)
                case .number(let digits):
                    if let problem = JSONNumber(unchecked: digits).inexactness {
                        reader.error("\(problem); write it as text, in quotes", at: member)
                    }
                case .boolean, .text: break
                }
            }
        }
        let members = field.elements ?? []
        for doubt in DoubtfulText.doubts(among: members, of: nil) where !members[doubt.index].node.isNull {
            reader.warning(doubt.message, at: members[doubt.index])
        }
        if !isFaultless { broken.insert(UTF8Key(name)) }
    }

    private typealias Pending = (name: String, field: Field, references: SegmentReferences)

    private mutating func readConditions(_ pending: [Pending], _ reader: inout FileReader) {
        for entry in pending { table.conditions[UTF8Key(entry.name)] = .everyone }
        let indices = Dictionary(
            pending.enumerated().map { (UTF8Key($1.name), $0) }, uniquingKeysWith: { first, _ in first })
        let graph = ReferenceGraph(pending.map { $0.references.conditions.compactMap { indices[$0] }.sorted() })
        for cycle in graph.cycles {
            let names = (cycle + cycle.prefix(1)).map { pending[$0].name }.joined(separator: " refers to ")
            reader.error(
                "segments refer to each other in a cycle: \(names); break it", at: pending[cycle[0]].field, atKey: true)
        }
        for index in graph.unordered { broken.insert(UTF8Key(pending[index].name)) }
        for index in graph.order {
            let entry = pending[index]
            if graph.depths[index] > Self.depthLimit {
                if graph.depths[index] == Self.depthLimit + 1 {
                    reader.error(
                        "this segment ends a chain of more than \(Self.depthLimit) references; write some of the "
                            + "segments out", at: entry.field, atKey: true)
                }
                broken.insert(UTF8Key(entry.name))
                continue
            }
            let (condition, isReliable) = self.condition(entry.field, &reader)
            table.conditions[UTF8Key(entry.name)] = condition
            written.append(Positioned(value: condition, file: reader.file, field: entry.field))
            if !isReliable { broken.insert(UTF8Key(entry.name)) }
        }
    }
}

/// The names of the segments that a condition mentions, whether they exist or not.
struct SegmentReferences: Sendable {
    private(set) var conditions: Set<UTF8Key> = []
    private(set) var groups: Set<UTF8Key> = []

    init(_ node: SourceNode) { collect(node) }

    private mutating func collect(_ node: SourceNode) {
        switch node.content {
        case .list(let elements):
            for element in elements { collect(element) }
        case .map(let entries):
            for entry in entries {
                switch (entry.key, entry.value.content) {
                case ("$segment", .text(let name)): conditions.insert(UTF8Key(name))
                case ("$inGroup", .text(let name)), ("$notInGroup", .text(let name)): groups.insert(UTF8Key(name))
                default: collect(entry.value)
                }
            }
        default: break
        }
    }
}
