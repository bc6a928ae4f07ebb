import AllotConfiguration
import AllotCore
import AllotFiles
import TestSupport
import Testing

@testable import AllotBatch

struct BatchComparisonTests {
    /// Counts are those of subjects decided one by one, whatever the chunks and threads. Each unit counts once.
    @Test("The counts of a comparison are those of single decisions", arguments: 0..<40)
    func countsAgreeWithSingleDecisions(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let plans = (0..<2).map { _ in Plan(RandomDefinitions.make(&random).withOtherSystems(&random)) }
        let instant = Instant(seconds: 10)
        var csv = "country,user_id,note,org_id\n"
        var expected: [String: [[String?]: Int]] = [:]
        var forced: [String: Int] = [:]
        var seen: [String: Set<[[UInt8]?]>] = [:]
        var (users, rowsWithUser): (Set<[UInt8]>, Int) = ([], 0)
        for row in 0..<300 {
            var attributes = RandomDefinitions.attributes(&random)
            // A doubled quote has to be undone.
            if row % 7 == 0 { attributes["user_id"] = "a\"b-\(row)" }
            csv += csvText([["country", "user_id", "note", "org_id"].map { attributes[$0] ?? "" }])
            var subject = Subject()
            for (name, value) in attributes { subject.setUntyped(name, value) }
            func id(_ name: String) -> [UInt8]? {
                attributes[name].map { Array($0.utf8) }.flatMap { (1...1024).contains($0.count) ? $0 : nil }
            }
            if let user = id("user_id") {
                users.insert(user)
                rowsWithUser += 1
            }
            let decided = plans.map { plan in
                Dictionary(
                    uniqueKeysWithValues: plan.assignments(for: subject, at: instant).map { ($0.experiment, $0) })
            }
            for key in Set(decided[0].keys).union(decided[1].keys) {
                let states = decided.map { $0[key] }
                let names = Set(
                    plans.flatMap { $0.experiments.filter { $0.key == key }.map { $0.unit ?? "user_id" } })
                let unit = names.sorted().map(id)
                guard unit.contains(where: { $0 != nil }), seen[key, default: []].insert(unit).inserted else {
                    continue
                }
                if states[0]?.reason == .forced || (states[1]?.reason == .forced && states[0]?.variant == nil) {
                    forced[key, default: 0] += 1
                } else if states.contains(where: { $0?.variant != nil }) {
                    expected[key, default: [:]][states.map { $0?.variant }, default: 0] += 1
                }
            }
        }
        var comparison = BatchComparison(old: plans[0], new: plans[1], instant: instant)
        comparison.chunkSize = [64, 1000, 1 << 20][seed % 3]
        comparison.threadCount = 1 + seed % 3
        let result = try comparison.run(InputFile(csv))
        #expect(result.rowCount == 300)
        #expect(result.unitCount == users.count)
        #expect(result.repeatCount == rowsWithUser - users.count)
        #expect(result.withoutUnitCount == 300 - rowsWithUser)
        for experiment in result.experiments {
            var counts: [[String?]: Int] = [:]
            for transition in experiment.transitions { counts[[transition.from, transition.to]] = transition.count }
            #expect(counts == expected[experiment.key] ?? [:])
            #expect(experiment.forcedCount == forced[experiment.key] ?? 0)
            #expect(experiment.unitCount == seen[experiment.key]?.count)
        }
        #expect(Set(expected.keys).isSubset(of: result.experiments.map(\.key)))
    }

    @Test("A malformed row ends a comparison")
    func malformedRowsStop() throws {
        let plan = Plan(Definitions(experiments: [.sample("e")]))
        let comparison = BatchComparison(old: plan, new: plan, instant: Instant(seconds: 0))
        #expect(throws: CSVError.self) { try comparison.run(InputFile("user_id,country\na,DE\nb\n")) }
        #expect(throws: BatchError.self) { try comparison.run(InputFile("id\na\n")) }
    }
}
