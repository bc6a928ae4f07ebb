import AllotDefinitions
import Testing

@Suite struct FaultTableTests {
    @Test("Every fault is named where it stands", arguments: FaultTable.all)
    func everyFaultIsNamedWhereItStands(table: FaultTable) {
        for fault in table.cases {
            #expect(DefinitionsLoader.fixed.lines(of: fault.files) == fault.expected, "\(fault.title)")
        }
    }

    @Test("The tables are found")
    func theTablesAreFound() {
        #expect(FaultTable.all.count >= 22)
        #expect(FaultTable.all.allSatisfy { !$0.cases.isEmpty })
    }
}
