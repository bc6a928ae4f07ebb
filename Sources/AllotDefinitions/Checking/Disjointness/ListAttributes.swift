import AllotCore

/// The attributes that are lists, as far as audiences show: one of their tests is about lists.
struct ListAttributes: Sendable {
    private var attributes: Set<Int> = []

    init(_ audiences: some Sequence<Condition>, numbers: inout Interner) {
        for audience in audiences { collect(audience, &numbers) }
    }

    /// Whether an attribute, which is numbered, is a list.
    func contains(_ attribute: Int) -> Bool {
        attributes.contains(attribute)
    }

    private mutating func collect(_ condition: Condition, _ numbers: inout Interner) {
        switch condition {
        case .all(let parts), .any(let parts):
            for part in parts { collect(part, &numbers) }
        case .not(let part), .segment(_, let part): collect(part, &numbers)
        case .test(let test):
            guard let attribute = test.attribute else { return }
            switch test.predicate {
            case .hasAll, .hasElement, .size, .type(.array), .equals(.array):
                attributes.insert(numbers.number(of: attribute))
            default: break
            }
        }
    }
}
