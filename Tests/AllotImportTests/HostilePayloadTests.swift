import AllotConfiguration
import Foundation
import Testing

@testable import AllotImport

/// Payloads with anything in place of what belongs there.
struct HostilePayloadTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vendors/hostile")

    @Test(
        "Anything in place of a value is refused or read, and never ends the program",
        arguments: [ImportSystem.eppo, .unleash, .optimizely, .flagd, .launchdarkly, .statsig, .firebase])
    func anything(system: ImportSystem) throws {
        let file = Self.folder.appending(path: "\(system.rawValue).json")
        let payload = try JSONValue(parsing: Array(Data(contentsOf: file)))
        let project = try system.importer.project(PayloadNode(payload), PayloadImport(of: system))
        #expect(project.inexact.isEmpty, "\(project.inexact.map(\.problem))")
        #expect(!project.flags.isEmpty)
        let others: [JSONValue] = [-1, "", [[]], ["x": .null]]
        for other in others {
            for (_, changed) in payload.copies(change: { _ in other }) {
                do throws(ImportProblem) {
                    _ = try system.importer.project(PayloadNode(changed), PayloadImport(of: system))
                } catch {
                    #expect(!error.message.isEmpty)
                }
            }
        }
    }

    @Test(
        "Segments of LaunchDarkly that refer to each other without end are refused",
        arguments: [
            (5000, #"{"clauses": [CLAUSE]}"#, "more than 100 deep"),
            (40, #"{"weight": 5, "clauses": [CLAUSE, CLAUSE]}"#, "more than 10000 rules"),
        ])
    func chainOfSegments(count: Int, rule: String, reason: String) throws {
        func clause(_ number: Int) -> String {
            #"{"op": "segmentMatch", "attribute": "", "values": ["s\#(number)"]}"#
        }
        let segments = (0..<count).map { number in
            let rule = rule.replacing("CLAUSE", with: clause(number + 1))
            return #""s\#(number)": {"key": "s\#(number)", "rules": [\#(rule)]}"#
        }
        let payload = """
            {"flags": {"f": {"on": true, "variations": [true, false], "fallthrough": {"variation": 0}, "rules": [
            {"variation": 1, "clauses": [\(clause(0))]}]}}, "segments": {\(segments.joined(separator: ", "))}}
            """
        let problems = try ImportCase.problems(.launchdarkly, payload)
        #expect(problems.map { $0.contains(reason) } == [true], "\(problems)")
    }

    @Test(
        "A payload that cannot be read says why",
        arguments: [
            (ImportSystem.eppo, #"{"format": "CLIENT", "flags": {}}"#, "obfuscated"),
            (.eppo, #"{"flags": {"f": {}}}"#, "variationType"), (.eppo, "{}", "flags"),
            (.eppo, #"{"flags": {"0cc175b9c0f1b6a831c399e269772661": {}}}"#, "obfuscated"),
            (.unleash, #"{"version": 9, "features": []}"#, "versions 0 to 2"),
            (.unleash, #"{"features": []}"#, "version"),
            (.optimizely, #"{"version": "5"}"#, "unknown version"), (.flagd, "[]", "an object"),
            (.launchdarkly, #"{"flags": []}"#, "expected an object"), (.statsig, #"{"feature_gates": 5}"#, "an object"),
            (.firebase, #"{"parameters": {}, "conditions": {}}"#, "expected a list"),
            (.launchdarkly, #"{"items": []}"#, "$: this is not a payload of LaunchDarkly"),
            (.statsig, #"{"flags": {}}"#, "$: these are not Statsig's config specs"),
        ])
    func unreadable(system: ImportSystem, text: String, reason: String) throws {
        let problems = try ImportCase.problems(system, text)
        #expect(problems.contains { $0.contains(reason) }, "\(problems)")
    }
}
