import AllotConfiguration

/// Every way in which the tests of one attribute can come out together, whatever its value. The ways are an upper
/// bound: what has no witness may not exist. So a statement that holds in all of them is proved, and one that fails in
/// one with a witness is refuted.
package struct AttributeOptions {
    /// The predicates of the tests, each once: equal ones come out alike.
    private let predicates: [PreparedPredicate]
    /// The results that texts have because they have others.
    private let implications: [Implication]
    /// By predicate, before tests are negated.
    private var options: [AttributeOption] = []
    /// Products larger than this are not made.
    package static let limit = 4096

    /// The options of an attribute; `nil` if there are too many.
    package static func all(_ tests: [Condition.Test]) -> [AttributeOption]? {
        let tests = PreparedTest.all(tests)
        return everything(tests)?.ofTests(tests)
    }

    /// The options of an attribute that holds unit IDs; `nil` if there are too many.
    package static func units(
        _ tests: [Condition.Test], leaving left: Set<UTF8Key>, adding added: [String]
    ) -> [AttributeOption]? {
        let tests = PreparedTest.all(tests)
        var builder = AttributeOptions(tests)
        // What is not a valid ID can be anything else, a long text as well.
        guard builder.addTexts(), let invalid = everything(tests) else { return nil }
        builder.addNumbers()
        builder.addUnits(leaving: left, adding: added)
        builder.options += invalid.options.map { option in
            var option = option
            option.unit = .absent
            if option.witness?.unitID != nil { option.witness = nil }
            return option
        }
        return builder.ofTests(tests)
    }

    /// Whether it is proved that no value, which may be a list or not, passes all of some tests of one attribute.
    static func areContradictory(_ tests: [PreparedTest], canBeList: Bool) -> Bool {
        let (passed, failed) = (tests.filter { !$0.isNegated }, tests.filter(\.isNegated))
        let satisfied = Set(passed.map(\.predicate))
        if failed.contains(where: { satisfied.contains($0.predicate) }) { return true }
        // Sets of literals can be large.
        let keys = passed.compactMap(\.predicate.keys)
        if !canBeList, zip(keys, keys.dropFirst()).contains(where: { $0.isDisjoint(with: $1) }) { return true }
        let ofTexts = passed.map(\.predicate).filter { $0.choice != nil }
        let sets = ofTexts.compactMap(\.choice)
        if let fewest = sets.min(by: { $0.count < $1.count }) {
            // Single values that pass are one of these texts, typed or not.
            let common = fewest.filter { text in
                ofTexts.allSatisfy { $0.keys?.contains(text.number) ?? true }
            }.map(\.text)
            for text in common where tests.accept(.typed(.string(text))) { return false }
            for text in common where !text.isEmpty && tests.accept(.untyped(text)) { return false }
            if !canBeList { return true }
            let elements = sets.compactMap { $0.first.map { JSONValue.string($0.text) } }
            if tests.accept(.typed(.array(elements))) { return false }
        }
        var builder = AttributeOptions(tests)
        let wanted = builder.wanted(tests)
        if builder.mayBeText(wanted) || TextScale.mayBeNumber(builder.predicates.map(\.values), wanted) { return false }
        if tests.plainResults.contains(true) || builder.namedValues.contains(where: { tests.accept($0) }) {
            return false
        }
        guard canBeList else { return true }
        builder.addNumbers()
        builder.addWitnesses(lists: true)
        if builder.options.contains(where: { $0.results == wanted }) { return false }
        guard builder.mayBeList(wanted) else { return true }
        return builder.addTexts() && builder.addLists() && !builder.options.contains { $0.results == wanted }
    }

    /// A value that passes all of some tests, which are of one attribute; `nil` if none is known.
    static func witness(_ tests: [PreparedTest]) -> Subject.Value? {
        var builder = AttributeOptions(tests)
        let candidates = builder.witnesses(lists: true)
        // Text that reads as a number is a strange example of one.
        let isNumber = tests.contains(where: \.predicate.values.areOrderedNumbers)
        let plain = candidates.first { value in
            (value == .typed(.null) || isNumber == (value.kind == 2)) && tests.accept(value)
        }
        if let found = plain ?? candidates.first(where: { tests.accept($0) }) { return found }
        builder.addWitnesses(lists: true)
        guard builder.addLists() else { return nil }
        let wanted = builder.wanted(tests)
        return builder.options.first { $0.witness != nil && $0.results == wanted }?.witness
    }

    private static func everything(_ tests: [PreparedTest]) -> AttributeOptions? {
        var builder = AttributeOptions(tests)
        guard builder.addTexts() else { return nil }
        builder.addNumbers()
        for index in builder.options.indices { builder.options[index].isRare = false }
        builder.addWitnesses(lists: true)
        return builder.addLists() ? builder : nil
    }

    private init(_ tests: [PreparedTest]) {
        var seen: Set<PreparedPredicate> = []
        predicates = tests.map(\.predicate).filter { seen.insert($0).inserted }
        implications = Self.implications(predicates)
    }

    // MARK: Tests

    private func places(_ tests: [PreparedTest]) -> [Int] {
        let places = Dictionary(uniqueKeysWithValues: zip(predicates, predicates.indices))
        return tests.map { places[$0.predicate] ?? 0 }
    }

    private func ofTests(_ tests: [PreparedTest]) -> [AttributeOption] {
        let places = places(tests)
        return options.map { option in
            var option = option
            option.results = zip(places, tests).map { option.results[$0] != $1.isNegated }
            return option
        }.distinct
    }

    /// The results with which all tests are passed.
    private func wanted(_ tests: [PreparedTest]) -> [Bool] {
        var wanted = predicates.map { _ in true }
        for (place, test) in zip(places(tests), tests) { wanted[place] = !test.isNegated }
        return wanted
    }

    /// Whether a text that equals no literal may have some results: each scale has a position with them, so that no
    /// product is needed.
    private func mayBeText(_ wanted: [Bool]) -> Bool {
        let all = predicates.map(\.values)
        guard isPossible(wanted) else { return false }
        return areTyped.contains { TextScale.mayBeText(all, areTyped: $0, wanted) }
    }

    /// Whether a list may have some results, as far as what does not depend on its elements tells.
    private func mayBeList(_ wanted: [Bool]) -> Bool {
        let empty = results(.typed(.array([])))
        return predicates.indices.allSatisfy { index in
            let values = predicates[index].values
            return values.isSet || values.looksIntoLists || empty[index] == wanted[index]
        }
    }

    private func results(_ witness: Subject.Value) -> [Bool] {
        let value = ProbedValue(witness)
        return predicates.map { $0.accepts(value) }
    }

    // MARK: Texts

    private typealias Implication = (cause: Int, effect: Int, holds: Bool)

    /// The results of tests for a part, or for an address, in each text for which another test holds.
    private static func implications(_ predicates: [PreparedPredicate]) -> [Implication] {
        predicates.indices.flatMap { effect -> [Implication] in
            // No address reads as a number or a boolean.
            if case .section(.address, _) = predicates[effect].values.form {
                return predicates.indices.filter { predicates[$0].values.scale(at: $0) == .scalar }.map {
                    (cause: $0, effect: effect, holds: false)
                }
            }
            guard case .part(let place, let ignoringCase) = predicates[effect].values.form else { return [] }
            return predicates.indices.compactMap { cause -> Implication? in
                let values = predicates[cause].values
                let isWhole = ignoringCase && values.scale(at: cause) == .folded
                var isPart = false
                // A text that has a literal only in another case may lack its parts.
                if case .part(_, let folds) = values.form, ignoringCase || !folds { isPart = place == .anywhere }
                guard isWhole || isPart, values.literals.count <= 256 else { return nil }
                let results = Set(values.texts.map { predicates[effect].accepts(ProbedValue(.typed(.string($0)))) })
                guard let holds = results.first, results.count == 1, isWhole || holds else { return nil }
                return (cause, effect, holds)
            }
        }
    }

    /// Whether a text may have some results: what has a text has the parts of the text.
    private func isPossible(_ results: [Bool]) -> Bool {
        implications.allSatisfy { !results[$0.cause] || results[$0.effect] == $0.holds }
    }

    /// Texts without a type, and texts with one if that makes a difference.
    private var areTyped: [Bool] {
        let differ = predicates.contains { $0.values.scale(at: 0) == .scalar && !$0.values.areOrderedNumbers }
        return differ ? [false, true] : [false]
    }

    private mutating func addTexts() -> Bool { areTyped.allSatisfy { addTexts(areTyped: $0) } }

    private mutating func addTexts(areTyped: Bool) -> Bool {
        let all = predicates.map(\.values)
        var products = [AttributeOption(results: all.map(\.includesOtherText))]
        for scale in TextScale.scales(all, areTyped: areTyped) {
            guard products.count * scale.positions.count <= Self.limit else { return false }
            products = products.flatMap { product in
                scale.positions.map { position in
                    var product = product
                    for (index, holds) in zip(scale.predicates, position.results) { product.results[index] = holds }
                    if position.isRare { product.isRare = true }
                    return product
                }
            }
        }
        let possible = products.filter { isPossible($0.results) }
        options += possible
        return true
    }

    private mutating func addNumbers() { options += TextScale.numbers(predicates.map(\.values)) }

    // MARK: Other values

    /// Candidates of all types, with what the predicates really say of them. Booleans, maps and missing values have no
    /// other results than these.
    private mutating func addWitnesses(lists: Bool) {
        let found = witnesses(lists: lists).map { AttributeOption(results: results($0), witness: $0) }
        options += found
    }

    /// The texts and maps that equal a literal; all others have the results of ``mayBeText(_:)`` and of plain values.
    private var namedValues: [Subject.Value] {
        predicates.map(\.values).filter(\.areLiterals).flatMap(\.literals).flatMap { literal -> [Subject.Value] in
            switch literal {
            case .string(let text): text.isEmpty ? [.typed(literal)] : [.typed(literal), .untyped(text)]
            case .object: [.typed(literal)]
            case .null, .boolean, .number, .array: []
            }
        }
    }

    private func witnesses(lists: Bool) -> [Subject.Value] {
        let candidates = CandidateValues(predicates.lazy.map(\.values))
        var witnesses: [Subject.Value] = [.typed(.null), .typed(true), .typed(false)]
        witnesses += candidates.texts.map { .typed(.string($0)) }
        witnesses += candidates.texts.filter { !$0.isEmpty }.map(Subject.Value.untyped)
        witnesses += candidates.numbers.compactMap { JSONNumber($0).map { .typed(.number($0)) } }
        return witnesses + ((lists ? candidates.lists : []) + candidates.maps).map(Subject.Value.typed)
    }

    /// Lists: each passes `$in` if one of its elements does, so its results are those of its elements together.
    private mutating func addLists() -> Bool {
        let sets = predicates.indices.filter { predicates[$0].values.isSet }
        let ofLists = predicates.indices.filter { predicates[$0].values.looksIntoLists }
        guard !sets.isEmpty || !ofLists.isEmpty else { return true }
        // The results on a list without elements; those that look into lists are replaced.
        let empty = results(.typed(.array([])))
        // The results of the sets, each once, with elements that lead to them, if any are known.
        var lists = [(results: sets.map { empty[$0] }, known: Optional([JSONValue]()))]
        var places = [lists[0].results: 0]
        var seen: Set<[Bool]> = []
        for option in options {
            if case .typed(.array)? = option.witness { continue }
            var value: JSONValue?
            if case .typed(let witness)? = option.witness { value = witness }
            let results = sets.map { option.results[$0] }
            guard seen.insert(results + [value != nil]).inserted else { continue }
            for (list, known) in lists {
                let joined = zip(list, results).map { $0 || $1 }
                let place = places[joined]
                if let place, lists[place].known != nil { continue }
                let more = known.flatMap { known in value.map { known + [$0] } }
                if let place {
                    lists[place].known = more
                } else {
                    places[joined] = lists.count
                    lists.append((joined, more))
                }
            }
            guard ofLists.count < 12, lists.count << ofLists.count <= Self.limit else { return false }
        }
        for (list, known) in lists {
            if let known {
                let witness = Subject.Value.typed(.array(known))
                options.append(AttributeOption(results: results(witness), witness: witness))
            }
            for pattern in 0..<1 << ofLists.count {
                var results = empty
                for (position, index) in sets.enumerated() { results[index] = list[position] }
                for (position, index) in ofLists.enumerated() { results[index] = pattern >> position & 1 == 1 }
                options.append(AttributeOption(results: results))
            }
        }
        return true
    }

    // MARK: Unit IDs

    /// A group of IDs with the same results, all of them texts, untyped or numbers.
    private struct Group: Hashable {
        let results: [Bool]
        let kind: Int
    }

    private mutating func addUnits(leaving left: Set<UTF8Key>, adding added: [String]) {
        let candidates = CandidateValues(predicates.lazy.map(\.values))
        // Any ID but those that a test names, which follow one by one.
        let numbers = candidates.numbers.compactMap { JSONNumber($0) }
        let literals = predicates.map(\.values).filter(\.areLiterals).flatMap(\.texts)
        let named = Set((literals + numbers.map(\.text) + added).map(UTF8Key.init)).union(left)
        var groups: [Group: [String]] = [:]
        let texts = candidates.texts + added
        for witness in texts.flatMap(Self.forms) + numbers.map({ .typed(.number($0)) }) {
            guard let id = witness.unitID else { continue }
            let results = results(witness)
            if !named.contains(UTF8Key(id)) {
                options.append(AttributeOption(results: results, witness: witness))
            } else if added.contains(id) {
                options.append(AttributeOption(results: results, witness: witness, unit: .id(id), isRare: true))
            } else if !left.contains(UTF8Key(id)) {
                groups[Group(results: results, kind: witness.kind), default: []].append(id)
            }
        }
        for (group, ids) in groups.sorted(by: { ($0.value[0], $0.key.kind) < ($1.value[0], $1.key.kind) }) {
            let witness = Subject.Value.id(ids[0], kind: group.kind)
            options.append(AttributeOption(results: group.results, witness: witness, unit: .oneOf(ids), isRare: true))
        }
    }

    /// A unit ID as text of JSON, as text without a type and, if it is one, as a number.
    private static func forms(_ id: String) -> [Subject.Value] {
        [.typed(.string(id))] + (id.isEmpty ? [] : [.untyped(id)])
            + (JSONNumber(id).map { [.typed(.number($0))] } ?? [])
    }
}

package struct PreparedTest: Sendable, Hashable {
    let predicate: PreparedPredicate
    let isNegated: Bool

    /// Tests whose equal predicates are prepared once.
    package static func all(_ tests: [Condition.Test]) -> [PreparedTest] {
        var table = PredicateTable()
        return tests.map { PreparedTest(predicate: table.prepared($0.predicate), isNegated: $0.isNegated) }
    }

    /// Whether a value passes, by the engine's own answer.
    package func accepts(_ value: Subject.Value?) -> Bool { accepts(ProbedValue(value)) }
    func accepts(_ value: ProbedValue) -> Bool { predicate.accepts(value) != isNegated }
    var opposite: PreparedTest { PreparedTest(predicate: predicate, isNegated: !isNegated) }
}

extension [PreparedTest] {
    /// By plain value whether it passes all of the tests.
    var plainResults: [Bool] {
        ProbedValue.plain.indices.map { index in allSatisfy { $0.predicate.plainResults[index] != $0.isNegated } }
    }

    /// Whether a value passes all of the tests.
    func accept(_ value: Subject.Value?) -> Bool {
        let value = ProbedValue(value)
        return allSatisfy { $0.accepts(value) }
    }
}
