import AllotConfiguration
import AllotCore

/// Finds tests of audiences that decide nothing, because each unit that passes the other tests passes them, and
/// conditions of an `$or` that no unit meets.
struct RedundancyCheck {
    let experiments: [ExperimentFile]

    /// Audiences with more tests of one attribute are not looked through.
    private static let limit = 16

    func problems() -> [DefinitionProblem] {
        // Any attribute may be a list, so that what is reported is true of all units. Many audiences test for the same
        // long lists, which one space prepares once.
        var space = UnitSpace()
        return experiments.filter(\.isComparable).flatMap { experiment -> [DefinitionProblem] in
            let audience = experiment.definition.audience
            return (redundancies(audience, &space) + impossibilities(audience, &space)).map {
                experiment.problem(.warning, at: experiment.places.audience, atKey: true, $0)
            }
        }
    }

    private func redundancies(_ audience: Condition, _ space: inout UnitSpace) -> [String] {
        var tests: [UTF8Key: [Condition.Test]] = [:]
        for test in audience.requiredTests {
            if let attribute = test.attribute { tests[UTF8Key(attribute), default: []].append(test) }
        }
        return tests.sorted { $0.key < $1.key }.flatMap { _, tests -> [String] in
            guard (2...Self.limit).contains(tests.count) else { return [] }
            return Self.redundant(tests, &space).map { test in
                "the audience tests in vain whether \(QuotedText(test.attribute ?? "")) "
                    + "\(test.words): each unit that passes its other tests does; remove that test"
            }
        }
    }

    private func impossibilities(_ audience: Condition, _ space: inout UnitSpace) -> [String] {
        let required = audience.requiredTests
        // Tests can exclude each other only where they are of one attribute.
        let alternatives = audience.alternatives.filter { alternative in
            let names = (alternative.tests + required).compactMap(\.attribute).map(UTF8Key.init)
            return Set(names).count < names.count && !alternative.testsForNothing
        }
        guard (1...Self.limit).contains(alternatives.count) else { return [] }
        // The warning that no unit is in the whole audience says more.
        guard !UnitSet(audience, in: &space).isProvablyEmpty(in: &space) else { return [] }
        let others = UnitSet(.all(required.map(Condition.test)), in: &space)
        return alternatives.filter { alternative in
            let units = UnitSet(alternative, in: &space).intersection(others, in: &space)
            return units.isProvablyEmpty(in: &space)
        }.map { alternative in
            let tests = alternative.tests.map { "\(QuotedText($0.attribute ?? "")) \($0.words)" }
            return "no unit that passes the audience's other tests meets the condition of $or with the tests "
                + "\(tests.listed(atMost: Self.limit)); correct or remove it"
        }
    }

    /// The tests that follow from the others; none if no value passes all. One of two equal ones stays.
    private static func redundant(_ tests: [Condition.Test], _ space: inout UnitSpace) -> [Condition.Test] {
        func units(_ tests: [Condition.Test]) -> UnitSet {
            UnitSet(.all(tests.map(Condition.test)), in: &space)
        }
        guard !units(tests).isProvablyEmpty(in: &space) else { return [] }
        var (left, found): ([Condition.Test], [Condition.Test]) = (tests, [])
        for index in tests.indices.reversed() {
            // That an attribute is present can be written for clarity.
            if case .exists = tests[index].predicate { continue }
            let test = left.remove(at: index)
            if !left.isEmpty, units(left).isProvablySubset(of: units([test]), in: &space) {
                found.append(test)
            } else {
                left.insert(test, at: index)
            }
        }
        return found.reversed()
    }
}

extension Condition {
    /// The conditions of which one has to hold, without those of segments.
    fileprivate var alternatives: [Condition] {
        switch self {
        case .all(let parts): parts.flatMap(\.alternatives)
        case .any(let parts): parts
        case .not, .test, .segment: []
        }
    }

    /// The tests that each unit has to pass, without those of segments, which other audiences use as well.
    fileprivate var requiredTests: [Test] {
        switch self {
        case .all(let parts): parts.flatMap(\.requiredTests)
        case .test(let test): [test]
        case .any, .not, .segment: []
        }
    }
}
