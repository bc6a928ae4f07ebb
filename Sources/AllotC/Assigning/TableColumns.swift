import AllotConfiguration
import AllotCore
import CAllot

/// The columns of a table in which a plan finds its attributes.
struct TableColumns {
    struct Entry {
        let column: AttributeColumn
        /// The index of the plan's attribute; `nil` for a `user_id` that only the output shows.
        let attribute: Int?
        let name: String
    }

    private(set) var entries: [Entry] = []
    private(set) var time: (column: AttributeColumn, name: String)?
    /// The attributes that experiments look at and the table does not have.
    private(set) var missing: [String] = []
    let rows: Range<Int>
    private let validity: UnsafeRawPointer?

    /// - Parameter array: the data; `nil` to check the schema alone.
    init(
        _ assignment: TableAssignment, _ schema: UnsafePointer<ArrowSchema>?, _ array: UnsafePointer<ArrowArray>?
    ) throws {
        let table = try ArrowStructure(table: schema, array)
        guard table.length <= Int(Int32.max) else {
            throw InterfaceError.data("the table has \(table.length) rows; split it into batches")
        }
        rows = table.offset..<table.end
        validity = try table.validity()
        var names = Names(try (0..<Int(table.schema.n_children)).map { try table.column($0) })

        let plan = assignment.plan
        for (attribute, column) in assignment.columns.sorted(by: { UTF8Order.precedes($0.key, $1.key) }) {
            guard attribute == Subject.defaultUnit || plan.attributes.index(of: attribute) != nil else {
                let hint = NearestName.hint(for: attribute, among: plan.attributes.names)
                    .map { "; did you mean \(QuotedText($0))?" }
                throw InterfaceError.argument(
                    "columns: no experiment looks at an attribute \(QuotedText(attribute))\(hint ?? "")")
            }
            try names.rename(column, to: attribute)
        }
        // The output of experiments without a draw shows it.
        let units = plan.units(of: assignment.experiments).union([Subject.defaultUnit])
        for attribute in plan.attributeNames(of: assignment.experiments) {
            guard let structure = try names.column(attribute) else {
                missing.append(attribute)
                continue
            }
            try add(structure, plan.attributes.index(of: attribute), isUnit: units.contains(attribute), attribute)
        }
        try checkUnit(assignment, names)
        let userAttribute = plan.attributes.index(of: Subject.defaultUnit)
        let showsUsers = assignment.wide == nil && assignment.experiments.contains { plan.experiments[$0].draw == nil }
        if showsUsers, userAttribute == nil || !entries.contains(where: { $0.attribute == userAttribute }),
            let structure = try names.column(Subject.defaultUnit)
        {
            try add(structure, nil, isUnit: true, Subject.defaultUnit)
        }
        if let name = assignment.timeColumn {
            let structure = try names.named(name, for: "time_column")
            let column = try AttributeColumn(structure, for: .instant)
            guard column.lists == nil, column.values.kind.canBeInstant else {
                throw InterfaceError.data(
                    "time_column: the column \(QuotedText(name)) is of type \(column.typeName); cast it to timestamp")
            }
            try structure.check(rowCount: rows.upperBound)
            time = (column, name)
        }
    }

    private mutating func add(_ structure: ArrowStructure, _ index: Int?, isUnit: Bool, _ attribute: String) throws {
        let column = try AttributeColumn(structure, for: isUnit ? .unit(attribute) : .attribute(attribute))
        guard !isUnit || (column.lists == nil && column.values.kind.canBeUnit) else {
            let hint =
                column.lists == nil && column.values.kind.hasDecimals
                ? "convert it to whole numbers, such as int64, or Int64 in pandas; as text, 1.0 is a different unit "
                    + "from 1" : ColumnPurpose.unitFix
            throw InterfaceError.data(
                "the column \(QuotedText(structure.name)) holds unit IDs and is of type \(column.typeName); unit IDs "
                    + "are text, UUIDs or whole numbers: \(hint)")
        }
        try structure.check(rowCount: rows.upperBound)
        entries.append(Entry(column: column, attribute: index, name: structure.name))
    }

    /// Throws if no column has the units of the users that an experiment assigns.
    private func checkUnit(_ assignment: TableAssignment, _ names: Names) throws {
        guard missing.contains(Subject.defaultUnit) else { return }
        let blocked = assignment.experiments.first { index in
            let experiment = assignment.plan.experiments[index]
            return experiment.unit == Subject.defaultUnit && experiment.obstacle(at: assignment.commonInstant) == nil
        }
        guard let blocked else { return }
        let key = assignment.plan.experiments[blocked].key
        throw InterfaceError.data(
            "the table has no column \"\(Subject.defaultUnit)\", by which \(key) assigns; name the column of the unit "
                + "IDs with the option columns: {\"\(Subject.defaultUnit)\": …} (\(names.list))")
    }

    @inline(__always)
    func isValid(_ row: Int) -> Bool { validity?.bit(row) ?? true }
}

private struct Names {
    private let columns: [ArrowStructure]
    /// By name the columns; those that other attributes are in have these as names.
    private var positions: [UTF8Key: [Int]] = [:]

    init(_ columns: [ArrowStructure]) {
        self.columns = columns
        for (position, column) in columns.enumerated() { positions[UTF8Key(column.name), default: []].append(position) }
        original = positions
    }

    /// By name the columns as the table has them.
    private let original: [UTF8Key: [Int]]

    func column(_ attribute: String) throws -> ArrowStructure? { try one(positions[UTF8Key(attribute)], attribute) }

    /// The column that an option names.
    func named(_ name: String, for option: String) throws -> ArrowStructure {
        guard let column = try one(original[UTF8Key(name)], name) else {
            throw InterfaceError.data("\(option): the table has no column \(QuotedText(name)) (\(list))")
        }
        return column
    }

    mutating func rename(_ name: String, to attribute: String) throws {
        _ = try named(name, for: "columns")
        positions[UTF8Key(attribute)] = original[UTF8Key(name)]
    }

    private func one(_ positions: [Int]?, _ name: String) throws -> ArrowStructure? {
        guard let positions, let first = positions.first else { return nil }
        guard positions.count == 1 else {
            throw InterfaceError.data("the table has \(positions.count) columns named \(QuotedText(name)); rename them")
        }
        return columns[first]
    }

    var list: String {
        guard !columns.isEmpty else { return "the table has no columns" }
        let shown = columns.prefix(12).map { QuotedText($0.name).description }.joined(separator: ", ")
        return "it has \(shown)" + (columns.count > 12 ? ", … (\(columns.count) in all)" : "")
    }
}

extension AttributeColumn {
    var typeName: String { lists == nil ? values.kind.name : "list of \(values.kind.name)" }
}
