import AllotDefinitions
import Testing

struct FaultTableTests {
    @Test("Each fault is reported at its position", arguments: FaultTable.all)
    func everyFaultIsNamedWhereItStands(table: FaultTable) {
        for fault in table.cases {
            #expect(DefinitionsLoader.fixed.lines(of: fault.files) == fault.expected, "\(fault.title)")
        }
    }

    @Test("All fault tables are found and have cases")
    func theTablesAreFound() {
        #expect(FaultTable.all.count >= 24)
        #expect(FaultTable.all.allSatisfy { !$0.cases.isEmpty })
    }
}
