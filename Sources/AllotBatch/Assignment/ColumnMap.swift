import Allot
import AllotConfiguration

/// Which columns of a file hold the attributes that a plan looks at.
struct ColumnMap: Sendable {
    /// A column and the attribute that it holds.
    struct Entry: Sendable {
        let column: Int
        let attribute: Int
    }

    let columnCount: Int
    let entries: [Entry]
    /// The column of each attribute, -1 for none.
    let columns: [Int]
    /// The column of `user_id`, -1 for none.
    let unitColumn: Int
    /// Attributes that experiments look at and no column holds.
    let missing: [String]

    init(_ header: CSVHeader, for batch: BatchAssignment, inputName: String) throws(BatchError) {
        var positions: [UTF8Key: Int] = [:]
        for (index, name) in header.names.enumerated() {
            if let other = positions[UTF8Key(name)] {
                throw BatchError(
                    description: "\(inputName): the columns \(other + 1) and \(index + 1) are both named \"\(name)\"; "
                        + "rename one, so that it is clear which is meant")
            }
            positions[UTF8Key(name)] = index
        }
        if let name = batch.unitColumn {
            guard let index = positions[UTF8Key(name)] else {
                throw BatchError(
                    description: "\(inputName) has no column \"\(name)\" for --unit-column; it has "
                        + header.listedNames)
            }
            positions[UTF8Key(Subject.defaultUnit)] = index
        }
        let names = batch.plan.attributes.names
        columnCount = header.names.count
        columns = names.map { positions[UTF8Key($0)] ?? -1 }
        entries = columns.enumerated().filter { $0.element >= 0 }.map {
            Entry(column: $0.element, attribute: $0.offset)
        }
        missing = batch.plan.attributeNames(of: batch.wideColumns).filter { positions[UTF8Key($0)] == nil }
        unitColumn = positions[UTF8Key(Subject.defaultUnit)] ?? -1

        let blocked = batch.wideColumns.filter { batch.plan.experiments[$0].unit == Subject.defaultUnit }
        if unitColumn < 0, let first = blocked.first {
            throw BatchError(
                description: "\(inputName) has no column \"\(Subject.defaultUnit)\", by which "
                    + "\(batch.plan.experiments[first].key) assigns; name the column of the unit IDs with --unit-column "
                    + "(it has \(header.listedNames))")
        }
        if batch.layout == .wide {
            for index in batch.wideColumns where header.indices(of: batch.plan.experiments[index].key).first != nil {
                let key = batch.plan.experiments[index].key
                throw BatchError(
                    description: "\(inputName) already has a column \"\(key)\", the name of an experiment; rename the "
                        + "column, or use --layout long")
            }
        }
    }
}
