import AllotConfiguration
import AllotCore
import AllotReports

/// The report of `allot show --who`: which units can be in an experiment, in words and exact shares, at an instant and
/// from each later one at which any of that changes.
package struct EnrolmentReport: Sendable {
    private let spans: [EnrolmentSpan]
    private let forcedCount: Int

    package init?(_ key: String, of plan: Plan, at instant: Instant) {
        guard let index = plan.index(of: key) else { return nil }
        let definitions = DefinitionsIndex(plan.definitions)
        let experiment = plan.definitions.experiments[index]
        let boundaries = plan.order(of: [index]).flatMap { plan.definitions.experiments[$0].boundaries }
        // Whole seconds, which people can read.
        let start = Instant(seconds: instant.seconds)
        var evaluator = Evaluator(plan: plan, at: start)
        var spans: [EnrolmentSpan] = []
        for moment in [start] + Set(boundaries).filter({ $0 > start }).sorted() {
            let next = EnrolmentSpan(index, in: definitions, &evaluator, from: moment)
            if let last = spans.last, last.says(next), last.holdsExample(of: index, &evaluator, at: moment) { continue }
            spans.append(next)
        }
        self.spans = spans
        forcedCount = experiment.forcesUnits ? experiment.forced.count : 0
    }

    package var blocks: [Report.Block] {
        let forced = forcedCount > 0 ? ["forced units (\(forcedCount))"] : []
        let enrolling = spans.filter(\.hasUnits).map(\.heading)
        guard !enrolling.isEmpty else {
            let reason = spans.lazy.compactMap(\.obstacle).first.map { ", as \($0)" } ?? ""
            return [Self.section("who can be in:", forced + ["no \(forced.isEmpty ? "" : "other ")unit\(reason)"])]
        }
        var heading: [String] = []
        return spans.flatMap { span -> [Report.Block] in
            // Where no unit is in, conditions decide nothing.
            let next = span.hasUnits ? span.heading : heading.isEmpty ? enrolling[0] : heading
            let window = span.window.map { " in window \($0)" } ?? ""
            let example = span.example?.attributeWords.map { ["for example\(window), a unit with \($0)"] }
            let shares = Self.section("of these, from \(span.from): \(span.words)", example ?? [])
            guard next != heading else { return [shares] }
            heading = next
            let from = Set(enrolling).count == 1 ? "" : ", from \(span.from)"
            return [Self.section("who can be in\(from):", next + forced), shares]
        }
    }

    private static func section(_ name: String, _ lines: [String]) -> Report.Block {
        .section(Report.Section(Report.Cell(name), [.code(lines)]))
    }

    package var json: JSONValue { ["shares": .array(spans.map(\.json))] }
}

/// From an instant on, the units that can be in an experiment. Forced units are left aside.
private struct EnrolmentSpan: Sendable {
    let from: Instant
    private let conditions: [Condition.Line]
    /// The experiments of which units must have no variant, where ranges of buckets do not show who has one: the shares
    /// are then the largest ones.
    private let leftOut: [String]
    private let variants: [(variant: String, share: ExactShare)]
    /// Whether shares say nothing, because conditions choose units by the IDs that are randomised.
    private let isOpen: Bool
    /// The proof, in words, that conditions leave no unit; `nil` if there is none.
    let obstacle: String?
    /// A unit that the engine gives a variant; `nil` if none is known.
    let example: Subject?
    /// The window of the example; `nil` without a period.
    let window: Int64?

    init(_ index: Int, in definitions: DefinitionsIndex, _ evaluator: inout Evaluator, from moment: Instant) {
        let plan = evaluator.plan
        let experiment = plan.definitions.experiments[index]
        let regions = AssignmentRegions(experiment, in: definitions, at: moment)
        let obstacle = Self.obstacle(index, regions, plan, definitions, at: moment)
        let shares = obstacle == nil ? regions.shares : regions.shares.map { _ in ExactShare.none }
        let parts = regions.conditions.filter { !$0.lines.isEmpty }
        from = moment
        window = plan.experiments[index].window(at: moment)?.number
        conditions = (parts.count == 1 ? parts[0] : Condition.all(parts)).lines
        leftOut = obstacle == nil ? regions.exclusions.keys.sorted().map(\.text) : []
        variants = zip(regions.variants, shares).map { (variant: $0, share: $1) }
        let units = Set((regions.enrolled?.boxes ?? []).flatMap { $0.sets.keys.map(\.unit) })
        isOpen = !shares.allSatisfy { $0.isNone || $0 == .all } && parts.contains { $0.choosesUnits(by: units) }
        self.obstacle = obstacle
        var subject = obstacle == nil ? regions.example(leftOutBy: .empty([])) : nil
        if let unit = experiment.unit { subject?.addUnitIDs(of: unit) }
        example = subject.flatMap { Self.isIn($0, index, &evaluator, at: moment) ? $0 : nil }
    }

    /// The proof that no unit meets all conditions, or that each one which does has a variant of an experiment that
    /// must not give it one.
    private static func obstacle(
        _ index: Int, _ regions: AssignmentRegions, _ plan: Plan, _ definitions: DefinitionsIndex, at moment: Instant
    ) -> String? {
        let experiments = plan.definitions.experiments
        let unit = experiments[index].unit
        guard regions.enrolled != nil else { return nil }
        // A unit that a required experiment forces need not meet the conditions of that one.
        let isForced = plan.order(of: [index]).contains { $0 != index && experiments[$0].forcesAnyUnit }
        let conditions = isForced ? [experiments[index].audience] : regions.conditions
        var space = UnitSpace()
        let haveUnit = (unit.map(CompositeUnit.parts) ?? []).map {
            Condition.test(Condition.Test(attribute: $0, predicate: .exists, isNegated: false, words: ""))
        }
        let units = UnitSet(.all(conditions + haveUnit), in: &space)
        if units.isProvablyEmpty(in: &space) { return "no unit meets the conditions" }
        for key in regions.exclusions.keys.sorted() {
            guard let other = plan.index(of: key.text), experiments[other].requirements.isEmpty,
                plan.rivals(of: other).isEmpty,
                experiments[other].unit == nil || experiments[other].unit.map(UTF8Key.init) == unit.map(UTF8Key.init)
            else { continue }
            let others = AssignmentRegions(experiments[other], in: definitions, at: moment)
            guard let enrolled = others.enrolled, enrolled.share == .all else { continue }
            let admitted = UnitSet(.all(others.conditions), in: &space)
            if units.isProvablySubset(of: admitted, in: &space) {
                return "each unit that meets the conditions has a variant of \(key.text)"
            }
        }
        return nil
    }

    /// Whether another span has the same conditions and shares.
    func says(_ other: EnrolmentSpan) -> Bool {
        conditions == other.conditions && leftOut == other.leftOut && isOpen == other.isOpen
            && variants.map(\.share) == other.variants.map(\.share) && obstacle == other.obstacle
    }

    /// Whether the engine gives the example, if there is one, a variant at a later instant too. That of a window is not
    /// said of others.
    func holdsExample(of index: Int, _ evaluator: inout Evaluator, at moment: Instant) -> Bool {
        window != nil ? true : example.map { Self.isIn($0, index, &evaluator, at: moment) } ?? true
    }

    private static func isIn(
        _ subject: Subject, _ index: Int, _ evaluator: inout Evaluator, at moment: Instant
    ) -> Bool { evaluator.decide(index, for: PreparedSubject(subject, for: evaluator.plan), at: moment).variant != nil }

    private var none: ExactShare { variants.reduce(ExactShare.all) { $0 - $1.share } }
    var hasUnits: Bool { none != .all }

    var heading: [String] {
        conditions.isEmpty ? ["everyone"] : conditions.map { String(repeating: "    ", count: $0.depth) + $0.text }
    }

    var words: String {
        if let obstacle { return "no unit, as \(obstacle)" }
        if isOpen { return "shares that are not known, as the conditions test IDs of units" }
        let parts = variants.filter { !$0.share.isNone }.map { "\($0.share) \($0.variant)" }
        guard !hasUnits || leftOut.isEmpty else {
            return "at most \(parts.joined(separator: ", ")), as units with a variant of "
                + "\(leftOut.joined(separator: " or ")) are left out"
        }
        return (parts + (none.isNone ? [] : ["\(none) none"])).joined(separator: ", ")
    }

    var json: JSONValue {
        JSONValue(members: [
            "from": from.description,
            "conditions": conditions.map { String(repeating: "  ", count: $0.depth) + $0.text },
            "left_out": leftOut, "example": example?.attributeWords, "none": isOpen ? JSONValue.null : none.json,
            "variants": variants.objects { ["variant": $0.variant, "share": isOpen ? JSONValue.null : $0.share.json] },
        ])
    }
}

extension Condition {
    /// Whether it is decided by IDs in some attributes, other than that a few of them are left out, which are no share
    /// of all units.
    fileprivate func choosesUnits(by attributes: Set<UTF8Key>) -> Bool {
        switch self {
        case .all(let parts): return parts.contains { $0.choosesUnits(by: attributes) }
        case .segment(_, let part): return part.choosesUnits(by: attributes)
        case .test(let test):
            switch test.predicate {
            case .exists: return false
            case .equals, .isIn: if test.isNegated { return false }
            default: break
            }
        case .any, .not: break
        }
        return tests.contains { test in test.attribute.map { attributes.contains(UTF8Key($0)) } ?? false }
    }
}
