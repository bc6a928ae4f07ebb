import AllotConfiguration

/// The source of an experiment's, layer's or holdout's unit IDs: an attribute, or several whose values are joined.
struct UnitSource: Sendable, Hashable {
    /// The index of an attribute, or below -1 that of a unit of several attributes.
    private let number: Int32
    /// The source of an experiment that randomises nothing.
    static let none = UnitSource(number: -1)

    static func attribute(_ index: Int) -> UnitSource { UnitSource(number: Int32(index)) }
    static func composite(_ index: Int) -> UnitSource { UnitSource(number: -2 - Int32(index)) }

    private init(number: Int32) { self.number = number }

    /// The index of the attribute; `nil` for several.
    @inline(__always) var attribute: Int? { number >= 0 ? Int(number) : nil }
    /// The index among the units of several attributes; `nil` for one attribute.
    @inline(__always) var composite: Int? { number < -1 ? -2 - Int(number) : nil }
}

/// The units of a plan while it is compiled: those of several attributes are numbered apart from the attributes.
struct UnitTable {
    private(set) var composites: [[Int]] = []
    private var indices: [UTF8Key: Int] = [:]

    mutating func enter(_ name: String, _ attributes: inout AttributeTable) -> UnitSource {
        guard CompositeUnit.isName(name) else { return .attribute(attributes.enter(name)) }
        if let index = indices[UTF8Key(name)] { return .composite(index) }
        var parts: [Int] = []
        for part in CompositeUnit.parts(of: name) { parts.append(attributes.enter(part)) }
        indices[UTF8Key(name)] = composites.count
        composites.append(parts)
        return .composite(composites.count - 1)
    }
}
