import AllotCore
import AllotDefinitions
import AllotSQL
import Foundation
import Testing

/// The example project of dbt.
struct DBTProjectTests {
    private static let experiments = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Experiments")

    @Test(
        "The models of the dbt project are what allot sql writes; Experiments/dbt/generate writes them again",
        arguments: [("assigned", WarehouseStatement.Layout.wide), ("decisions", .long)])
    func models(name: String, layout: WarehouseStatement.Layout) throws {
        var statement = WarehouseStatement(dialect: .duckdb)
        statement.layout = layout
        statement.instant = Instant("2026-11-21T12:00:00Z")
        let text = try statement.text(for: Plan.load(folder: Self.experiments.path))
        let model = try String(contentsOf: Self.experiments.appending(path: "dbt/models/\(name).sql"), encoding: .utf8)
        #expect(model == text)
        for mark in ["{{", "{%", "{#"] { #expect(!model.contains(mark)) }
    }
}
