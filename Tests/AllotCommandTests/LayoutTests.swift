import AllotConfiguration
import TestSupport
import Testing

/// The other layouts say the same as the golden wide one.
@Suite(.blocks) struct LayoutTests {
    /// A row of the long layout without its bucket and revision.
    struct Row: Hashable {
        let unit: String
        let experiment: String
        let variant: String
    }

    private func rows(_ table: CSVTable) -> [Row] {
        table.rows.map { Row(unit: $0[0], experiment: $0[1], variant: $0[2]) }
    }

    private func expected(including isIncluded: (String) -> Bool) throws -> [Row] {
        try Shop.expectedRows().flatMap { row in
            Shop.experiments.filter { isIncluded(row[$0] ?? "") }.map { key in
                Row(unit: row[Shop.unit(of: key)] ?? "", experiment: key, variant: row[key] ?? "")
            }
        }
    }

    @Test("The long layout has the assignments of the wide layout")
    func longHoldsWhatWideHolds() throws {
        let table = CSVTable(try Shop.run("assign", Shop.users, "--layout", "long").output)
        #expect(table.header == ["unit", "experiment", "variant", "reason", "bucket", "revision"])
        #expect(try rows(table) == expected { !$0.isEmpty })
        for row in table.rows {
            #expect(["split", "forced", "winner"].contains(row[3]))
            #expect(row[4].isEmpty == (row[3] != "split"), "a bucket belongs to a split: \(row)")
            #expect(row[5].count == 16)
        }
    }

    @Test("With --all the long layout has every decision")
    func longWithAllHoldsEveryDecision() throws {
        let table = CSVTable(try Shop.run("assign", Shop.users, "--layout", "long", "--all").output)
        #expect(try rows(table) == expected { _ in true })
        let reasons = Set(table.rows.filter { $0[2].isEmpty }.map { $0[3] })
        #expect(
            reasons.isSuperset(of: ["no-unit", "draft", "holdout", "slot", "requirement", "audience", "traffic"]))
        #expect(reasons.isDisjoint(with: ["split", "forced", "winner"]))
    }

    @Test("The buckets of the long layout are those of allot bucket")
    func longBucketsAreThoseOfBucket() throws {
        let table = CSVTable(try Shop.run("assign", Shop.users, "--layout", "long").output)
        let split = table.rows.filter { $0[1] == "checkout-button" && $0[3] == "split" }
        let result = try Program.run(["bucket", "checkout-button"] + split.map { $0[0] })
        let seconds = result.text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
        #expect(split.map { $0[4] } == seconds)
        #expect(!split.isEmpty)
    }

    @Test("The JSON layout has the assignments of the wide layout")
    func jsonHoldsWhatWideHolds() throws {
        let result = try Shop.run("assign", Shop.users, "--layout", "json")
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        let rows = try Shop.expectedRows()
        #expect(lines.count == rows.count + 1 && lines.last == "")
        for (line, row) in zip(lines, rows) {
            let value = try JSONValue(parsing: Array(line.utf8))
            #expect(value["unit"] == row["user_id"].map { $0.isEmpty ? .null : .string($0) })
            let assignments = value["configuration"]?["meta"]?["assignments"]
            var held: [String: String] = [:]
            for member in assignments?.members ?? [] { held[member.key] = member.value["variant"]?.text }
            #expect(held == row.filter { Shop.experiments.contains($0.key) && !$0.value.isEmpty })
            let settings = value["configuration"]?["config_sections"]?["Checkout"]?["settings"]
            let texts = ["short": "Pay", "long": "Pay now and save"]
            #expect(settings?["ButtonText"]?["value"]?.text == texts[row["checkout-text"] ?? ""] ?? "Pay now")
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
