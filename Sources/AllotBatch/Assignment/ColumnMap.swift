import AllotConfiguration
import AllotCore

/// The columns of a file in which a plan finds its attributes.
struct ColumnMap: Sendable {
    struct AttributeColumn: Sendable {
        let column: Int
        let attribute: Int
    }

    let columnCount: Int
    let delimiter: CSVDelimiter
    let attributes: [AttributeColumn]
    /// By experiment, the column of its unit, without a unit that of `user_id`; `nil` if the file does not have it, and
    /// for a unit of several attributes.
    let unitColumns: [Int?]
    /// By experiment, all columns of its unit: several for a unit of several attributes. Empty if one is missing.
    let columnsOfUnits: [[Int]]
    let userColumn: Int?
    /// The column of the rows' own instants, and its name; `nil` where all rows are decided at one instant.
    let time: TimeColumn?
    /// The columns whose values may be doubtful, in the order of the attributes.
    let watched: [WatchedColumn]
    let attributeCount: Int
    let missing: [String]
    /// Sentences on columns that nothing reads, and whose names are other spellings of those that are read.
    let doubts: [String]

    init(_ header: CSVHeader, for batch: BatchAssignment, inputName: String) throws(BatchError) {
        var positions: [UTF8Key: Int] = [:]
        // By name the second column that has it, which is at fault only if the column is read.
        var repeated: [UTF8Key: Int] = [:]
        for (index, name) in header.names.enumerated() {
            let key = UTF8Key(name)
            if positions[key] == nil { positions[key] = index } else { repeated[key] = repeated[key] ?? index }
        }
        if let name = batch.unitColumn {
            repeated[UTF8Key(Subject.defaultUnit)] = nil
            positions[UTF8Key(Subject.defaultUnit)] = try header.index(of: name, in: inputName, for: "the unit IDs")
        }
        for (attribute, name) in batch.attributeColumns.sorted(by: { UTF8Order.precedes($0.key, $1.key) }) {
            guard attribute == Subject.defaultUnit || batch.plan.attributes.index(of: attribute) != nil else {
                let hint = NearestName.hint(for: attribute, among: batch.plan.attributes.names)
                throw BatchError(
                    description: "no experiment looks at an attribute \(QuotedText(attribute)); "
                        + (hint.map { "did you mean \(QuotedText($0))?" } ?? "leave it out"))
            }
            repeated[UTF8Key(attribute)] = nil
            positions[UTF8Key(attribute)] = try header.index(of: name, in: inputName, for: "\(QuotedText(attribute))")
        }
        time = try batch.timeColumn.map { name throws(BatchError) in
            TimeColumn(index: try header.index(of: name, in: inputName, for: "the instants"), name: name)
        }
        let read = Set((batch.plan.attributeNames(of: batch.selected) + [Subject.defaultUnit]).map(UTF8Key.init))
        for (name, second) in repeated.sorted(by: { $0.value < $1.value }) {
            guard !read.contains(name) else {
                throw CSVHeader.error(in: inputName, bothNamed: name.text, positions[name] ?? second, second)
            }
            positions[name] = nil
        }
        let names = batch.plan.attributes.names
        columnCount = header.names.count
        delimiter = header.delimiter
        let columns = names.map { positions[UTF8Key($0)] }
        attributeCount = names.count
        attributes = columns.enumerated().compactMap { attribute, column in
            column.map { AttributeColumn(column: $0, attribute: attribute) }
        }
        let userColumn = positions[UTF8Key(Subject.defaultUnit)]
        let parts = batch.plan.unitParts
        let unitColumns = batch.plan.unitAttributes.enumerated().map { experiment, attribute in
            attribute.map { columns[$0] } ?? (parts[experiment].isEmpty ? userColumn : nil)
        }
        columnsOfUnits = parts.enumerated().map { experiment, parts in
            let found = parts.compactMap { columns[$0] }
            if parts.isEmpty { return unitColumns[experiment].map { [$0] } ?? [] }
            return found.count == parts.count ? found : []
        }
        self.unitColumns = unitColumns
        let units = Set(
            batch.selected.flatMap { index in parts[index] + [batch.plan.unitAttributes[index]].compactMap { $0 } })
        let instants = Set(batch.plan.instantAttributes.map(UTF8Key.init))
        watched = attributes.compactMap { entry in
            let column = WatchedColumn(
                attribute: entry.attribute, name: header.names[entry.column], isUnit: units.contains(entry.attribute),
                isInstant: instants.contains(UTF8Key(names[entry.attribute])))
            return column.isUnit || column.isInstant ? column : nil
        }
        let spellings = Dictionary(grouping: header.names, by: \.withoutSpelling)
        doubts = attributes.filter { read.contains(UTF8Key(names[$0.attribute])) }.flatMap { entry in
            let name = header.names[entry.column]
            let others = (spellings[name.withoutSpelling] ?? []).map(UTF8Key.init)
            return others.filter { $0 != UTF8Key(name) && !read.contains($0) }.map {
                "the column \(QuotedText(name)) is read, and \(QuotedText($0.text)), which is spelt differently, is "
                    + "not; if the values are in the other one, rename both"
            }
        }
        missing = batch.plan.attributeNames(of: batch.wideColumns).filter { positions[UTF8Key($0)] == nil }
        self.userColumn = userColumn

        let blocked = batch.wideColumns.filter { batch.plan.experiments[$0].unit == Subject.defaultUnit }
        if userColumn == nil, let first = blocked.first {
            throw BatchError(
                noUnits: "\(inputName) has no column \"\(Subject.defaultUnit)\", by which "
                    + "\(batch.plan.experiments[first].key) assigns (it has \(header.listedNames))")
        }
        if batch.layout == .wide {
            let keys = batch.wideColumns.map { batch.plan.experiments[$0].key }
            for key in keys where !header.indices(of: key).isEmpty {
                throw BatchError(
                    description: "\(inputName) already has a column \"\(key)\", the name of an experiment; rename the "
                        + "column, or use the long layout")
            }
        }
    }
}
