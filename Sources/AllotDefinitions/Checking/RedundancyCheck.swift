import AllotConfiguration
import AllotCore

/// Finds tests of audiences that decide nothing: each unit that passes the other tests passes them.
struct RedundancyCheck {
    let experiments: [ExperimentFile]

    /// Audiences with more tests of one attribute are not looked through.
    private static let limit = 16

    func problems() -> [DefinitionProblem] {
        experiments.filter(\.isComparable).flatMap { problems(of: $0) }
    }

    private func problems(of experiment: ExperimentFile) -> [DefinitionProblem] {
        var tests: [UTF8Key: [Condition.Test]] = [:]
        for test in experiment.definition.audience.requiredTests {
            if let attribute = test.attribute { tests[UTF8Key(attribute), default: []].append(test) }
        }
        return tests.sorted { $0.key < $1.key }.flatMap { _, tests in
            guard (2...Self.limit).contains(tests.count) else { return [DefinitionProblem]() }
            return Self.redundant(tests).map { test in
                experiment.problem(
                    .warning, at: experiment.places.audience, atKey: true,
                    "the audience tests in vain whether \(QuotedText(test.attribute ?? "")) "
                        + "\(test.words): each unit that passes its other tests does; remove that test")
            }
        }
    }

    /// The tests that follow from the others; none if no value passes all. One of two equal ones stays.
    private static func redundant(_ tests: [Condition.Test]) -> [Condition.Test] {
        // Any attribute may be a list, so that what is reported is true of all units.
        var space = UnitSpace()
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
    /// The tests that each unit has to pass, without those of segments, which other audiences use as well.
    fileprivate var requiredTests: [Test] {
        switch self {
        case .all(let parts): parts.flatMap(\.requiredTests)
        case .test(let test): [test]
        case .any, .not, .segment: []
        }
    }
}
