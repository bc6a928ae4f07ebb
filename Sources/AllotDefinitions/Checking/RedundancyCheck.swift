import AllotConfiguration
import AllotCore

/// Finds tests of audiences that decide nothing, because each unit that passes the other tests passes them, and
/// conditions of `$or` and `$not`, at any depth, that each unit or no unit meets for which they count.
struct RedundancyCheck {
    let experiments: [ExperimentFile]

    /// Audiences with more tests of one attribute are not looked through.
    private static let limit = 16
    /// The number of audiences that share a space, which remembers all of their tests.
    private static let batch = 4096

    func problems() -> [DefinitionProblem] {
        // Any attribute may be a list, so that what is reported is true of all units. Many audiences test for the same
        // long lists, which one space prepares once.
        var space = UnitSpace()
        return experiments.filter(\.isComparable).enumerated().flatMap { index, experiment -> [DefinitionProblem] in
            if index % Self.batch == 0 { space = UnitSpace() }
            return idleParts(of: experiment.definition.audience, after: [], &space).map {
                experiment.problem(.warning, at: experiment.places.audience, atKey: true, $0)
            }
        }
    }

    /// The messages about the parts of a condition that decide nothing, after the tests around it that each unit has
    /// passed.
    private func idleParts(
        of condition: Condition, after passed: [Condition.Test], _ space: inout UnitSpace
    ) -> [String] {
        let conjuncts = condition.conjuncts
        let tests = conjuncts.compactMap { part -> Condition.Test? in
            if case .test(let test) = part { test } else { nil }
        }
        let all = passed + tests
        let redundancies = redundancies(tests, after: passed, &space)
        // Tests decide about each other only where they are of one attribute.
        let connectives = conjuncts.compactMap(\.connective).map { name, parts in
            (name: name, parts: parts.filter { $0.testsOneAttributeTwice(with: all) && !$0.testsForNothing })
        }.filter { (1...Self.limit).contains($0.parts.count) }
        // The warning that no unit is in the whole audience says more.
        guard !connectives.isEmpty, !UnitSet(condition, in: &space).isProvablyEmpty(in: &space) else {
            return redundancies
        }
        let others = UnitSet(.all(all.map(Condition.test)), in: &space)
        return redundancies
            + connectives.flatMap { name, parts -> [String] in
                parts.flatMap { part -> [String] in
                    let units = UnitSet(part, in: &space)
                    let tests = part.tests.map { "\(QuotedText($0.attribute ?? "")) \($0.words)" }
                    let meets =
                        "unit \(all.isEmpty ? "" : "that passes the audience's other tests ")meets the condition of "
                        + "\(name) with the tests \(tests.listed(atMost: Self.limit))"
                    if units.intersection(others, in: &space).isProvablyEmpty(in: &space) {
                        return ["no \(meets); correct or remove it"]
                    }
                    // A `$not` of what each unit meets leaves none.
                    if name == "$or", !all.isEmpty, others.isProvablySubset(of: units, in: &space) {
                        return ["each \(meets), so \(name) decides nothing; correct that condition or remove \(name)"]
                    }
                    return idleParts(of: part, after: all, &space)
                }
            }
    }

    private func redundancies(
        _ tests: [Condition.Test], after passed: [Condition.Test], _ space: inout UnitSpace
    ) -> [String] {
        func byAttribute(_ tests: [Condition.Test]) -> [UTF8Key: [Condition.Test]] {
            Dictionary(grouping: tests.filter { $0.attribute != nil }) { UTF8Key($0.attribute ?? "") }
        }
        let around = byAttribute(passed)
        return byAttribute(tests).sorted { $0.key < $1.key }.flatMap { attribute, tests -> [String] in
            let passed = around[attribute] ?? []
            guard (2...Self.limit).contains(tests.count + passed.count) else { return [] }
            return Self.redundant(tests, after: passed, &space).map { test in
                "the audience tests in vain whether \(QuotedText(attribute.text)) "
                    + "\(test.words): each unit that passes its other tests does; remove that test"
            }
        }
    }

    /// The tests that follow from the others; none if no value passes all. One of two equal ones stays.
    private static func redundant(_ tests: [Condition.Test], after passed: [Condition.Test], _ space: inout UnitSpace)
        -> [Condition.Test]
    {
        func units(_ tests: [Condition.Test]) -> UnitSet { UnitSet(.all(tests.map(Condition.test)), in: &space) }
        guard !units(passed + tests).isProvablyEmpty(in: &space) else { return [] }
        var (left, found): ([Condition.Test], [Condition.Test]) = (tests, [])
        for index in tests.indices.reversed() {
            // That an attribute is present can be written for clarity.
            if case .exists = tests[index].predicate { continue }
            let test = left.remove(at: index)
            let others = passed + left
            if !others.isEmpty, units(others).isProvablySubset(of: units([test]), in: &space) {
                found.append(test)
            } else {
                left.insert(test, at: index)
            }
        }
        return found.reversed()
    }
}

extension Condition {
    /// The conditions that each unit has to meet, without those of segments, which other audiences use as well.
    fileprivate var conjuncts: [Condition] {
        if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
    }

    /// The operator `$or` or `$not` with its conditions; `nil` for anything else.
    fileprivate var connective: (name: String, parts: [Condition])? {
        switch self {
        case .any(let parts): ("$or", parts)
        case .not(let part): ("$not", [part])
        case .all, .test, .segment: nil
        }
    }

    fileprivate func testsOneAttributeTwice(with others: [Test]) -> Bool {
        let names = (tests + others).compactMap(\.attribute).map(UTF8Key.init)
        return Set(names).count < names.count
    }
}
