import AllotConfiguration
import AllotCore

/// One way in which the tests of one attribute can come out together.
struct AttributeOption: Sendable {
    /// By the position of the test among those of the attribute.
    let results: [Bool]
    /// A value with these results; `nil` if none is known, and there may be none.
    var witness: Witness?
    /// Whether the attribute is missing or null.
    var isAbsent = false
    /// The knowledge of the unit ID, if the attribute holds one.
    var unit = UnitKnowledge.anyID
    /// Whether only single values have these results, so that they have no share of the units.
    var isRare = false

    /// A value of an attribute.
    enum Witness: Sendable, Hashable {
        case typed(JSONValue)
        /// From a query string or a CSV file.
        case untyped(String)

        func set(_ name: String, of subject: inout Subject) {
            switch self {
            case .typed(let value): subject.setTyped(name, value)
            case .untyped(let text): subject.setUntyped(name, text)
            }
        }

        /// As the command line takes it; `nil` for a missing attribute.
        var text: String? {
            switch self {
            case .typed(.null): nil
            case .typed(.string(let text)), .untyped(let text): text.isEmpty ? "\"\"" : text
            case .typed(let value): value.canonicalText
            }
        }
    }

    fileprivate struct Key: Hashable {
        let results: [Bool]
        let isAbsent: Bool
        let unit: UnitKnowledge
        let isRare: Bool
    }
}

/// The knowledge of the unit ID in an attribute.
enum UnitKnowledge: Sendable, Hashable {
    /// No valid ID.
    case absent
    /// An ID of which nothing else is known.
    case anyID
    /// One of these IDs, which do not matter for anything but their buckets.
    case oneOf([String])
    /// This ID.
    case id(String)
}

extension [AttributeOption] {
    /// Each way once, with a witness if there is one.
    var distinct: [AttributeOption] {
        var positions: [AttributeOption.Key: Int] = [:]
        var result: [AttributeOption] = []
        for option in self {
            let key = AttributeOption.Key(
                results: option.results, isAbsent: option.isAbsent, unit: option.unit, isRare: option.isRare)
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
