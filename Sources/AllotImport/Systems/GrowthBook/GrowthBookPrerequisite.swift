import Allot
import AllotConfiguration

/// Conditions on the values of other features.
struct GrowthBookPrerequisite {
    /// All features of the payload.
    let features: PayloadNode
    let condition: GrowthBookCondition

    /// The name by which a value is found among those that a feature serves.
    static func name(of value: JSONValue) -> String {
        value.canonicalText
    }

    /// Whether a prerequisite holds, and whether the feature ends where it does not. Returns `nil` for one without a
    /// condition.
    func holds(_ node: PayloadNode) throws(ImportProblem) -> (Guard, isGate: Bool)? {
        guard let id = node["id"], let test = node["condition"] else { return nil }
        let isGate = try node["gate"]?.boolean() ?? false
        let key = try id.text()
        let plan = try Self.plan(condition.condition(test), at: test)
        func isMet(_ value: JSONValue) -> Bool {
            let subject = Subject(id: "unit", attributes: ["value": value])
            return plan.assignments(for: subject, at: Instant(seconds: 0))[0].variant != nil
        }
        guard let parent = features[key] else {
            // A feature that does not exist is null.
            return (isMet(.null) ? .always : .never, isGate)
        }
        let served = Self.values(of: parent).filter(isMet).map(Self.name)
        return (.serves(flag: key, arms: Set(served), orDefault: false), isGate)
    }

    /// Every value that a feature may serve.
    private static func values(of feature: PayloadNode) -> [JSONValue] {
        var values = [feature.member("defaultValue")?.value ?? .null, .null]
        for rule in (try? feature["rules"]?.elements()) ?? [] {
            if let force = rule["force"] { values.append(force.value) }
            values += ((try? rule["variations"]?.elements()) ?? []).map(\.value)
        }
        return values
    }

    /// A plan with one experiment that everybody is in who satisfies a condition.
    private static func plan(_ json: JSONValue, at node: PayloadNode) throws(ImportProblem) -> Plan {
        guard let condition = ConditionParser.parse(json, segments: SegmentTable()).condition, let salt = Salt("unit")
        else { throw node.problem("the condition is not valid") }
        let variant = VariantDefinition(key: "met", buckets: [0..<Bucketing.bucketCount], overrides: [:])
        var experiment = ExperimentDefinition(key: "unit", status: .running, salt: salt, variants: [variant])
        experiment.audience = condition
        return Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: [experiment]))
    }
}
