import AllotExposures
import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct ExportedUnitTests {
    @Test("Units with a separator of spreadsheets are quoted in an export, and allot srm reads them as they are")
    func separators() async throws {
        let workspace = try Workspace.withButton()
        let rows = (0..<400).map { "a;=\($0)\n" }
        let assigned = try workspace.assign("user_id\n" + rows.joined(), "--experiment", "button")
        try #require(assigned.status == 0, "\(assigned.errors)")
        let units = CSVTable(Array(try workspace.read("out.csv").utf8)).rows
        let store = try ExposureStore(workspace.url.appending(path: "store.sqlite").path)
        _ = try await store.record(
            units.map { unit in
                Exposure(unit: unit[0], experiment: "button", salt: "button", variant: unit[1], at: 1_793_491_200_000)
            })
        await store.shutdown()
        let export = ["exposures", "export", "store.sqlite", "-o", "exposures.csv"]
        #expect(try Program.run(export, in: workspace.url).status == 0)
        #expect(try workspace.read("exposures.csv").contains("\n\"a;=0\",button,button,"))
        try workspace.run("srm", "exposures.csv", "--experiment", "button").expectFlatText(
            "400 rows, 400 units", "every unit has the variant that Allot assigns to it", status: nil)
    }
}
