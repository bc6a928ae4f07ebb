import AllotConfiguration

/// Units by their attributes and buckets: those of any of its cells, each of which has for some attributes the values
/// that pass some tests, and for some randomisations the buckets in a set. Each proof rests on one attribute or one
/// randomisation. What cannot be decided, such as a pattern against a pattern, and what takes more than ``limit``
/// cells, is unknown and never counts as proved.
package struct UnitSet: Sendable {
    private struct Cell: Sendable {
        /// By attribute, which is numbered, the number of the set of its values.
        var values: [Int: Int] = [:]
        var box = BucketBox()
    }

    private var cells: [Cell]
    /// Whether every unit of a cell is in the set. Cells of a set that is not exact have all of its units, and others.
    package private(set) var isExact = true
    package static let limit = 64
    package static let everyone = UnitSet(cells: [Cell()])
    package static let none = UnitSet(cells: [])

    private init(cells: [Cell], isExact: Bool = true) { (self.cells, self.isExact) = (cells, isExact) }

    /// The units in an audience. Parts of a condition that would take too many cells count as everyone, which widens
    /// the set.
    package init(_ condition: Condition, in space: inout UnitSpace) { self.init(condition, isNegated: false, &space) }

    /// The units of a region of buckets; everyone if that takes too many cells.
    package init(_ region: BucketRegion) {
        let fits = region.boxes.count <= Self.limit
        self.init(cells: fits ? region.boxes.map { Cell(box: $0) } : [Cell()], isExact: fits)
    }

    /// Negations are moved inwards, to the tests.
    private init(_ condition: Condition, isNegated: Bool, _ space: inout UnitSpace) {
        func combined(_ parts: [Condition], areAll: Bool) -> UnitSet {
            parts.reduce(areAll ? UnitSet.everyone : UnitSet.none) { result, part in
                let units = UnitSet(part, isNegated: isNegated, &space)
                return areAll ? result.intersection(units, in: &space) : result.union(units)
            }
        }
        switch condition {
        case .segment(_, let part): self.init(part, isNegated: isNegated, &space)
        case .not(let part): self.init(part, isNegated: !isNegated, &space)
        case .all(let parts): self = combined(parts, areAll: !isNegated)
        // An empty `$or` is true.
        case .any(let parts) where parts.isEmpty: self = isNegated ? .none : .everyone
        case .any(let parts): self = combined(parts, areAll: isNegated)
        case .test(let test):
            guard let name = test.attribute else {
                self.init(cells: [Cell()], isExact: false)
                return
            }
            let attribute = space.number(of: name)
            let values = space.values(attribute, test, isNegated: isNegated)
            self.init(cells: [Cell(values: [attribute: values])])
        }
    }

    // MARK: Operations

    /// The units of either set; everyone if that takes too many cells.
    package func union(_ other: UnitSet) -> UnitSet {
        guard cells.count + other.cells.count <= Self.limit else { return UnitSet(cells: [Cell()], isExact: false) }
        return UnitSet(cells: cells + other.cells, isExact: isExact && other.isExact)
    }

    /// The units of both sets; those of this one if that takes too many cells.
    package func intersection(_ other: UnitSet, in space: inout UnitSpace) -> UnitSet {
        guard cells.count * other.cells.count <= Self.limit else { return UnitSet(cells: cells, isExact: false) }
        var common = UnitSet(cells: [], isExact: isExact && other.isExact)
        for left in cells {
            for right in other.cells {
                var cell = left
                for (attribute, values) in right.values {
                    cell.values[attribute] = cell.values[attribute].map { space.intersection($0, values) } ?? values
                }
                cell.box = left.box.intersection(right.box)
                common.cells.append(cell)
            }
        }
        return common
    }

    /// The units that are not in the set; everyone if the set is not exact or that takes too many cells.
    package func complement(in space: inout UnitSpace) -> UnitSet {
        guard isExact else { return UnitSet(cells: [Cell()], isExact: false) }
        return cells.reduce(UnitSet.everyone) { result, cell in
            var outside: [Cell] = []
            // In an order of their own, so that the cells and their witnesses are always the same.
            for (attribute, values) in cell.values.sorted(by: { $0.key < $1.key }) {
                for test in space.tests(values) {
                    outside.append(Cell(values: [attribute: space.values(attribute, [test.opposite])]))
                }
            }
            for (dimension, set) in cell.box.sets.sorted(by: { $0.key < $1.key }) {
                var rest = Cell()
                rest.box.restrict(dimension, to: set.complement(in: dimension.resolution))
                outside.append(rest)
            }
            return result.intersection(UnitSet(cells: outside), in: &space)
        }
    }

    // MARK: Proofs

    package func isProvablyEmpty(in space: inout UnitSpace) -> Bool {
        cells.allSatisfy { Self.isProvablyEmpty($0, &space) }
    }

    private static func isProvablyEmpty(_ cell: Cell, _ space: inout UnitSpace) -> Bool {
        if cell.box.isEmpty { return true }
        for values in cell.values.values where space.isProvablyEmpty(values) { return true }
        return false
    }

    /// Whether it is proved that no unit is in both sets. Complexity: O(cells of one × cells of the other) comparisons
    /// of values, each made once in a space.
    package func isProvablyDisjoint(from other: UnitSet, in space: inout UnitSpace) -> Bool {
        let own = cells.filter { !Self.isProvablyEmpty($0, &space) }
        let others = other.cells.filter { !Self.isProvablyEmpty($0, &space) }
        return own.allSatisfy { left in others.allSatisfy { Self.areProvablyDisjoint(left, $0, &space) } }
    }

    private static func areProvablyDisjoint(_ left: Cell, _ right: Cell, _ space: inout UnitSpace) -> Bool {
        for (attribute, values) in left.values {
            if let others = right.values[attribute], space.areProvablyDisjoint(values, others) { return true }
        }
        return left.box.intersection(right.box).isEmpty
    }

    package func isProvablySubset(of other: UnitSet, in space: inout UnitSpace) -> Bool {
        isProvablyDisjoint(from: other.complement(in: &space), in: &space)
    }

    /// The proof that no unit is in a set. `Sendable`.
    package struct Contradiction: Sendable {
        /// The attributes whose tests exclude each other, in the order of their bytes; none if no test does.
        package let attributes: [String]
        /// Whether a list could pass the tests of one of them.
        package let admitsList: Bool
    }

    /// The proof that no unit is in the set as long as attributes that nothing shows to be lists are single values.
    /// Returns `nil` if there is none.
    package func contradiction(in space: inout UnitSpace) -> Contradiction? {
        var (contradictory, lists): (Set<Int>, Set<Int>) = ([], [])
        for cell in cells {
            let empty = cell.values.filter { space.isProvablyEmpty($0.value) }.keys
            contradictory.formUnion(empty)
            if !empty.isEmpty || cell.box.isEmpty { continue }
            guard let list = cell.values.filter({ space.asksForUnknownList($0.value) }).keys.min() else { return nil }
            lists.insert(list)
        }
        let names = (lists.isEmpty ? contradictory : lists).map { space.name($0) }
        return Contradiction(attributes: names.sorted(by: UTF8Order.precedes), admitsList: !lists.isEmpty)
    }

    // MARK: Members

    package func contains(_ subject: Subject, in space: UnitSpace) -> Bool {
        cells.contains { cell in
            cell.values.values.allSatisfy { space.contains($0, subject) }
                && cell.box.units.allSatisfy { unit in
                    subject.unitID(unit.text).map { cell.box.mayHold($0, as: unit) } ?? false
                }
        }
    }

    /// A unit of the set, which the engine confirms; `nil` if none is known.
    package func witness(in space: inout UnitSpace) -> Subject? {
        guard isExact else { return nil }
        for cell in cells where !Self.isProvablyEmpty(cell, &space) {
            if let subject = Self.witness(cell, &space) { return subject }
        }
        return nil
    }

    private static func witness(_ cell: Cell, _ space: inout UnitSpace) -> Subject? {
        var subject = Subject()
        for (attribute, values) in cell.values { space.witness(values)?.set(space.name(attribute), of: &subject) }
        for unit in cell.box.units {
            guard !CompositeUnit.isName(unit.text) else {
                guard cell.box.complete(&subject, as: unit) else { return nil }
                continue
            }
            guard let id = cell.box.unitID(like: subject.value(of: unit.text), as: unit) else { return nil }
            id.set(unit.text, of: &subject)
        }
        return UnitSet(cells: [cell]).contains(subject, in: space) ? subject : nil
    }
}

extension Subject {
    /// The attributes in words: `country "DE", plan missing`. Returns `nil` for a subject without any.
    package var attributeWords: String? {
        let words = attributeNames.map { name in
            switch value(of: name) {
            case .typed(.null), nil: "\(name) missing"
            case .typed(let value): "\(name) \(value.canonicalText)"
            case .untyped(let text): "\(name) \(text)"
            }
        }
        return words.isEmpty ? nil : PrintableText(words.joined(separator: ", ")).description
    }
}
