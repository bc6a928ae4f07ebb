import AllotConfiguration
import AllotCore

/// The first rows of a file, from which a report can tell why no row was assigned a variant. `Sendable`.
package struct RowSample: Sendable {
    /// The number of bytes of the file that the rows are taken from, at least.
    static let length = 1 << 16

    package let columnNames: [String]
    private let records: [UInt8]
    private let columns: ColumnMap

    init(_ records: [UInt8], _ header: CSVHeader, _ columns: ColumnMap) {
        (columnNames, self.records, self.columns) = (header.names, records, columns)
    }

    /// The rows as subjects, each with its own instant, if rows have one. Malformed rows are left out.
    package func subjects(atMost limit: Int, of plan: Plan) -> [(subject: Subject, instant: Instant?)] {
        var parser = CSVRecordParser(columnCount: columns.columnCount, delimiter: columns.delimiter)
        var subjects: [(subject: Subject, instant: Instant?)] = []
        parser.start()
        while subjects.count < limit, parser.next(in: records) {
            guard parser.problem == nil else { continue }
            var subject = Subject()
            for entry in columns.attributes {
                let text = parser[entry.column].text(in: records.span)
                subject.setUntyped(plan.attributes.names[entry.attribute], text)
            }
            let instant = columns.time.flatMap { TimeColumn.instant(parser[$0.index], of: records.span) }
            if columns.time == nil || instant != nil { subjects.append((subject, instant)) }
        }
        return subjects
    }
}
