import AllotConfiguration
import AllotCore
import AllotDefinitions

struct TestRunner {
    let plan: Plan
    /// The folder of the definitions, for commands that show an example.
    private let folder: String?
    /// Whether failures are explained, with an example, which takes time and is of no use for mutants.
    let explains: Bool
    /// The parts that cases reach; `nil` if coverage was not requested.
    var coverage: Coverage?
    private var evaluator: Evaluator
    private(set) var spaces: [[Int]: AudienceSpace] = [:]

    init(_ plan: Plan, folder: String? = nil, explains: Bool = true, coverage: Coverage? = nil) {
        (self.plan, self.folder, self.explains, self.coverage) = (plan, folder, explains, coverage)
        evaluator = Evaluator(plan: plan, at: Instant(seconds: 0))
    }

    mutating func run(_ testCase: TestCase) -> CaseResult {
        var result = CaseResult(testCase: testCase)
        for variation in testCase.variations {
            switch testCase.scope {
            case .unit:
                let experiments = testCase.claims.flatMap { Statement.experiments(of: $0, in: plan) }
                var faults = Faults(plan, deciding: experiments)
                for instant in variation.moments.instants(plan, deciding: experiments) {
                    faults.begin(instant)
                    check(testCase, variation, instant, &faults, &result)
                }
            case .everyUnit(let units):
                for claim in testCase.claims { prove(claim, units, variation, &result) }
            }
            if !explains, result.verdict == .failed { return result }
        }
        return result
    }

    /// The faults since the last boundary. The windows between two boundaries often have the same one, and it is
    /// reported for the first of them.
    private struct Faults {
        private let boundaries: Set<Instant>
        private var found: Set<Fault> = []

        private struct Fault: Hashable {
            let claim: SourcePosition
            let message: String
            let verdict: CaseResult.Verdict
        }

        init(_ plan: Plan, deciding experiments: [Int]) {
            boundaries = Set(plan.order(of: experiments).flatMap { plan.experiments[$0].boundaries })
        }

        mutating func begin(_ instant: Instant) { if boundaries.contains(instant) { found = [] } }

        func hasFailed(_ claim: Claim, _ message: String) -> Bool {
            found.contains(Fault(claim: claim.place.position, message: message, verdict: .failed))
        }

        /// Notes a fault, and returns whether it is new.
        mutating func note(_ claim: Claim, _ message: String, _ verdict: CaseResult.Verdict) -> Bool {
            found.insert(Fault(claim: claim.place.position, message: message, verdict: verdict)).inserted
        }
    }

    private static func circumstances(_ variation: TestCase.Variation, _ instant: Instant) -> String {
        guard case .during = variation.moments else { return variation.label }
        return variation.label.isEmpty ? "at=\(instant)" : "\(variation.label) at=\(instant)"
    }

    // MARK: One unit

    private mutating func check(
        _ testCase: TestCase, _ variation: TestCase.Variation, _ instant: Instant, _ faults: inout Faults,
        _ result: inout CaseResult
    ) {
        let subject = Subject(attributes: variation.attributes)
        evaluator.evaluate(PreparedSubject(subject, for: plan), at: instant)
        let decisions = evaluator.decisions
        for claim in testCase.claims {
            result.checks += 1
            note(claim, decisions, subject, instant)
            guard let message = Self.violation(of: claim, decisions, plan), faults.note(claim, message, .failed) else {
                continue
            }
            let details = explains ? explanation(claim, subject, instant) : nil
            result.add(.failed, claim, Self.circumstances(variation, instant), message, details)
        }
    }

    /// The fault of the decisions of one unit. Returns `nil` if the claim holds.
    private static func violation(of claim: Claim, _ decisions: [Decision], _ plan: Plan) -> String? {
        func text(_ index: Int) -> String { decisions[index].text(plan.experiments[index]) }
        switch claim.content {
        case .decision(let index, let acceptance):
            return acceptance.accepts(decisions[index]) ? nil : "\(text(index)), expected \(acceptance.words)"
        case .exclusive(let indices):
            let assigned = indices.filter { decisions[$0].variant != nil }
            return assigned.count < 2 ? nil : "\(assigned.map(text).joined(separator: " and ")) for one unit"
        case .setting(let section, let name, let expected):
            var value = plan.baseValue(section, name)
            for (experiment, decision) in zip(plan.experiments, decisions) {
                let override = decision.variant.flatMap { experiment.variants[$0].override(section, name) }
                if let override { value = value.merging(override) }
            }
            return value.isEquivalent(to: expected) ? nil : Statement.settingMessage(section, name, value, expected)
        // Reading a case refuses shares of one unit.
        case .share: return nil
        }
    }

    private func explanation(_ claim: Claim, _ subject: Subject, _ instant: Instant) -> String? {
        let keys = Statement.experiments(of: claim, in: plan).map { plan.experiments[$0].key }
        let sentences = plan.explanation(for: subject, at: instant, experiments: keys).experiments.map(\.sentence)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    private mutating func note(_ claim: Claim, _ decisions: [Decision], _ subject: Subject, _ instant: Instant) {
        guard coverage != nil, !claim.isTrivial(in: plan) else { return }
        let experiments = Statement.experiments(of: claim, in: plan)
        coverage?.note(instant, of: experiments)
        for index in experiments {
            let outcome = decisions[index]
            coverage?.note(outcome, of: index)
            // Reasons are in the order of the checks: those before this one leave the audience open.
            guard Reason.allCases.drop(while: { $0 != .audience }).contains(outcome.reason) else { continue }
            let space = space([index])
            let results = space.results(subject)
            coverage?.note(space, [index], canHold: results, canFail: results.map(!))
        }
    }

    // MARK: Every unit

    private mutating func space(_ experiments: [Int]) -> AudienceSpace {
        if let space = spaces[experiments] { return space }
        let space = AudienceSpace(plan, experiments: experiments)
        spaces[experiments] = space
        return space
    }

    private mutating func prove(
        _ claim: Claim, _ units: TestCase.UnitSet, _ variation: TestCase.Variation, _ result: inout CaseResult
    ) {
        let experiments = Statement.experiments(of: claim, in: plan)
        var space = space(experiments)
        var faults = Faults(plan, deciding: experiments)
        for instant in variation.moments.instants(plan, deciding: experiments) {
            faults.begin(instant)
            result.checks += 1
            let statement = Statement(claim: claim, instant: instant, known: variation.attributes, units: units)
            coverage?.note(instant, of: experiments)
            let outcome = statement.result(in: &space, &coverage)
            let circumstances = Self.circumstances(variation, instant)
            switch outcome {
            case .proved: break
            case .unproved(let message):
                if faults.note(claim, message, .unproved) { result.add(.unproved, claim, circumstances, message, nil) }
            case .refuted(let violation):
                // An example is not looked for again.
                if faults.hasFailed(claim, violation.message) { continue }
                var example: Counterexample?
                if explains || violation.scenario.restrictsUnits || violation.isOpen {
                    example = Counterexample(statement, violation, plan, folder: folder) { decisions in
                        Self.violation(of: claim, decisions, plan) != nil
                    }
                }
                let verdict = example?.isCertain ?? true ? CaseResult.Verdict.failed : .unproved
                if faults.note(claim, violation.message, verdict) {
                    result.add(verdict, claim, circumstances, violation.message, example?.text)
                }
            }
        }
        spaces[experiments] = space
    }
}
