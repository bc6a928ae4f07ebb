import AllotConfiguration
import AllotCore

/// Every way in which the tests of one attribute can come out together, whatever its value.
///
/// The ways are an upper bound: what has no witness may not exist. So a statement that holds in all of them is proved,
/// and one that fails in one with a witness is refuted.
struct AttributeOptions {
    private let name: String
    private var probe: TestProbe
    private var tests: [Condition.Test] { probe.tests }
    private let candidates: CandidateValues
    private var options: [AttributeOption] = []

    /// Products larger than this are not made.
    static let limit = 4096

    /// The options of an attribute; `nil` if there are too many.
    static func all(_ name: String, _ tests: [Condition.Test]) -> [AttributeOption]? {
        everything(name, tests)?.distinct
    }

    private static func everything(_ name: String, _ tests: [Condition.Test]) -> [AttributeOption]? {
        var builder = AttributeOptions(name, tests)
        guard builder.addTexts() else { return nil }
        builder.addNumbers()
        for index in builder.options.indices { builder.options[index].isRare = false }
        builder.addWitnesses()
        guard builder.addLists() else { return nil }
        return builder.options
    }

    /// The options of an attribute that holds unit IDs; `nil` if there are too many.
    ///
    /// - Parameters:
    ///   - left: IDs that are left aside.
    ///   - added: IDs to which something else applies than to others.
    static func units(
        _ name: String, _ tests: [Condition.Test], leaving left: Set<UTF8Key>, adding added: [String]
    ) -> [AttributeOption]? {
        var builder = AttributeOptions(name, tests)
        guard builder.addTexts() else { return nil }
        builder.addNumbers()
        builder.addUnits(leaving: left, adding: added)
        // What is not a valid ID can be anything else, a long text as well.
        guard let invalid = everything(name, tests) else { return nil }
        builder.options += invalid.map { option in
            var option = option
            option.unit = .absent
            if option.witness?.unitID != nil { option.witness = nil }
            return option
        }
        return builder.options.distinct
    }

    private init(_ name: String, _ tests: [Condition.Test]) {
        self.name = name
        probe = TestProbe(tests)
        candidates = CandidateValues(tests)
    }

    private mutating func results(_ witness: AttributeOption.Witness) -> [Bool] {
        var subject = Subject()
        witness.set(name, of: &subject)
        return probe.results(subject)
    }

    // MARK: Texts

    /// The product of the positions on all scales.
    private mutating func addTexts() -> Bool {
        let scales = TextScale.scales(tests)
        var products = [TextScale.Position(results: [:], isRare: false)]
        for scale in scales {
            guard products.count * scale.positions.count <= Self.limit else { return false }
            products = products.flatMap { product in
                scale.positions.map { position in
                    TextScale.Position(
                        results: product.results.merging(position.results) { first, _ in first },
                        isRare: product.isRare || position.isRare)
                }
            }
        }
        add(products)
        // Text that has a type is of no other.
        let typeTests = tests.indices.filter { tests[$0].predicate.readsTypeOfText }
        guard !typeTests.isEmpty else { return true }
        add(
            products.map { product in
                var product = product
                for index in typeTests { product.results[index] = tests[index].isNegated }
                return product
            })
        return true
    }

    private mutating func addNumbers() {
        add(TextScale.numbers(tests))
    }

    private mutating func add(_ positions: [TextScale.Position]) {
        options += positions.map { position in
            AttributeOption(results: tests.indices.map { position.results[$0] ?? false }, isRare: position.isRare)
        }
    }

    // MARK: Other values

    /// Candidates of all types, with what the tests really say of them. Booleans, maps and missing values have no other
    /// results than these.
    private mutating func addWitnesses() {
        var witnesses: [AttributeOption.Witness] = [.typed(.null), .typed(true), .typed(false)]
        witnesses += candidates.texts.map { .typed(.string($0)) }
        witnesses += candidates.texts.filter { !$0.isEmpty }.map(AttributeOption.Witness.untyped)
        witnesses += candidates.numbers.compactMap { JSONNumber($0).map { .typed(.number($0)) } }
        witnesses += candidates.collections.map(AttributeOption.Witness.typed)
        for witness in witnesses {
            options.append(
                AttributeOption(results: results(witness), witness: witness, isAbsent: witness == .typed(.null)))
        }
    }

    /// Lists: each passes `$in` if one of its elements does, so its results are those of its elements together.
    private mutating func addLists() -> Bool {
        let sets = tests.indices.filter { if case .isIn = tests[$0].predicate { true } else { false } }
        let ofLists = tests.indices.filter { tests[$0].predicate.looksIntoLists }
        guard !sets.isEmpty || !ofLists.isEmpty else { return true }
        // The results on a list without elements; those that look into lists are replaced.
        let empty = results(.typed(.array([])))
        // By the results of the sets, elements that lead to them, if any are known.
        var lists: [[Bool]: KnownElements] = [sets.map { empty[$0] }: KnownElements(values: [])]
        let elements = options.filter { option in
            if case .typed(.array)? = option.witness { false } else { true }
        }
        for element in elements {
            for (list, known) in lists {
                let joined = zip(list, sets).map { holds, set in
                    let isNegated = tests[set].isNegated
                    return (holds != isNegated || element.results[set] != isNegated) != isNegated
                }
                guard lists[joined]?.values == nil else { continue }
                lists[joined] = known.adding(element.witness)
            }
            guard ofLists.count < 12, lists.count << ofLists.count <= Self.limit else { return false }
        }
        for (list, known) in lists {
            if let values = known.values {
                let witness = AttributeOption.Witness.typed(.array(values))
                options.append(AttributeOption(results: results(witness), witness: witness))
            }
            for pattern in 0..<1 << ofLists.count {
                var results = empty
                for (position, test) in sets.enumerated() { results[test] = list[position] }
                for (position, test) in ofLists.enumerated() { results[test] = pattern >> position & 1 == 1 }
                options.append(AttributeOption(results: results))
            }
        }
        return true
    }

    /// Elements of a list; `nil` if none are known that have the wanted results.
    private struct KnownElements {
        let values: [JSONValue]?

        func adding(_ witness: AttributeOption.Witness?) -> KnownElements {
            guard let values, case .typed(let value)? = witness else { return KnownElements(values: nil) }
            return KnownElements(values: values + [value])
        }
    }

    // MARK: Unit IDs

    /// A group of IDs with the same results, all of them texts, untyped or numbers.
    private struct Group: Hashable {
        let results: [Bool]
        let kind: Int
    }

    private mutating func addUnits(leaving left: Set<UTF8Key>, adding added: [String]) {
        // Any ID but those that a test names, which follow one by one.
        let numbers = candidates.numbers.compactMap { JSONNumber($0) }
        let named = Set((tests.flatMap(\.texts) + numbers.map(\.text) + added).map(UTF8Key.init)).union(left)
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
            let witness = AttributeOption.Witness.id(ids[0], kind: group.kind)
            options.append(
                AttributeOption(results: group.results, witness: witness, unit: .oneOf(ids), isRare: true))
        }
    }

    /// A unit ID as text of JSON, as text without a type and, if it is one, as a number.
    private static func forms(_ id: String) -> [AttributeOption.Witness] {
        [.typed(.string(id))] + (id.isEmpty ? [] : [.untyped(id)])
            + (JSONNumber(id).map { [.typed(.number($0))] } ?? [])
    }
}

extension AttributeOption.Witness {
    /// The unit ID that the value is. Returns `nil` if it is not a valid one.
    var unitID: String? {
        switch self {
        case .typed(let value): value.unitID
        case .untyped(let text): JSONValue.string(text).unitID
        }
    }

    /// Whether it is a text (0), an untyped text (1) or a number (2).
    var kind: Int {
        switch self {
        case .untyped: 1
        case .typed(.number): 2
        case .typed: 0
        }
    }

    /// An ID of a kind.
    static func id(_ id: String, kind: Int) -> Self {
        switch kind {
        case 1: .untyped(id)
        case 2: JSONNumber(id).map { .typed(.number($0)) } ?? .typed(.string(id))
        default: .typed(.string(id))
        }
    }
}

extension Condition.Predicate {
    /// Whether text passes only if it has no type of its own and reads as the wanted one.
    fileprivate var readsTypeOfText: Bool {
        switch self {
        case .type(.number), .type(.boolean): true
        default: false
        }
    }

    /// Whether lists with the same elements in `$in`-like sets can have different results.
    fileprivate var looksIntoLists: Bool {
        switch self {
        case .hasAll, .hasElement, .size, .equals(.array): true
        case .equals, .isIn, .exists, .type, .orderedNumber, .orderedText, .version, .instant, .hasPart, .matches,
            .inNetwork:
            false
        }
    }
}
