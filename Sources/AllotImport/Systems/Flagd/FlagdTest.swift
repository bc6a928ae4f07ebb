import AllotConfiguration

/// Tests of an attribute as JsonLogic makes them. A list stands for its only element, or else for 0 and "".
struct FlagdTest {
    private let name: String

    init(_ name: String) { self.name = name }

    var isTrue: JSONValue {
        .all([
            .test(name, ["$exists": true]),
            .not(
                .any([
                    .test(name, ["$eq": false]), .test(name, ["$eq": ""]),
                    .test(name, ["$type": "number", "$eq": 0]), .test(name, ["$size": 0]),
                ])),
        ])
    }

    /// `===`, for which `true` is 1 and `false` is 0. Returns `nil` for lists and objects.
    func isIdentical(to literal: JSONValue) -> JSONValue? {
        switch literal {
        case .null: return .test(name, ["$exists": false])
        case .string: return .test(name, ["$eq": literal])
        case .boolean(let flag): return .any(numberTests(JSONNumber(flag ? 1 : 0)))
        case .number(let number): return .any(numberTests(number))
        case .array, .object: return nil
        }
    }

    private func numberTests(_ number: JSONNumber) -> [JSONValue] {
        let tests = [JSONValue.test(name, ["$type": "number", "$eq": .number(number)])]
        return switch number.double {
        case 0: tests + [.test(name, ["$eq": false])]
        case 1: tests + [.test(name, ["$eq": true])]
        default: tests
        }
    }

    /// `in` a list. Returns `nil` if the list has lists or objects.
    func isOne(of values: [JSONValue]) -> JSONValue? {
        if !values.isEmpty, values.allSatisfy(\.isText) {
            return .test(name, ["$type": "string", "$in": .array(values)])
        }
        let alternatives = values.compactMap(isIdentical(to:))
        return alternatives.count == values.count ? .any(alternatives) : nil
    }

    /// A text is `in` the attribute, as a part of a text or as an element of a list.
    func contains(_ text: String) -> JSONValue {
        .any([.test(name, ["$contains": .string(text)]), .test(name, ["$elemMatch": ["$eq": .string(text)]])])
    }

    /// `==`. Returns `nil` for lists and objects, and for texts that lists could stand for in several ways.
    func isEqual(to literal: JSONValue) -> JSONValue? {
        switch literal {
        case .null:
            return .any([
                .test(name, ["$exists": false]), .test(name, ["$eq": false]),
                .test(name, ["$type": "number", "$eq": 0]),
            ])
        case .boolean(let flag): return compares("$eq", JSONNumber(flag ? 1 : 0))
        case .number(let number): return compares("$eq", number)
        case .string(let text): return text.contains(",") ? nil : isText(text)
        case .array, .object: return nil
        }
    }

    private func isText(_ text: String) -> JSONValue {
        var tests = [JSONValue.test(name, ["$eq": .string(text)])]
        var elements: [JSONValue] = [["$eq": .string(text)]]
        if text.isEmpty { tests.append(.test(name, ["$size": 0])) }
        if text == "null" { elements.append(["$eq": .null]) }
        if text == "True" { elements.append(["$eq": true]) }
        if text == "False" { elements.append(["$eq": false]) }
        if text == "[object Object]" {
            tests.append(.test(name, ["$type": "object"]))
            elements.append(["$type": "object"])
        }
        if let number = RustNumber.number(of: text.trimmed) { tests += numberTests(number) }
        if let number = RustNumber.number(writtenAs: text) {
            elements.append(["$type": "number", "$eq": .number(number)])
        }
        tests.append(.test(name, ["$size": 1, "$elemMatch": .any(elements)]))
        return .any(tests)
    }

    /// A comparison with a number: texts count as the number that they read as, and a missing attribute as 0.
    func compares(_ comparison: String, _ number: JSONNumber) -> JSONValue {
        let test: JSONValue = .object([comparison: .number(number)])
        var tests = [JSONValue.object([name: test])]
        var elements = [test]
        if number.double.admits(1, comparison) {
            tests.append(.test(name, ["$eq": true]))
            elements.append(["$eq": true])
        }
        if number.double.admits(0, comparison) {
            tests += [.test(name, ["$eq": false]), .test(name, ["$exists": false]), .test(name, ["$size": 0])]
            elements += [["$eq": false], ["$eq": .null]]
        }
        tests.append(.test(name, ["$size": 1, "$elemMatch": .any(elements)]))
        return .any(tests)
    }
}
