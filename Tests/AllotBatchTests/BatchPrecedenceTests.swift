import AllotCore
import TestSupport
import Testing

@testable import AllotBatch

/// A batch in the long layout, with the rows of units that are not assigned, gives what the precedence table says.
struct BatchPrecedenceTests {
    @Test("A row of a batch is decided as the table says", arguments: PrecedenceTable.rows)
    func row(row: PrecedenceRow) throws {
        let plan = try row.plan()
        var batch = BatchAssignment(plan: plan, instant: PrecedenceRow.instant)
        batch.layout = .long
        batch.includesAll = true
        let index = try #require(plan.experiments.firstIndex { $0.key == PrecedenceRow.key })
        batch.selection = [index]
        let names = ["user_id", "country"]
        let fields = names.map { row.attributes[$0] ?? "" }
        let csv = csvText([names, ["unit-1", "FR"], fields])
        let line = try #require(batch.outputs(of: csv).text.split(separator: "\n").last)
        let columns = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        #expect(columns.prefix(4) == [fields[0], PrecedenceRow.key, row.variant ?? "", row.reason.text])
        #expect(columns[4].isEmpty == (row.reason != .split))
    }
}
