import AllotConfiguration

/// Something that tells texts apart, other than whether they equal a literal: the number or version that they read as,
/// say. A predicate depends on one of these, so that the results follow from the positions on all of them. The
/// positions are an upper bound: some pairs of positions on two scales may have no text.
struct TextScale: Sendable {
    enum Kind: Sendable, Hashable {
        /// The number or boolean that a text reads as.
        case scalar
        case version, instant, order, folded, beginning, ending, address
        /// Whether one predicate holds, about whose texts nothing is known.
        case opaque(Int)
    }

    /// The places of the predicates that depend on the scale.
    let predicates: [Int]
    /// Each with one result for each of those.
    let positions: [AttributeOption]

    /// The scales of some predicates; of the others all texts but the literals have one result. Texts with a type are
    /// of no other and read as no boolean.
    static func scales(_ all: [PassingValues], areTyped: Bool) -> [TextScale] {
        let kinds = all.enumerated().map { $1.scale(at: $0) }
        var seen: Set<Kind> = []
        return kinds.compactMap { $0 }.filter { seen.insert($0).inserted }.map { kind in
            TextScale(kind, kinds.indices.filter { kinds[$0] == kind }, all, areTyped)
        }
    }

    /// The results for JSON numbers: the place among the numbers that predicates name decides them all.
    static func numbers(_ all: [PassingValues]) -> [AttributeOption] {
        distinct(Section.positions(all.map { $0.section(on: .scalar, areTyped: false) }, areAllInside: true))
    }

    /// Whether a text that equals no literal may have some results: each scale has a position with them, so that no
    /// product is needed.
    static func mayBeText(_ all: [PassingValues], areTyped: Bool, _ wanted: [Bool]) -> Bool {
        let kinds = all.enumerated().map { $1.scale(at: $0) }
        return all.indices.allSatisfy { index in
            guard let kind = kinds[index] else { return all[index].includesOtherText == wanted[index] }
            let places = kinds.indices.filter { kinds[$0] == kind }
            if places[0] < index { return true }
            let own = places.map { wanted[$0] }
            switch kind {
            case .scalar, .version, .instant, .order, .folded, .address:
                let sections = places.map { all[$0].section(on: kind, areTyped: areTyped) }
                return Section.mayBe(own, on: sections, areAllInside: kind == .order)
            case .beginning, .ending, .opaque:
                return TextScale(kind, places, all, areTyped).positions.contains { $0.results == own }
            }
        }
    }

    static func mayBeNumber(_ all: [PassingValues], _ wanted: [Bool]) -> Bool {
        Section.mayBe(wanted, on: all.map { $0.section(on: .scalar, areTyped: false) }, areAllInside: true)
    }

    private init(_ kind: Kind, _ places: [Int], _ all: [PassingValues], _ areTyped: Bool) {
        let own = places.map { all[$0] }
        predicates = places
        switch kind {
        case .scalar, .version, .instant, .order, .folded, .address:
            let sections = own.map { $0.section(on: kind, areTyped: areTyped) }
            positions = Self.distinct(Section.positions(sections, areAllInside: kind == .order))
        case .beginning, .ending:
            let outside = AttributeOption(results: own.map { _ in false })
            positions = Self.distinct([outside] + Self.edges(own, areEndings: kind == .ending))
        case .opaque: positions = [true, false].map { AttributeOption(results: [$0]) }
        }
    }

    /// Each results once, rare only if all positions with them are.
    private static func distinct(_ positions: [AttributeOption]) -> [AttributeOption] {
        var places: [[Bool]: Int] = [:]
        var found: [AttributeOption] = []
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

    /// The positions of texts by the longest literal with which they begin, or end, as written and in any case. A text
    /// that begins with a literal begins, folded, with the folded literal, because folding replaces one character after
    /// another.
    private static func edges(_ all: [PassingValues], areEndings: Bool) -> [AttributeOption] {
        let own = all.map { values in
            guard case .part(_, let ignoringCase) = values.form else { return (ignoresCase: false, edges: Edges([])) }
            let bytes = values.texts.map { Array($0.utf8) }
            let read = ignoringCase ? bytes.map { CaseFolding.folded($0.span) } : bytes
            let edges = areEndings ? read.map { Array($0.reversed()) } : read
            return (ignoresCase: ignoringCase, edges: Edges(Edges.shortest(edges)))
        }
        let exact = Edges(own.filter { !$0.ignoresCase }.flatMap(\.edges.texts))
        let ignoring = own.filter(\.ignoresCase).flatMap(\.edges.texts)
        func position(_ longest: [UInt8]?, folded: [UInt8]?) -> AttributeOption {
            AttributeOption(
                results: own.map { ignoresCase, edges in
                    (ignoresCase ? folded : longest).map { !edges.beginning($0).isEmpty } ?? false
                })
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

        /// The texts that begin with no other one: whatever begins with some of all begins with some of these.
        static func shortest(_ texts: [[UInt8]]) -> [[UInt8]] {
            texts.sorted { $0.lexicographicallyPrecedes($1) }.reduce(into: []) { shortest, text in
                if let last = shortest.last, text.starts(with: last) { return }
                shortest.append(text)
            }
        }

        /// The texts with which another one begins.
        func beginning(_ text: [UInt8]) -> [[UInt8]] {
            lengths.prefix(while: { $0 <= text.count }).map { Array(text.prefix($0)) }.filter(members.contains)
        }
    }
}

/// A place on an ordered scale.
enum ScaleBound: Sendable, Comparable {
    /// The booleans that text without a type reads as; they are below all numbers.
    case yes, no
    case lowest
    case number(Double)
    case version(VersionBound)
    case instant(Instant)
    case text(UTF8Key)
    case address(UInt128)
}

/// A set of places on an ordered scale.
struct Section: Sendable {
    /// The place just before a bound, or just after it.
    struct Cut: Sendable, Comparable {
        let bound: ScaleBound
        let isAfter: Bool

        static func < (left: Self, right: Self) -> Bool {
            left.bound == right.bound ? !left.isAfter && right.isAfter : left.bound < right.bound
        }
    }

    /// Each once and in order: the set begins at the first, ends at the second, begins again at the third.
    let cuts: [Cut]
    static let nowhere = Section(cuts: [])
    static let everywhere = Section(.greaterOrEqual, [.lowest])

    var isEmpty: Bool { cuts.isEmpty }

    /// The other places of the scale, without the booleans that text reads as.
    var complement: Section {
        let lowest = Cut(bound: .lowest, isAfter: false)
        return Section(cuts: cuts.first == lowest ? Array(cuts.dropFirst()) : [lowest] + cuts)
    }

    func intersection(_ other: Section) -> Section {
        var (own, others) = (0, 0)
        var isInside = false
        var common: [Cut] = []
        while own < cuts.count || others < other.cuts.count {
            let cut: Cut
            if own == cuts.count {
                cut = other.cuts[others]
            } else {
                cut = others == other.cuts.count ? cuts[own] : min(cuts[own], other.cuts[others])
            }
            if own < cuts.count, cuts[own] == cut { own += 1 }
            if others < other.cuts.count, other.cuts[others] == cut { others += 1 }
            guard (own % 2 == 1 && others % 2 == 1) != isInside else { continue }
            isInside.toggle()
            common.append(cut)
        }
        return Section(cuts: common)
    }

    /// The positions at and between the bounds of sections of one scale, on which each value may be.
    fileprivate static func positions(_ sections: [Section], areAllInside: Bool) -> [AttributeOption] {
        var positions: [AttributeOption] = []
        find(sections, areAllInside) { results, isRare in
            positions.append(AttributeOption(results: results, isRare: isRare))
            return false
        }
        return positions
    }

    fileprivate static func mayBe(_ wanted: [Bool], on sections: [Section], areAllInside: Bool) -> Bool {
        find(sections, areAllInside) { results, _ in results == wanted }
    }

    /// Goes through the positions until one is the wanted one. Returns whether there is one.
    @discardableResult private static func find(
        _ sections: [Section], _ areAllInside: Bool, _ isWanted: (_ results: [Bool], _ isRare: Bool) -> Bool
    ) -> Bool {
        var results = sections.map { _ in false }
        if !areAllInside, isWanted(results, false) { return true }
        let all = (sections + [Section.everywhere]).flatMap(\.cuts).sorted()
        var cuts: [Cut] = []
        for cut in all where cuts.last != cut { cuts.append(cut) }
        var next = sections.map { _ in 0 }
        for (index, cut) in cuts.enumerated() {
            for (place, section) in sections.enumerated() where section.cuts.dropFirst(next[place]).first == cut {
                results[place].toggle()
                next[place] += 1
            }
            // Between the two cuts of a bound is this bound alone.
            let isRare = index + 1 < cuts.count && cuts[index + 1].bound == cut.bound
            if !areAllInside || cut.bound >= .lowest, isWanted(results, isRare) { return true }
        }
        return false
    }
}

extension Section {
    /// The places that compare with a bound in a way, or those that equal one of several.
    init(_ ordering: Condition.Ordering, _ bounds: [ScaleBound]) {
        var cuts: [Cut] = []
        for bound in bounds.sorted() where cuts.last?.bound != bound {
            if ordering.accepts(-1) { cuts.append(Cut(bound: .lowest, isAfter: false)) }
            if ordering.accepts(-1) != ordering.accepts(0) { cuts.append(Cut(bound: bound, isAfter: false)) }
            if ordering.accepts(0) != ordering.accepts(1) { cuts.append(Cut(bound: bound, isAfter: true)) }
        }
        self.init(cuts: cuts)
    }
}
