import AllotDefinitions
import TestSupport
import Testing

@testable import AllotProofs

/// The tests of the sample folder.
struct SampleShopTests {
    @Test("The sample tests pass, reach everything and notice every small change")
    func sample() throws {
        let report = try DefinitionTests(folder: Shop.sample).run(reportsCoverage: true, mutates: true)
        #expect(report.isPassed)
        #expect(report.gaps?.map(\.line) == [])
        #expect(report.mutation?.lines == [])
        #expect((report.mutation?.count ?? 0) > 100)
        let other = try DefinitionTests(folder: Shop.sample + "/").run()
        #expect(other.cases.map(\.verdict) == report.cases.map(\.verdict))
    }

    @Test("The parts that only a missing case would reach, and the changes that only it would notice, are listed")
    func gaps() throws {
        let text = """
            at: 2026-11-21T12:00:00Z
            cases:
              - name: the split
                attributes: { country: DE }
                shares: { button: { control: 22.5%, green: 22.5% } }
            """
        let report = try Shop.tests(text).run(reportsCoverage: true, mutates: true)
        #expect(!report.isPassed)
        let gaps = try #require(report.gaps).map(\.line)
        #expect(gaps.contains("not reached: button: the reason forced"))
        #expect(gaps.contains { $0.hasPrefix("not reached: button: a unit that fails: country is one of") })
        #expect(gaps.contains("not reached: steps: both sides of the boundary 2026-12-05T00:00:00Z"))
        #expect(gaps.contains("not reached: over: the variant b"))
        #expect(!gaps.contains("not reached: button: the variant green"))
        let survivors = try #require(report.mutation).lines
        #expect(survivors.contains("survives: button: control and green exchanged"))
        #expect(survivors.contains("survives: steps: traffic: the step of 2026-12-05T00:00:00Z a second later"))
        #expect(survivors.contains("survives: inner: requires: button left out"))
        #expect(!survivors.contains { $0.hasPrefix("survives: button: slots") })
        #expect(!survivors.contains { $0.hasPrefix("survives: button: audience") })
    }

    @Test("Definitions, their revision and their manifest do not depend on the tests")
    func separation() throws {
        let folder = try TemporaryFolder(Shop.files)
        let before = try DefinitionsLoader().load(folder: folder.path).plan.revision
        let signature = FolderSignature(path: folder.path)
        _ = try DefinitionsLoader().loadWritingManifest(folder: folder.path)
        try folder.write("cases: 5", to: "tests/t.yaml")
        #expect(try DefinitionsLoader().load(folder: folder.path).plan.revision == before)
        #expect(FolderSignature(path: folder.path) != signature)
        #expect(throws: DefinitionsError.self) { try DefinitionTests(folder: folder.path) }
    }

    @Test("A folder without tests is an error that says what to do")
    func noTests() throws {
        let folder = try TemporaryFolder(Shop.files)
        do {
            _ = try DefinitionTests(folder: folder.path)
            Issue.record("there are no tests")
        } catch DefinitionsError.tests(let problems) {
            #expect(problems.count == 1)
            #expect(problems.first?.message.hasSuffix("put test files such as checkout.yaml there") ?? false)
        }
    }
}
