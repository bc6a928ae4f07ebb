import AllotConfiguration

/// Tests of one attribute, at least one of which has to hold for its value, in Allot's condition language.
///
/// Most systems compare values of one type only, while Allot also reads text as a number where the literal is one. So
/// number literals are tested together with the type.
struct AttributeAlternatives {
    let attribute: String
    /// Whether an element of a list may satisfy the tests instead of the value itself.
    let includesElements: Bool
    private var scalars: [JSONValue] = []
    private var numbers: [JSONValue] = []
    private var tests: [JSONValue] = []
    private var elementTests: [JSONValue] = []

    init(_ attribute: String, includesElements: Bool = false) {
        self.attribute = attribute
        self.includesElements = includesElements
    }

    mutating func add(equalTo literal: JSONValue) {
        switch literal {
        case .string, .boolean: scalars.append(literal)
        case .number: numbers.append(literal)
        case .null: elementTests.append(["$type": "null"])
        case .array, .object: tests.append(["$eq": literal])
        }
    }

    /// The value satisfies operators, such as `["$startsWith": "a"]`.
    mutating func add(_ operators: JSONValue) { tests.append(operators) }

    mutating func add(number operators: (key: String, value: JSONValue)) {
        tests.append(["$type": "number", operators.key: operators.value])
    }

    var condition: JSONValue {
        var found: [JSONValue] = []
        var tests = tests
        if !scalars.isEmpty {
            // `$in` looks into lists.
            if includesElements {
                found.append([attribute: ["$in": .array(scalars)]])
            } else {
                tests.insert(Self.isOne(of: scalars), at: 0)
            }
        }
        if !numbers.isEmpty { tests.append(Self.number(isOneOf: numbers)) }
        found += tests.map { [attribute: $0] }
        if includesElements { found += (tests + elementTests).map { [attribute: ["$elemMatch": $0]] } }
        return .any(found)
    }

    private static func number(isOneOf literals: [JSONValue]) -> JSONValue {
        literals.count == 1 ? ["$type": "number", "$eq": literals[0]] : ["$type": "number", "$in": .array(literals)]
    }

    private static func isOne(of literals: [JSONValue]) -> JSONValue {
        if literals.count == 1 { return ["$eq": literals[0]] }
        let areTexts = literals.allSatisfy(\.isText)
        // `$in` looks into lists.
        return areTexts
            ? ["$in": .array(literals), "$type": "string"] : ["$in": .array(literals), "$not": ["$type": "array"]]
    }
}

extension JSONNumber {
    /// Whether each number that compares as equal with this one is the same number: from 2⁵³ on, different whole
    /// numbers share a double.
    var isExactAsDouble: Bool { double.magnitude < 9_007_199_254_740_992 }
}
