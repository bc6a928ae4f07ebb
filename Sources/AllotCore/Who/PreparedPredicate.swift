import AllotConfiguration

/// A predicate that the engine itself answers for single values, prepared once for all proofs that use it.
final class PreparedPredicate: Sendable {
    let values: PassingValues
    /// The texts to which it restricts single values, numbered; `nil` if others pass.
    let choice: [(text: String, number: Int)]?
    /// The literals to which it restricts single values, and what texts among them read as, all of them numbered: no
    /// value passes two predicates without a common one. It is `nil` if other values pass.
    let keys: Set<Int>?
    let plainResults: [Bool]
    private let program: ConditionProgram

    /// - Parameter number: The number of a text, the same for equal ones.
    init(_ predicate: Condition.Predicate, number: (String) -> Int) {
        values = predicate.values
        var texts: [(text: String, number: Int)]?
        var keys: Set<Int>?
        if case .literals(ignoringCase: false, _) = values.form { (texts, keys) = ([], []) }
        for literal in keys == nil ? [] : values.literals {
            switch literal {
            case .string(let text):
                let own = number(text)
                texts?.append((text: text, number: own))
                keys?.insert(own)
                if let double = Double(attributeText: Array(text.utf8).span) { keys?.insert(number(Self.key(double))) }
                // Untyped text in any case reads as a boolean.
                if (4...5).contains(text.utf8.count), let flag = Bool(text.lowercased()) {
                    keys?.insert(number(Self.key(flag)))
                }
                continue
            case .number(let value): keys?.insert(number(Self.key(value.double)))
            case .boolean(let flag): keys?.insert(number(Self.key(flag)))
            case .null: keys?.insert(number("\0null"))
            case .array, .object: keys = nil
            }
            texts = nil
        }
        (choice, self.keys) = (texts, keys)
        var compiler = ConditionCompiler()
        var attributes = ProbedValue.plan.attributes
        let test = Condition.Test(attribute: ProbedValue.attribute, predicate: predicate, isNegated: false, words: "")
        _ = compiler.append(.test(test), attributes: &attributes)
        let program = ConditionProgram(compiler)
        self.program = program
        plainResults = ProbedValue.plain.map { Self.accepts($0, program) }
    }

    /// A number as text that is an unlikely literal; a literal with this text could only hide a proof.
    private static func key(_ double: Double) -> String { "\0\(double == 0 ? 0 : double)" }
    private static func key(_ flag: Bool) -> String { "\0\(flag)" }
    /// Whether a value passes. A text beyond the bound of patterns does not, as in a decision.
    func accepts(_ value: ProbedValue) -> Bool { Self.accepts(value, program) }

    private static func accepts(_ value: ProbedValue, _ program: ConditionProgram) -> Bool {
        var listener = ConditionProgram.BoundCounter()
        return program.holds(0, value.subject.values.span, value.subject.bytes.span, &listener)
    }
}

extension PreparedPredicate: Hashable {
    static func == (left: PreparedPredicate, right: PreparedPredicate) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A value in the form that evaluation reads.
struct ProbedValue: Sendable {
    fileprivate let subject: PreparedSubject
    static let attribute = "value"
    /// A missing value, the booleans, and maps that equal no literal.
    static let plain: [ProbedValue] = [nil, true, false, [:], ["other": 1]].map { (value: JSONValue?) in
        ProbedValue(value.map { .typed($0) })
    }

    /// - Parameter value: `nil` for a missing attribute.
    init(_ value: Subject.Value?) {
        var subject = Subject()
        switch value {
        case .typed(let value): subject.setTyped(Self.attribute, value)
        case .untyped(let text): subject.setUntyped(Self.attribute, text)
        case nil: break
        }
        self.subject = PreparedSubject(subject, for: Self.plan)
    }

    /// A plan that has no other purpose than to read the one attribute.
    fileprivate static let plan: Plan = {
        let experiments = Salt("probe").map { salt in
            var experiment = ExperimentDefinition(
                key: "probe", status: .running, salt: salt,
                variants: [VariantDefinition(key: "probe", buckets: [], overrides: [:])])
            experiment.draw = nil
            experiment.audience = .test(
                Condition.Test(attribute: attribute, predicate: .exists, isNegated: false, words: ""))
            return experiment
        }
        return Plan(Definitions(experiments: experiments.map { [$0] } ?? []))
    }()
}

/// The predicates and texts of proofs, each once: equal ones are found without comparing their bytes again.
struct PredicateTable: Sendable {
    private var numbers: [UTF8Key: Int] = [:]
    private var names: [String] = []
    private var predicates: [Condition.Predicate: PreparedPredicate] = [:]

    mutating func number(of text: String) -> Int {
        if let number = numbers[UTF8Key(text)] { return number }
        numbers[UTF8Key(text)] = names.count
        names.append(text)
        return names.count - 1
    }

    func text(of number: Int) -> String { names[number] }

    mutating func prepared(_ predicate: Condition.Predicate) -> PreparedPredicate {
        if let known = predicates[predicate] { return known }
        let prepared = PreparedPredicate(predicate) { number(of: $0) }
        predicates[predicate] = prepared
        return prepared
    }
}
