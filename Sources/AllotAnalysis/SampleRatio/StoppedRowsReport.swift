import AllotBatch
import AllotConfiguration
import AllotCore

/// The reasons for which a batch assigned no unit a variant of an experiment: which check stopped how many rows, and
/// which values of the first rows are nearest to what it requires.
struct StoppedRowsReport {
    private let plan: Plan
    private let counts: AssignmentCounts
    private let explanations: [Explanation]

    /// The most explanations that are made, each of one experiment and one row.
    private static let effort = 100_000
    private static let rowLimit = 1000
    private static let testLimit = 3

    init(_ summary: BatchSummary, of batch: BatchAssignment) {
        plan = batch.plan
        counts = summary.counts
        let rows = min(Self.rowLimit, max(1, Self.effort / max(plan.experiments.count, 1)))
        explanations = summary.sample.subjects(atMost: rows, of: batch.plan).map { row in
            batch.plan.explanation(for: row.subject, at: row.instant ?? batch.instant)
        }
    }

    /// A line for each check that stopped rows, the one that stopped most first.
    func lines(_ index: Int) -> [String] {
        let stopped = Reason.allCases.map { (reason: $0, count: counts.count(experiment: index, reason: $0)) }
            .filter { $0.count > 0 }.sorted { $0.count > $1.count }
        return stopped.map { reason, count in
            let rows = counted(count, "row")
            return "    \(Self.words(reason)) stopped \(rows)\(detail(reason, index).map { "; \($0)" } ?? "")"
        }
    }

    private static func words(_ reason: Reason) -> String {
        switch reason {
        case .noUnit: "a missing or invalid unit ID"
        case .paused, .draft: "the status"
        case .displaced: "another experiment that forces the unit"
        case .notStarted: "the start"
        case .ended: "the end"
        case .holdout: "a holdout"
        case .slot: "the slots of the layer"
        case .requirement: "the requirement"
        case .audience: "the audience"
        case .concluded: "the conclusion"
        case .traffic: "the traffic"
        case .unallocated: "buckets of no variant"
        case .forced, .winner, .everyone, .split: "nothing"
        }
    }

    /// The findings in the first rows; `nil` if there is nothing to tell.
    private func detail(_ reason: Reason, _ index: Int) -> String? {
        let key = plan.experiments[index].key
        let steps = explanations.compactMap { explanation -> [Explanation.Step]? in
            let experiment = explanation.experiments.first { UTF8Order.areEqual($0.assignment.experiment, key) }
            return experiment?.assignment.reason == reason ? experiment?.steps : nil
        }
        guard let last = steps.first?.last else { return nil }
        switch last {
        case .audience: return audience(index, steps)
        case .requirement(let experiment, let wanted, _, _):
            let assigned = steps.compactMap { steps -> String? in
                guard case .requirement(_, _, let assigned, _)? = steps.last else { return nil }
                return assigned ?? "no variant"
            }
            guard let most = Self.mostFrequent(assigned) else { return nil }
            return
                "\(experiment) has to assign \(wanted.isEmpty ? "no variant" : wanted.joined(separator: " or ")), and "
                + "assigns \(most.value) to \(most.count) of the first \(explanations.count)"
        case .holdout(let name, _, _, _, _, _): return "it is \(name)"
        case .schedule, .unit, .status, .forced, .displaced, .slot, .window, .traffic, .split: return nil
        }
    }

    // MARK: Audiences

    /// A test of an audience, and the values that rows have which the audience stopped; missing ones are empty.
    private typealias TestFindings = (text: String, attribute: String, passes: Int, values: [String])

    /// The tests that no row passes, or else the one that fewest rows pass.
    private func audience(_ index: Int, _ steps: [[Explanation.Step]]) -> String? {
        var findings: [String: TestFindings] = [:]
        var order: [String] = []
        for case .audience(_, let tests)? in steps.lazy.map(\.last) {
            for test in tests {
                guard let attribute = test.attribute, let holds = test.holds else { continue }
                let text = "\(attribute) \(test.text)"
                if findings[text] == nil { order.append(text) }
                var found = findings[text] ?? (text, attribute, 0, [])
                if holds { found.passes += 1 } else { found.values.append(test.seen ?? "") }
                findings[text] = found
            }
        }
        let failing = order.compactMap { findings[$0] }.filter { !$0.values.isEmpty }
        let never = failing.filter { $0.passes == 0 }
        let shown = never.isEmpty ? failing.min { $0.passes < $1.passes }.map { [$0] } ?? [] : never
        guard !shown.isEmpty else { return nil }
        let predicates = Dictionary(
            plan.definitions.experiments[index].audience.tests.map {
                ("\($0.attribute ?? "") \($0.words)", $0.predicate)
            }, uniquingKeysWith: { first, _ in first })
        return shown.prefix(Self.testLimit).map { found in
            guard
                let value = predicates[found.text].flatMap({ Self.nearest(found.values, to: $0) })
                    ?? Self.mostFrequent(found.values)
            else { return found.text }
            let seen = value.value.isEmpty ? "missing" : value.value.shortened(toBytes: 64)
            let test = PrintableText("\(found.text.shortened(toBytes: 100)), and \(found.attribute) is \(seen)")
            return "the test is that \(test) in \(value.count) of the first \(explanations.count)"
        }.joined(separator: "; ")
    }

    /// The value that is nearest to what a predicate requires, and how often it is there.
    private static func nearest(_ values: [String], to predicate: Condition.Predicate) -> (value: String, count: Int)? {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        let value: String? =
            switch predicate {
            case .equals(let literal): similar(to: [literal], among: counts.keys)
            case .isIn(let list, _): similar(to: list.literals, among: counts.keys)
            case .orderedNumber(let ordering, _):
                extreme(ordering, values) { Double(attributeText: Array($0.utf8).span) }
            case .instant(let ordering, _): extreme(ordering, values) { Instant($0) }
            case .orderedText(let ordering, _): extreme(ordering, values) { UTF8Key($0) }
            case .version(let ordering, _): extreme(ordering, values) { VersionBound($0) }
            default: nil
            }
        return value.flatMap { value in counts[value].map { (value, $0) } }
    }

    /// The value that differs least from the first literal for which there is one.
    private static func similar(to literals: [JSONValue], among values: some Sequence<String>) -> String? {
        for literal in literals.prefix(100) {
            guard case .string = literal,
                let near = NearestName.hint(for: literal.canonicalText, among: values)
            else { continue }
            return near
        }
        return nil
    }

    /// The value that an ordering would accept first, of those that it refused: the greatest where all are too small.
    /// Returns `nil` if most are missing, or none can be compared.
    private static func extreme<Key: Comparable>(
        _ ordering: Condition.Ordering, _ values: [String], _ key: (String) -> Key?
    ) -> String? {
        let given = Set(values.filter { !$0.isEmpty })
        guard values.count(where: \.isEmpty) * 2 <= values.count else { return nil }
        let keys = given.sorted(by: UTF8Order.precedes).compactMap { value -> (value: String, key: Key)? in
            guard case .string(let text)? = try? JSONValue(parsing: Array(value.utf8)) else {
                return key(value).map { (value, $0) }
            }
            return key(text).map { (value, $0) }
        }
        return switch ordering {
        case .equal: nil
        case .less, .lessOrEqual: keys.min { $0.key < $1.key }?.value
        case .greater, .greaterOrEqual: keys.max { $0.key < $1.key }?.value
        }
    }

    private static func mostFrequent(_ values: [String]) -> (value: String, count: Int)? {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { (value: $0.key, count: $0.value) }
    }
}
