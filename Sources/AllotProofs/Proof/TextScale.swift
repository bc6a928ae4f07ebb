import AllotConfiguration
import AllotCore
import AllotDefinitions

/// Something that tells texts apart, other than whether they equal a literal: the number or version that they read as,
/// say. A test depends on one of these, so that the results of tests follow from the positions on all of them.
///
/// The positions are an upper bound: some pairs of positions on two scales may have no text.
struct TextScale: Sendable {
    enum Kind: Hashable, Sendable {
        case number, boolean, version, instant, order, folded
        /// Whether one test holds, about whose texts nothing is known.
        case opaque(Int)
    }

    /// A position: the results of the tests that depend on the scale.
    struct Position: Sendable {
        var results: [Int: Bool]
        /// Whether only single values are there.
        let isRare: Bool
    }

    let positions: [Position]

    /// The scale on which a test of a text depends; `nil` if all texts but its literals have one result.
    static func kind(of test: Condition.Test, at index: Int) -> Kind? {
        switch test.predicate {
        case .equals(.number): .number
        case .equals(.boolean): .boolean
        // Text without a type is also of the type that it reads as.
        case .type(.number): .number
        case .type(.boolean): .boolean
        case .equals, .exists, .type, .hasAll, .hasElement, .size: nil
        case .isIn(let list, let ignoringCase): kind(of: list.literals, ignoringCase, at: index)
        case .orderedNumber: .number
        case .orderedText: .order
        case .version: .version
        case .instant: .instant
        case .hasPart, .matches, .inNetwork: .opaque(index)
        }
    }

    private static func kind(of literals: [JSONValue], _ ignoringCase: Bool, at index: Int) -> Kind? {
        var kinds: Set<Kind> = []
        for literal in literals {
            switch literal {
            case .string: if ignoringCase { kinds.insert(.folded) }
            case .number: kinds.insert(.number)
            case .boolean: kinds.insert(.boolean)
            case .null, .array, .object: break
            }
        }
        return kinds.count > 1 ? .opaque(index) : kinds.first
    }

    /// The scales of tests, and for each text that equals no literal the results of those without a scale.
    static func scales(_ tests: [Condition.Test]) -> [TextScale] {
        var byKind: [Kind: [Int]] = [:]
        var fixed = Position(results: [:], isRare: false)
        for (index, test) in tests.enumerated() {
            if let kind = kind(of: test, at: index) {
                byKind[kind, default: []].append(index)
            } else {
                fixed.results[index] = test.resultOnOtherText != test.isNegated
            }
        }
        return [TextScale(positions: [fixed])] + byKind.map { TextScale($0, $1.map { ($0, tests[$0]) }) }
    }

    /// The results of tests of a JSON number: its place among the numbers that tests name decides them all.
    static func numbers(_ tests: [Condition.Test]) -> [Position] {
        positions(tests.enumerated().map { ($0, $1) }, hasOutside: false) { $0.numbers }.map { position in
            var position = position
            for (index, test) in tests.enumerated() {
                if let holds = test.resultOnNumber { position.results[index] = holds != test.isNegated }
            }
            return position
        }
    }

    private init(positions: [Position]) {
        self.positions = positions
    }

    private init(_ kind: Kind, _ tests: [(index: Int, test: Condition.Test)]) {
        switch kind {
        case .number: positions = Self.positions(tests, hasOutside: true) { $0.numbers }
        case .version: positions = Self.positions(tests, hasOutside: true) { $0.versions }
        case .instant: positions = Self.positions(tests, hasOutside: true) { $0.instants }
        case .order: positions = Self.positions(tests, hasOutside: false) { $0.words }
        case .folded: positions = Self.positions(tests, hasOutside: true) { $0.foldedWords }
        case .boolean: positions = Self.positions(tests, hasOutside: true) { $0.flags }
        case .opaque:
            positions = [true, false].map { holds in
                Position(results: Dictionary(uniqueKeysWithValues: tests.map { ($0.index, holds) }), isRare: false)
            }
        }
    }

    /// The literals of a test on a scale, and how they compare.
    fileprivate struct Literals<Bound: Comparable> {
        let bounds: [Bound]
        let ordering: Condition.Ordering
        /// Whether the test holds anywhere on the scale.
        var areEverywhere = false
    }

    /// The positions at the literals of tests, between them, and outside the scale.
    private static func positions<Bound: Comparable>(
        _ tests: [(index: Int, test: Condition.Test)], hasOutside: Bool, _ literals: (Condition.Test) -> Literals<Bound>
    ) -> [Position] {
        let ofTests = tests.map { literals($0.test) }
        var bounds: [Bound] = []
        for bound in ofTests.flatMap(\.bounds).sorted() where bounds.last != bound { bounds.append(bound) }
        // Odd places are at a literal, even ones between two.
        let places = ofTests.map { literals in
            (literals: literals, own: Set(literals.bounds.map { place(of: $0, among: bounds) }))
        }
        let all = (hasOutside ? [nil] : []) + (0...bounds.count * 2).map(Optional.some)
        return all.map { place in
            var results: [Int: Bool] = [:]
            for ((index, test), (literals, own)) in zip(tests, places) {
                let holds =
                    place.map { place in
                        if literals.areEverywhere { return true }
                        return literals.ordering == .equal
                            ? own.contains(place) : own.contains { literals.ordering.accepts((place - $0).signum()) }
                    } ?? false
                results[index] = holds != test.isNegated
            }
            return Position(results: results, isRare: place.map { !$0.isMultiple(of: 2) } ?? false)
        }
    }

    /// The place of one of some sorted literals.
    private static func place<Bound: Comparable>(of bound: Bound, among bounds: [Bound]) -> Int {
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] < bound { low = middle + 1 } else { high = middle }
        }
        return low * 2 + 1
    }
}

extension Condition.Test {
    /// Whether a text that equals none of its literals passes, before the test is negated.
    fileprivate var resultOnOtherText: Bool {
        switch predicate {
        case .exists, .type(.string): true
        default: false
        }
    }

    /// Whether a number passes, before the test is negated; `nil` if that depends on the number.
    fileprivate var resultOnNumber: Bool? {
        switch predicate {
        case .equals(.number), .isIn, .orderedNumber: nil
        case .exists, .type(.number): true
        case .equals, .type, .hasAll, .hasElement, .size, .orderedText, .version, .instant, .hasPart, .matches,
            .inNetwork:
            false
        }
    }

    fileprivate var numbers: TextScale.Literals<Double> {
        switch predicate {
        case .equals(.number(let number)): .init(bounds: [number.double], ordering: .equal)
        case .orderedNumber(let ordering, let number): .init(bounds: [number], ordering: ordering)
        case .type(.number): .init(bounds: [], ordering: .equal, areEverywhere: true)
        case .isIn(let list, _):
            .init(
                bounds: list.literals.compactMap { if case .number(let number) = $0 { number.double } else { nil } },
                ordering: .equal)
        default: .init(bounds: [], ordering: .equal)
        }
    }

    fileprivate var versions: TextScale.Literals<VersionBound> {
        guard case .version(let ordering, let text) = predicate else { return .init(bounds: [], ordering: .equal) }
        return .init(bounds: VersionBound(text).map { [$0] } ?? [], ordering: ordering)
    }

    fileprivate var instants: TextScale.Literals<Instant> {
        guard case .instant(let ordering, let instant) = predicate else { return .init(bounds: [], ordering: .equal) }
        return .init(bounds: [instant], ordering: ordering)
    }

    fileprivate var words: TextScale.Literals<UTF8Key> {
        guard case .orderedText(let ordering, let text) = predicate else { return .init(bounds: [], ordering: .equal) }
        return .init(bounds: [UTF8Key(text)], ordering: ordering)
    }

    fileprivate var foldedWords: TextScale.Literals<UTF8Key> {
        .init(bounds: texts.map { UTF8Key(CaseFolding.text($0)) }, ordering: .equal)
    }

    fileprivate var flags: TextScale.Literals<Int> {
        switch predicate {
        case .equals(.boolean(let flag)): .init(bounds: [flag ? 1 : 0], ordering: .equal)
        case .type(.boolean): .init(bounds: [], ordering: .equal, areEverywhere: true)
        case .isIn(let list, _):
            .init(
                bounds: list.literals.compactMap { if case .boolean(let flag) = $0 { flag ? 1 : 0 } else { nil } },
                ordering: .equal)
        default: .init(bounds: [], ordering: .equal)
        }
    }

    /// The texts that it compares for equality.
    var texts: [String] {
        switch predicate {
        case .equals(.string(let text)): [text]
        case .isIn(let list, _): list.literals.compactMap { if case .string(let text) = $0 { text } else { nil } }
        default: []
        }
    }
}

extension CaseFolding {
    /// The folded form of a text.
    static func text(_ text: String) -> String {
        String(decoding: folded(Array(text.utf8).span), as: UTF8.self)
    }
}
