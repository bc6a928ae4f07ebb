import AllotConfiguration

/// One way in which the tests of one attribute can come out together.
package struct AttributeOption: Sendable, Hashable {
    package var results: [Bool]
    /// A value with these results; `nil` if none is known, and there may be none.
    package var witness: Subject.Value?
    package let isAbsent: Bool
    package var unit = UnitKnowledge.anyID
    /// Whether only single values have these results, so that they have no share of the units.
    package var isRare = false

    package init(results: [Bool], witness: Subject.Value? = nil, unit: UnitKnowledge = .anyID, isRare: Bool = false) {
        (self.results, self.witness, self.unit, self.isRare) = (results, witness, unit, isRare)
        isAbsent = witness == .typed(.null)
    }
}

package enum UnitKnowledge: Sendable, Hashable {
    case absent
    /// An ID of which nothing else is known.
    case anyID
    case oneOf([String])
    case id(String)
}

extension [AttributeOption] {
    /// Each way once, with a witness if there is one.
    package var distinct: [AttributeOption] {
        var positions: [AttributeOption: Int] = [:]
        var result: [AttributeOption] = []
        for option in self {
            var key = option
            key.witness = nil
            if let position = positions[key] {
                if result[position].witness == nil { result[position].witness = option.witness }
            } else {
                positions[key] = result.count
                result.append(option)
            }
        }
        // The first one that breaks a statement is the example: a missing value is the plainest.
        return result.filter(\.isAbsent) + result.filter { !$0.isAbsent }
    }
}

extension Subject.Value {
    /// As the command line takes it; `nil` for a missing attribute.
    package var text: String? {
        switch self {
        case .typed(.null): nil
        case .typed(.string(let text)), .untyped(let text): text.isEmpty ? "\"\"" : text
        case .typed(let value): value.canonicalText
        }
    }

    package var unitID: String? {
        switch self {
        case .typed(.string(let text)), .untyped(let text): UnitID.isValidLength(text.utf8.count) ? text : nil
        case .typed(.number(let number)): UnitID.digits(of: number)
        case .typed: nil
        }
    }

    /// Whether it is a text (0), an untyped text (1) or a number (2).
    package var kind: Int {
        switch self {
        case .untyped: 1
        case .typed(.number): 2
        case .typed: 0
        }
    }

    package static func id(_ id: String, kind: Int) -> Self {
        switch kind {
        case 1: .untyped(id)
        case 2: JSONNumber(id).map { .typed(.number($0)) } ?? .typed(.string(id))
        default: .typed(.string(id))
        }
    }

    package func set(_ name: String, of subject: inout Subject) {
        switch self {
        case .typed(let value): subject.setTyped(name, value)
        case .untyped(let text): subject.setUntyped(name, text)
        }
    }
}
