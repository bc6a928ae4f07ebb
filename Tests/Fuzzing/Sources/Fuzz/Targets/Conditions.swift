import AllotConfiguration

@testable import AllotCore

/// Three lines of JSON: two conditions, and the attributes of a subject.
///
/// A condition and its negation disagree on every subject, an explanation agrees with the decision, and no subject
/// without lists is in two audiences that are proved disjoint.
func fuzzConditions(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        .map { try? JSONValue(parsing: Array($0)) }
    let segments = SegmentTable()
    let conditions = lines.prefix(2).compactMap { value -> (text: JSONValue, condition: Condition)? in
        guard let value = value ?? nil else { return nil }
        let (condition, problems) = ConditionParser.parse(value, segments: segments)
        check(condition != nil || !problems.isEmpty, "refused without a problem")
        return condition.map { (value, $0) }
    }
    guard !conditions.isEmpty else { return }
    var attributes = JSONObject()
    if lines.count > 2, case .object(let object)? = lines[2] { attributes = object }
    let subject = Subject(id: "user-1", attributes: attributes)
    var answers: [Bool] = []
    for (value, condition) in conditions {
        let answer = matches(condition, subject)
        answers.append(answer)
        guard let negated = ConditionParser.parse(["$not": value], segments: segments).condition else { continue }
        check(matches(negated, subject) != answer, "a condition and its negation agree")
    }
    guard answers.count == 2 else { return }
    var space = UnitSpace(listsIn: conditions.map(\.condition))
    let sets = conditions.map { UnitSet($0.condition, in: &space) }
    let isDisjoint = sets[0].isProvablyDisjoint(from: sets[1], in: &space)
    check(isDisjoint == sets[1].isProvablyDisjoint(from: sets[0], in: &space), "a proof depends on the order")
    if isDisjoint, !hasList(.object(attributes)) { check(!(answers[0] && answers[1]), "the proof is wrong") }
}

private func hasList(_ value: JSONValue) -> Bool {
    switch value {
    case .array: true
    case .object(let object): object.members.contains { hasList($0.value) }
    default: false
    }
}

/// Whether a condition admits a subject, by its decision and by its explanation.
private func matches(_ condition: Condition, _ subject: Subject) -> Bool {
    guard let salt = Salt("e") else { return false }
    var experiment = ExperimentDefinition(
        key: "e", status: .running, salt: salt,
        variants: [VariantDefinition(key: "a", buckets: [0..<1_000_000], overrides: [:])])
    experiment.audience = condition
    let plan = Plan(
        Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: [experiment]))
    let assignment = plan.assignments(for: subject, at: instant)[0]
    let explained = plan.explanation(for: subject, at: instant).json.canonicalText
    check(explained.contains("\"reason\":\"\(assignment.reason.text)\""), "the explanation has another reason")
    return assignment.variant != nil
}
