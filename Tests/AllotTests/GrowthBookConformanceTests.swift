import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

/// GrowthBook's own cases of its condition language.
struct GrowthBookConformanceTests {
    /// Where Allot differs on purpose, all towards strictness.
    private enum Difference {
        /// The condition is refused when it is loaded.
        case refused(String)
        /// The answer is another.
        case answers(Bool, String)
    }

    private static let differences: [String: Difference] = [
        "$nin - not array": .refused("a list is wanted: one value is a slip, which GrowthBook answers with false"),
        "$ini - not array": .refused("a list is wanted: one value is a slip, which GrowthBook answers with false"),
        "$regex invalid - pass": .refused("a pattern that cannot be compiled would silently match no unit"),
        "$inGroup fails for unknown group id": .refused("an unknown group would silently match no unit"),
        "version a.b.c.d.e.f > 1.2.3": .answers(false, "text that is not a version satisfies no version comparison"),
        "version 1-2-3 == 1.2.3": .answers(false, "by Semantic Versioning 1-2-3 is 1.0.0 with the pre-release 2-3"),
        "version 1-2-3 == v1.2.3": .answers(false, "by Semantic Versioning 1-2-3 is 1.0.0 with the pre-release 2-3"),
    ]

    @Test("Every case of GrowthBook has its expected answer, or a listed difference")
    func allCases() throws {
        let cases = try Conformance.cases("growthbook/conditions.json")
        #expect(cases.count > 100)
        var differing: Set<String> = []
        for entry in cases {
            let name = try #require(entry.text("name"))
            let condition = try #require(entry["condition"])
            guard case .object(let attributes) = entry["attributes"], case .boolean(let expected) = entry["expected"]
            else {
                Issue.record("\(name) has no attributes or no expected answer")
                continue
            }
            var segments = SegmentTable()
            if case .object(let groups) = entry["groups"] {
                for group in groups.members {
                    segments.groups[UTF8Key(group.key)] = LiteralList(groups.array(group.key))
                }
            }
            switch Self.differences[name] {
            case .refused:
                differing.insert(name)
                #expect(throws: ConditionHarness.InvalidCondition.self, "\(name)") {
                    try ConditionHarness(condition, segments: segments)
                }
            case .answers(let answer, _):
                differing.insert(name)
                #expect(answer != expected)
                #expect(try ConditionHarness(condition, segments: segments).holds(attributes) == answer, "\(name)")
            case nil:
                #expect(try ConditionHarness(condition, segments: segments).holds(attributes) == expected, "\(name)")
            }
        }
        #expect(differing == Set(Self.differences.keys))
    }
}
