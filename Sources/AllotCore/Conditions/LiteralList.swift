import AllotConfiguration

/// The literals that a list of a condition or a group names. A group can have many members and be used by many
/// conditions, so what is derived from the members is made once.
package struct LiteralList: Sendable, ExpressibleByArrayLiteral {
    package let literals: [JSONValue]
    /// Each literal once, in order: their order and repetition change no result.
    let canonical: JSONValue

    package init(_ literals: [JSONValue]) {
        self.literals = literals
        let byText = literals.map { literal in
            let value = literal.withNumbersByValue
            return (key: value.canonicalText, value: value)
        }
        canonical = .array(JSONObject(byText).members.map(\.value))
    }

    package init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension LiteralList: Hashable {
    /// Lists are equal if no value can tell them apart.
    package static func == (left: Self, right: Self) -> Bool { left.canonical == right.canonical }

    package func hash(into hasher: inout Hasher) {
        // Enough to tell lists apart, without reading thousands of members for each use of a group.
        guard case .array(let members) = canonical else { return }
        hasher.combine(members.count)
        for member in members.prefix(16) { hasher.combine(member) }
    }
}
