import AllotConfiguration
import AllotCore

struct ValueCondition {
    static let attribute = "value"

    private let plan: Plan

    init?(_ json: JSONValue) {
        guard let condition = ConditionParser.parse(json, segments: SegmentTable()).condition,
            let salt = Salt(Self.attribute)
        else { return nil }
        let variant = VariantDefinition(key: "met", buckets: [0..<Bucketing.bucketCount], overrides: [:])
        var experiment = ExperimentDefinition(key: "unit", status: .running, salt: salt, variants: [variant])
        experiment.audience = condition
        plan = Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: [experiment]))
    }

    func holds(for value: JSONValue) -> Bool {
        let subject = Subject(id: "unit", attributes: [Self.attribute: value])
        return plan.assignments(for: subject, at: Instant(seconds: 0)).first?.variant != nil
    }
}
