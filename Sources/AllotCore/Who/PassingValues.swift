import AllotConfiguration

/// The values that pass a predicate, as far as proofs tell them apart. Each kind of predicate describes its own.
struct PassingValues: Sendable {
    let form: Form
    var literals: [JSONValue] = []
    /// Values at and around the literals, in search of some that pass and some that do not; `nil` for the literals.
    var candidates: (@Sendable () -> [JSONValue])?

    enum Form: Sendable {
        /// Values that equal a literal, or read as one, and perhaps lists with such an element.
        case literals(ignoringCase: Bool, inLists: Bool)
        case types(Set<Condition.ValueType>)
        case section(TextScale.Kind, Section)
        /// Texts that have a literal in a place.
        case part(Condition.TextPart, ignoringCase: Bool)
        /// Lists, by their elements or the number of those.
        case lists
        /// Texts of which nothing is known.
        case unknownTexts
    }

    var texts: [String] { literals.compactMap { if case .string(let text) = $0 { text } else { nil } } }
    /// Whether single values pass only if they equal a literal.
    var areLiterals: Bool { if case .literals = form { true } else { false } }
    var isSet: Bool { if case .literals(_, inLists: true) = form { true } else { false } }
    /// Whether lists with the same elements in `$in`-like sets can have different results.
    var looksIntoLists: Bool { if case .lists = form { true } else { false } }
    var areOrderedNumbers: Bool { if case .section(.scalar, _) = form { true } else { false } }
    /// Whether a text passes that equals none of the literals and is on no scale.
    var includesOtherText: Bool { if case .types(let types) = form { types.contains(.string) } else { false } }

    /// The scale on which the result for a text depends; `nil` if all texts but the literals have one result.
    func scale(at index: Int) -> TextScale.Kind? {
        switch form {
        case .section(let scale, _): return scale
        case .part(.prefix, _): return .beginning
        case .part(.suffix, _): return .ending
        case .part(.anywhere, _), .unknownTexts: return .opaque(index)
        case .lists: return nil
        // Text without a type is also of the type that it reads as.
        case .types(let types):
            return types.contains(.string) || types.isDisjoint(with: [.number, .boolean]) ? nil : .scalar
        case .literals(let ignoringCase, _):
            let isScalar = literals.contains {
                if case .number = $0 { true } else if case .boolean = $0 { true } else { false }
            }
            guard ignoringCase, !texts.isEmpty else { return isScalar ? .scalar : nil }
            return isScalar ? .opaque(index) : .folded
        }
    }

    /// The values that pass, on a scale, as texts with a type or without a type.
    func section(on scale: TextScale.Kind, areTyped: Bool) -> Section {
        switch form {
        case .section(let own, let section): return own == scale ? section : .nowhere
        case .types(let types):
            if areTyped { return .nowhere }
            return types.contains(.number) ? .everywhere : Section(.equal, types.contains(.boolean) ? [.yes, .no] : [])
        case .literals:
            let bounds = literals.compactMap { literal -> ScaleBound? in
                switch literal {
                case .number(let number): scale == .scalar ? .number(number.double) : nil
                case .boolean(let flag): scale == .scalar && !areTyped ? (flag ? .yes : .no) : nil
                case .string(let text): scale == .folded ? .text(UTF8Key(CaseFolding.text(text))) : nil
                case .null, .array, .object: nil
                }
            }
            return Section(.equal, bounds)
        case .part, .lists, .unknownTexts: return .nowhere
        }
    }
}
