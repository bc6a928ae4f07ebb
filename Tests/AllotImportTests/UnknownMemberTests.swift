import AllotConfiguration
import Testing

@testable import AllotImport

/// Members that an importer does not know are refused where the other system refuses them, and noted elsewhere: the
/// vendor's next version may decide by them.
struct UnknownMemberTests {
    private static let name = "newTargeting2026"

    /// Objects of the article's examples in which nothing is noted: their members have names of the payload's own, they
    /// are values, or the SDK does not read them at all.
    private static let taken: [ImportSystem: Set<String>] = [
        .growthbook: ["rules[0].condition", "rules[0].condition.country"], .eppo: ["$.environment"],
        .statsig: [
            ".defaultValue", ".returnValue", "$.diagnostics", "$.experiment_to_layer", "$.id_lists", "$.layers",
            "$.sdk_configs", "$.sdk_flags",
        ], .flagd: [".variants"], .firebase: ["$.version", ".conditionalValues"],
    ]

    @Test("An unknown member of any object is named with its path", arguments: MovingArticleTests.examples)
    func everyObject(example: MovingArticleTests.Example) throws {
        let payload = try JSONValue(parsing: Array(example.payload.utf8))
        var silent: [String] = []
        let copies = payload.copies { part in
            guard case .object(var object) = part else { return nil }
            object[Self.name] = ["a": 1]
            return .object(object)
        }
        for (path, changed) in copies {
            var conversion = PayloadImport(of: example.system)
            conversion.skipsInexact = true
            do {
                let report = try conversion.definitions(from: changed).report
                if report.leftOutCount == 0, !report.notes.contains(where: { $0.contains(Self.name) }) {
                    silent.append(path)
                }
            } catch {
                if !"\(error)".contains(Self.name) { silent.append(path) }
            }
        }
        let taken = Self.taken[example.system] ?? []
        #expect(silent.filter { path in !taken.contains { path.hasSuffix($0) } } == [])
    }

    @Test("A kind of member is noted once, with the number of objects that have it, and annotations are not")
    func onceForEachKind() throws {
        let flag = #""on": false, "variations": [1], "progressive": 1, "description": "d", "_comment": "c""#
        let notes = try ImportCase.notes(
            .launchdarkly, #"{"flags": {"a": {\#(flag)}, "b": {\#(flag), "other": {"x": 1}}}}"#
        ).filter { $0.contains("not known") }.sorted()
        #expect(notes.count == 2)
        #expect(notes.first?.hasPrefix("$.flags.a.progressive, which 2 objects") == true)
        #expect(notes.last?.hasPrefix("$.flags.b.other is not known") == true)
    }

    @Test("Members of an inexact flag that were not read are not noted")
    func inexactFlags() throws {
        let payload = #"{"flags": {"a": {"on": 5, "variations": [1], "fallthrough": {"variation": 0}}}}"#
        let report = try ImportCase.definitions(.launchdarkly, payload, skipsInexact: true).report
        #expect(report.leftOutCount == 1)
        #expect(!report.notes.contains { $0.contains("not known") }, "\(report.notes)")
    }
}
