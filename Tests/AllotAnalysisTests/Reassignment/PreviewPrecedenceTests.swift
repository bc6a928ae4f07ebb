import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotAnalysis

/// The preview of a change says of each unit of the precedence table what it can say: forced units are left aside, and
/// the conditions of audiences are listed, not tested.
struct PreviewPrecedenceTests {
    @Test("The preview expects the variant that the table says", arguments: PrecedenceTable.rows)
    func regions(row: PrecedenceRow) throws {
        let definitions = try row.plan().definitions
        let index = DefinitionsIndex(definitions)
        let experiment = try #require(index.experiment(PrecedenceRow.key))
        let regions = AssignmentRegions(experiment, in: index, at: PrecedenceRow.instant)
        guard let unit = row.attributes["user_id"], row.reason != .noUnit else { return }
        let assigned = zip(regions.variants, regions.regions).filter { _, region in
            region?.contains { dimension in
                guard dimension.unit.text == "user_id" else { return -1 }
                return dimension.bucket(of: unit)
            } ?? false
        }
        #expect(assigned.map(\.0) == (row.previewed.map { [$0] } ?? []))
        if row.reason == .audience, row.previewed != nil { #expect(!regions.audience.isEmpty) }
    }

    @Test(
        "An experiment that is new enrols units for the variants that some unit can get",
        arguments: PrecedenceTable.rows)
    func newExperiment(row: PrecedenceRow) throws {
        let new = try row.plan().definitions
        var old = new
        old.experiments.removeAll { $0.key == PrecedenceRow.key }
        let preview = DefinitionsReassignment(from: Plan(old), to: Plan(new), at: PrecedenceRow.instant)
        let experiment = try #require(preview.experiments.first { $0.experiment == PrecedenceRow.key })
        #expect(experiment.transitions.allSatisfy { $0.kind == .enters })
        if let variant = row.previewed { #expect(experiment.transitions.contains { $0.to == variant }) }
        if [.paused, .draft, .notStarted, .ended, .concluded].contains(row.reason) {
            #expect(experiment.transitions.isEmpty)
        }
    }
}
