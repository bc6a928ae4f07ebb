import AllotConfiguration

/// Something that tells texts apart, other than whether they equal a literal: the number or version that they read as,
/// say. A predicate depends on one of these, so that the results follow from the positions on all of them.
///
/// The positions are an upper bound: some pairs of positions on two scales may have no text.
struct TextScale: Sendable {
    private enum Kind: Hashable {
        /// The number or boolean that a text reads as.
        case scalar
        case version, instant, order, folded, beginning, ending, address
        /// Whether one predicate holds, about whose texts nothing is known.
        case opaque(Int)
    }

    /// A position: the results of the predicates that depend on the scale.
    struct Position: Sendable {
        var results: [Bool]
        /// Whether only single values are there.
        let isRare: Bool
    }

    /// The places of the predicates that depend on the scale.
    let predicates: [Int]
    /// Each with one result for each of those.
    let positions: [Position]

    /// The scales of some predicates; of the others all texts but the literals have one result.
    ///
    /// - Parameter areTyped: Whether the texts have a type, so that they are of no other and read as no boolean.
    static func scales(_ all: [Condition.Predicate], areTyped: Bool) -> [TextScale] {
        var kinds: [Kind] = []
        var places: [Kind: [Int]] = [:]
        for (index, predicate) in all.enumerated() {
            guard let kind = kind(of: predicate, at: index) else { continue }
            if places[kind] == nil { kinds.append(kind) }
            places[kind, default: []].append(index)
        }
        return kinds.map { TextScale($0, places[$0] ?? [], all, areTyped) }
    }

    /// The scale on which the result for a text depends; `nil` if all texts but its literals have one result.
    private static func kind(of predicate: Condition.Predicate, at index: Int) -> Kind? {
        switch predicate {
        // Text without a type is also of the type that it reads as.
        case .equals(.number), .equals(.boolean), .type(.number), .type(.boolean), .orderedNumber: .scalar
        case .equals, .exists, .type, .hasAll, .hasElement, .size: nil
        case .isIn(let list, let ignoringCase): kind(of: list.literals, ignoringCase, at: index)
        case .orderedText: .order
        case .version: .version
        case .instant: .instant
        case .hasPart(.prefix, _, _): .beginning
        case .hasPart(.suffix, _, _): .ending
        case .inNetwork: .address
        case .hasPart(.anywhere, _, _), .matches: .opaque(index)
        }
    }

    private static func kind(of literals: [JSONValue], _ ignoringCase: Bool, at index: Int) -> Kind? {
        var kinds: Set<Kind> = []
        for literal in literals {
            switch literal {
            case .string: if ignoringCase { kinds.insert(.folded) }
            case .number, .boolean: kinds.insert(.scalar)
            case .null, .array, .object: break
            }
        }
        return kinds.count > 1 ? .opaque(index) : kinds.first
    }

    /// The results for JSON numbers: the place among the numbers that predicates name decides them all.
    static func numbers(_ predicates: [Condition.Predicate]) -> [Position] {
        distinct(
            positions(predicates, \.numbers).map { position in
                var position = position
                for (index, predicate) in predicates.enumerated() {
                    if let holds = predicate.resultOnNumber { position.results[index] = holds }
                }
                return position
            })
    }

    private init(_ kind: Kind, _ places: [Int], _ all: [Condition.Predicate], _ areTyped: Bool) {
        let own = places.map { all[$0] }
        // A text that the scale does not know, such as one that is not a version.
        let outside = [Position(results: own.map { _ in false }, isRare: false)]
        predicates = places
        positions =
            switch kind {
            case .scalar where areTyped:
                Self.distinct(outside + Self.positions(own) { $0.isOfType ? Literals<Double>.nowhere : $0.numbers })
            case .scalar: Self.distinct(outside + Self.flags(own) + Self.positions(own, \.numbers))
            case .version: Self.distinct(outside + Self.positions(own, \.versions))
            case .instant: Self.distinct(outside + Self.positions(own, \.instants))
            case .order: Self.distinct(Self.positions(own, \.words))
            case .folded: Self.distinct(outside + Self.positions(own, \.foldedWords))
            case .beginning, .ending: Self.distinct(outside + Self.edges(own, areEndings: kind == .ending))
            case .address: Self.distinct(outside + Self.addresses(own))
            case .opaque: [true, false].map { Position(results: [$0], isRare: false) }
            }
    }

    /// Each results once, rare only if all positions with them are.
    private static func distinct(_ positions: [Position]) -> [Position] {
        var places: [[Bool]: Int] = [:]
        var found: [Position] = []
        for position in positions {
            if let place = places[position.results] {
                if found[place].isRare { found[place] = position }
            } else {
                places[position.results] = found.count
                found.append(position)
            }
        }
        return found
    }

    // MARK: Ordered scales

    /// The literals of a predicate on a scale, and how they compare.
    fileprivate struct Literals<Bound: Comparable> {
        let bounds: [Bound]
        let ordering: Condition.Ordering
        /// Whether the predicate holds anywhere on the scale.
        var areEverywhere = false

        static var nowhere: Self { .init(bounds: [], ordering: .equal) }
    }

    /// The positions at the literals of predicates and between them.
    private static func positions<Bound: Comparable>(
        _ predicates: [Condition.Predicate], _ literals: (Condition.Predicate) -> Literals<Bound>
    ) -> [Position] {
        let ofPredicates = predicates.map(literals)
        var bounds: [Bound] = []
        for bound in ofPredicates.flatMap(\.bounds).sorted() where bounds.last != bound { bounds.append(bound) }
        // Odd places are at a literal, even ones between two.
        let places = ofPredicates.map { literals in
            (literals: literals, own: Set(literals.bounds.map { place(of: $0, among: bounds) }))
        }
        return (0...bounds.count * 2).map { place in
            let results = places.map { literals, own in
                if literals.areEverywhere { return true }
                return literals.ordering == .equal
                    ? own.contains(place) : own.contains { literals.ordering.accepts((place - $0).signum()) }
            }
            return Position(results: results, isRare: !place.isMultiple(of: 2))
        }
    }

    /// The place of one of some sorted literals.
    private static func place<Bound: Comparable>(of bound: Bound, among bounds: [Bound]) -> Int {
        bounds.indices.partitionPoint { bounds[$0] < bound } * 2 + 1
    }

    /// The texts that read as a boolean.
    private static func flags(_ predicates: [Condition.Predicate]) -> [Position] {
        [true, false].map { flag in
            Position(results: predicates.map { $0.accepts(textReadAs: flag) }, isRare: true)
        }
    }

    // MARK: Networks

    /// The ranges of addresses that lie in one set of networks throughout.
    private static func addresses(_ predicates: [Condition.Predicate]) -> [Position] {
        let networks = predicates.map { predicate in
            if case .inNetwork(let networks) = predicate { IPNetworkSet(networks) } else { IPNetworkSet([]) }
        }
        let ranges = networks.flatMap(\.ranges)
        let starts = Set(
            ranges.map(\.lowerBound) + ranges.compactMap { $0.upperBound == .max ? nil : $0.upperBound + 1 })
        return starts.sorted().map { start in
            Position(results: networks.map { $0.contains(IPAddress(bits: start)) }, isRare: false)
        }
    }

    // MARK: Beginnings and endings

    /// The positions of texts by the longest literal with which they begin, or end, as written and in any case.
    ///
    /// A text that begins with a literal begins, folded, with the folded literal, because folding replaces one
    /// character after another.
    private static func edges(_ predicates: [Condition.Predicate], areEndings: Bool) -> [Position] {
        let own = predicates.map { predicate in
            guard case .hasPart(_, let texts, let ignoringCase) = predicate else {
                return (ignoresCase: false, edges: Edges([]))
            }
            let bytes = texts.map { Array($0.utf8) }
            let read = ignoringCase ? bytes.map { CaseFolding.folded($0.span) } : bytes
            return (ignoresCase: ignoringCase, edges: Edges(areEndings ? read.map { Array($0.reversed()) } : read))
        }
        let exact = Edges(own.filter { !$0.ignoresCase }.flatMap(\.edges.texts))
        let ignoring = own.filter(\.ignoresCase).flatMap(\.edges.texts)
        func position(_ longest: [UInt8]?, folded: [UInt8]?) -> Position {
            let results = own.map { ignoresCase, edges in
                (ignoresCase ? folded : longest).map { !edges.beginning($0).isEmpty } ?? false
            }
            return Position(results: results, isRare: false)
        }
        guard !ignoring.isEmpty else { return exact.texts.map { position($0, folded: nil) } }
        let written = Dictionary(grouping: exact.texts) { edge -> [UInt8] in
            let bytes = areEndings ? Array(edge.reversed()) : edge
            let folded = CaseFolding.folded(bytes.span)
            return areEndings ? Array(folded.reversed()) : folded
        }
        let inAnyCase = Edges(Array(written.keys))
        return Edges(ignoring + inAnyCase.texts).texts.flatMap { longest in
            let exact = inAnyCase.beginning(longest).flatMap { written[$0] ?? [] }
            return [position(nil, folded: longest)] + exact.map { position($0, folded: longest) }
        }
    }

    /// Texts, each once and in order, that are looked up by what begins with them.
    private struct Edges {
        let texts: [[UInt8]]
        private let members: Set<[UInt8]>
        private let lengths: [Int]

        init(_ texts: [[UInt8]]) {
            members = Set(texts)
            self.texts = members.sorted { $0.lexicographicallyPrecedes($1) }
            lengths = Set(members.map(\.count)).sorted()
        }

        /// The texts with which another one begins.
        func beginning(_ text: [UInt8]) -> [[UInt8]] {
            lengths.prefix(while: { $0 <= text.count }).map { Array(text.prefix($0)) }.filter(members.contains)
        }
    }
}

extension Condition.Predicate {
    /// Whether a text passes that equals none of its literals and is on no scale.
    var resultOnOtherText: Bool {
        switch self {
        case .exists, .type(.string): true
        default: false
        }
    }

    /// Whether a number passes; `nil` if that depends on the number.
    fileprivate var resultOnNumber: Bool? {
        switch self {
        case .equals(.number), .isIn, .orderedNumber: nil
        case .exists, .type(.number): true
        case .equals, .type, .hasAll, .hasElement, .size, .orderedText, .version, .instant, .hasPart, .matches,
            .inNetwork:
            false
        }
    }

    /// Whether a text passes that reads as a boolean and equals none of its texts.
    fileprivate func accepts(textReadAs flag: Bool) -> Bool {
        switch self {
        case .equals(.boolean(let literal)): literal == flag
        case .type(.boolean): true
        case .isIn(let list, _): list.literals.contains(.boolean(flag))
        default: false
        }
    }

    fileprivate var isOfType: Bool {
        if case .type = self { true } else { false }
    }

    fileprivate var numbers: TextScale.Literals<Double> {
        switch self {
        case .equals(.number(let number)): .init(bounds: [number.double], ordering: .equal)
        case .orderedNumber(let ordering, let number): .init(bounds: [number], ordering: ordering)
        case .type(.number): .init(bounds: [], ordering: .equal, areEverywhere: true)
        case .isIn(let list, _):
            .init(
                bounds: list.literals.compactMap { if case .number(let number) = $0 { number.double } else { nil } },
                ordering: .equal)
        default: .nowhere
        }
    }

    fileprivate var versions: TextScale.Literals<VersionBound> {
        guard case .version(let ordering, let text) = self else { return .nowhere }
        return .init(bounds: VersionBound(text).map { [$0] } ?? [], ordering: ordering)
    }

    fileprivate var instants: TextScale.Literals<Instant> {
        guard case .instant(let ordering, let instant) = self else { return .nowhere }
        return .init(bounds: [instant], ordering: ordering)
    }

    fileprivate var words: TextScale.Literals<UTF8Key> {
        guard case .orderedText(let ordering, let text) = self else { return .nowhere }
        return .init(bounds: [UTF8Key(text)], ordering: ordering)
    }

    fileprivate var foldedWords: TextScale.Literals<UTF8Key> {
        .init(bounds: texts.map { UTF8Key(CaseFolding.text($0)) }, ordering: .equal)
    }

    /// The texts that it compares for equality.
    var texts: [String] {
        switch self {
        case .equals(.string(let text)): [text]
        case .isIn(let list, _): list.literals.compactMap { if case .string(let text) = $0 { text } else { nil } }
        default: []
        }
    }
}

/// A version that compares by precedence.
package struct VersionBound: Sendable, Comparable {
    private let bytes: [UInt8]
    private let version: Version

    /// Reads a version. Returns `nil` for other text.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Version(bytes.span) else { return nil }
        (self.bytes, self.version) = (bytes, version)
    }

    private static func compare(_ left: Self, _ right: Self) -> Int {
        Version.compare(left.version, in: left.bytes.span, right.version, in: right.bytes.span)
    }

    package static func == (left: Self, right: Self) -> Bool { compare(left, right) == 0 }
    package static func < (left: Self, right: Self) -> Bool { compare(left, right) < 0 }
}
