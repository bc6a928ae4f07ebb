import AllotConfiguration
import TestSupport
import Testing

/// The other layouts say the same as the golden wide one.
@Suite(.blocks) struct LayoutTests {
    @Test("The long layout has the assignments of the wide layout")
    func longHoldsWhatWideHolds() throws {
        let table = CSVTable(try Shop.run("assign", Shop.users, "--layout", "long").output)
        #expect(table.header == ["unit", "experiment", "variant", "reason", "bucket", "revision"])
        let expected = try Shop.expectedRows().flatMap { row in
            Shop.experiments.filter { row[$0]?.isEmpty == false }.map {
                [row[Shop.unit(of: $0)] ?? "", $0, row[$0] ?? ""]
            }
        }
        #expect(table.rows.map { Array($0.prefix(3)) } == expected)
        for row in table.rows {
            #expect(["split", "forced", "winner"].contains(row[3]))
            #expect(row[4].isEmpty == (row[3] != "split"), "a bucket belongs to a split: \(row)")
            #expect(row[5].count == 16)
        }
    }

    @Test("The JSON layout has the configurations of allot config")
    func jsonHoldsWhatConfigPrints() throws {
        let result = try Shop.run("assign", Shop.users, "--layout", "json")
        for (line, row) in try Array(zip(result.text.split(separator: "\n"), Shop.expectedRows())).prefix(8) {
            let attributes = row.filter { !Shop.experiments.contains($0.key) && $0.key != "user_id" }
            let unit = row["user_id"] ?? ""
            let config = try Shop.run(["config", unit] + attributes.map { "\($0.key)=\($0.value)" })
            #expect(config.text == "\(line.dropFirst(#"{"unit":"\#(unit)","configuration":"#.count).dropLast())\n")
        }
    }
}
