import Allot
import AllotConfiguration

/// A named thing of one of the shared files, with the places that later checks point at.
struct Located<Value: Sendable>: Sendable {
    let value: Value
    let file: String
    let field: Field

    func problem(_ message: String, severity: Problem.Severity = .error) -> Problem {
        Problem(
            severity: severity, file: file, position: field.keyPosition, message: message,
            path: field.path.isRoot ? nil : field.path.description)
    }
}

/// Reads the `layers` file.
enum LayersFile {
    static func read(_ root: SourceNode, file: String, reader: inout FileReader) -> [Located<LayerDefinition>] {
        guard let fields = reader.fields(Field(root), of: "the layers file") else { return [] }
        return fields.entries.compactMap { name, field in
            guard reader.isName(name, "the layer name", at: field, position: field.keyPosition) else { return nil }
            guard field.node.content != .null else {
                let layer = Salt(name).map { LayerDefinition(name: name, salt: $0, unit: Subject.defaultUnit) }
                return layer.map { Located(value: $0, file: file, field: field) }
            }
            guard let body = reader.fields(field, of: "a layer", known: ["description", "salt", "unit"]) else { return nil }
            _ = reader.text(body, "description")
            let unit = reader.unit(body)
            guard let salt = reader.salt(body, default: name) else { return nil }
            return Located(value: LayerDefinition(name: name, salt: salt, unit: unit), file: file, field: field)
        }
    }
}

/// Reads the `holdouts` file.
enum HoldoutsFile {
    private static let keys = ["share", "description", "salt", "unit", "experiments", "layers"]

    static func read(_ root: SourceNode, file: String, reader: inout FileReader) -> [Located<HoldoutDefinition>] {
        guard let fields = reader.fields(Field(root), of: "the holdouts file") else { return [] }
        return fields.entries.compactMap { name, field in
            guard reader.isName(name, "the holdout name", at: field, position: field.keyPosition) else { return nil }
            guard let body = reader.fields(field, of: "a holdout", known: keys) else { return nil }
            _ = reader.text(body, "description")
            let unit = reader.unit(body)
            let scope = scope(body, &reader)
            guard let share = body["share"] else {
                reader.error("the holdout has no share; add share: 2%", at: field)
                return nil
            }
            guard let buckets = reader.percentage(share, "share"), let salt = reader.salt(body, default: name) else {
                return nil
            }
            let holdout = HoldoutDefinition(name: name, salt: salt, unit: unit, share: buckets, scope: scope)
            return Located(value: holdout, file: file, field: field)
        }
    }

    private static func scope(_ body: Fields, _ reader: inout FileReader) -> HoldoutDefinition.Scope? {
        guard body["experiments"] != nil || body["layers"] != nil else { return nil }
        return HoldoutDefinition.Scope(
            experiments: names(body, "experiments", &reader), layers: names(body, "layers", &reader))
    }

    private static func names(_ body: Fields, _ key: String, _ reader: inout FileReader) -> [String] {
        guard let field = body[key], let elements = reader.elements(field, of: key) else { return [] }
        return elements.compactMap { reader.text($0, "a name in \(key)") }
    }
}

/// Reads the `segments` file.
enum SegmentsFile {
    static func read(_ root: SourceNode, reader: inout FileReader) -> SegmentTable {
        guard let fields = reader.fields(Field(root), of: "the segments file") else { return SegmentTable() }
        var table = SegmentTable()
        var pending: [(name: String, field: Field)] = []
        for (name, field) in fields.entries {
            guard reader.isName(name, "the segment name", at: field, position: field.keyPosition) else { continue }
            switch field.node.content {
            case .list(let elements): table.groups[name] = group(elements, field, &reader)
            case .map: pending.append((name, field))
            default:
                reader.error(
                    "the segment is \(field.node.described); it is a condition (a map) or a list of values", at: field)
            }
        }
        resolve(pending, &table, &reader)
        return table
    }

    private static func group(_ elements: [SourceNode], _ field: Field, _ reader: inout FileReader) -> [JSONValue] {
        for (index, element) in elements.enumerated() {
            let member = Field(element, path: field.path.appending(index: index))
            switch element.content {
            case .list, .map:
                reader.error("a member is \(element.described); list text, numbers and booleans", at: member)
            case .number(let digits) where !JSONNumber(unchecked: digits).double.isFinite:
                reader.error("\(digits) is beyond the range of numbers; write it as text, in quotes", at: member)
            default: break
            }
        }
        return elements.map(\.json)
    }

    /// Segments may refer to segments: each is read after those that it refers to.
    private static func resolve(
        _ pending: [(name: String, field: Field)], _ table: inout SegmentTable, _ reader: inout FileReader
    ) {
        let names = Set(pending.map(\.name))
        var waiting = pending.map { entry in
            (name: entry.name, field: entry.field, needs: references(entry.field.node).intersection(names))
        }
        while !waiting.isEmpty {
            let ready = waiting.filter(\.needs.isEmpty)
            guard !ready.isEmpty else {
                for entry in waiting where reaches(entry.name, from: entry.name, waiting) {
                    reader.error(
                        "the segment \"\(entry.name)\" refers to itself, through \(entry.needs.sorted().joined(separator: ", ")); "
                            + "break the circle", atKeyOf: entry.field)
                }
                for entry in waiting { table.conditions[entry.name] = .everyone }
                return
            }
            for entry in ready {
                // A segment that is wrong stands as everyone, so that its users are not blamed for it.
                table.conditions[entry.name] = reader.condition(entry.field, segments: table) ?? .everyone
            }
            let done = Set(ready.map(\.name))
            waiting = waiting.filter { !done.contains($0.name) }.map { ($0.name, $0.field, $0.needs.subtracting(done)) }
        }
    }

    private static func reaches(
        _ target: String, from name: String, _ entries: [(name: String, field: Field, needs: Set<String>)]
    ) -> Bool {
        let needs = Dictionary(entries.map { ($0.name, $0.needs) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        var stack = Array(needs[name] ?? [])
        while let next = stack.popLast() {
            if next == target { return true }
            if seen.insert(next).inserted { stack.append(contentsOf: needs[next] ?? []) }
        }
        return false
    }

    /// The names behind every `$segment` in a condition.
    private static func references(_ node: SourceNode) -> Set<String> {
        switch node.content {
        case .list(let elements): elements.reduce(into: []) { $0.formUnion(references($1)) }
        case .map(let entries):
            entries.reduce(into: []) { names, entry in
                if entry.key == "$segment", case .text(let name) = entry.value.content { names.insert(name) }
                names.formUnion(references(entry.value))
            }
        default: []
        }
    }
}
