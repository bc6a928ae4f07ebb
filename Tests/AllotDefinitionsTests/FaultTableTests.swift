import AllotDefinitions
import Testing

@Suite struct FaultTableTests {
    @Test(arguments: FaultTable.all)
    func everyFaultIsNamedWhereItStands(table: FaultTable) {
        for fault in table.cases {
            #expect(DefinitionsLoader.fixed.lines(of: fault.files) == fault.expected, "\(fault.title)")
        }
    }

    @Test func theTablesAreFound() {
        #expect(FaultTable.all.count >= 22)
        #expect(FaultTable.all.allSatisfy { !$0.cases.isEmpty })
    }
}
