import AllotConfiguration
import AllotCore
import TestSupport

/// Random plans whose audiences and forced units are those that ``HostileUsers`` meet.
enum RandomPlan {
    /// Within the schedules and the steps of traffic.
    static let instant = Instant(seconds: 12)

    /// A plan that uses every feature.
    ///
    /// - Parameter schemes: The hashes of other systems that some parts have.
    static func make(seed: Int, schemes: [HashScheme] = []) -> Plan {
        var random = SeededGenerator(seed: seed)
        let definitions = RandomDefinitions.make(&random, ids: HostileUsers.frequentUnits) { random in
            let condition = RandomCondition().condition(depth: random.number(0...3), &random)
            return ConditionParser.parse(.object(condition), segments: SegmentTable()).condition ?? .everyone
        }
        return Plan(schemes.isEmpty ? definitions : definitions.withOtherSystems(&random, schemes))
    }

    /// A plan that is about conditions alone: each experiment has everyone for whom one test or condition holds.
    static func ofConditions(seed: Int, count: Int) throws -> Plan {
        var random = SeededGenerator(seed: seed)
        var conditions = RandomCondition()
        var segments = JSONObject()
        for name in ["group-a", "Group.B"] {
            guard case .array(let values) = conditions.list(for: random.pick(HostileUsers.columns), &random) else {
                continue
            }
            segments[name] = .array(values.filter { $0 != .null } + ["DE", "free", 17])
            conditions.groups.append(name)
        }
        // Each may refer to those before it.
        for name in ["s1", "S-2", "s.3"] {
            segments[name] = .object(conditions.condition(depth: 2, &random))
            conditions.segments.append(name)
        }
        var experiments: [String: JSONObject] = [:]
        for number in 0..<count {
            let audience =
                number % 4 == 0 ? conditions.condition(depth: 3, &random) : conditions.singleTest(&random)
            experiments["test-\(number)"] = ["audience": .object(audience), "variants": [["key": "yes"]]]
        }
        return try TestDefinitions.plan(experiments, segments: segments)
    }
}
