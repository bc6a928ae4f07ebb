import AllotConfiguration

/// A subject in the layout of one plan: values by the plan's attribute indices, and texts in one buffer.
///
/// Prepare a subject once if it is decided more than once.
///
/// ```swift
/// func decide(_ plan: Plan) -> [Decision] {
///     let subject = PreparedSubject(Subject(id: "user-42", attributes: ["country": "DE"]), for: plan)
///     var evaluator = Evaluator(plan: plan, at: .now)
///     evaluator.evaluate(subject)
///     return evaluator.decisions
/// }
/// ```
public struct PreparedSubject: Sendable {
    /// The plan that gives the indices their meaning.
    let plan: Plan
    private(set) var values: [AttributeValue]
    private(set) var bytes: [UInt8] = []
    private var unitStart: Int?

    /// Looks up every attribute of the plan in the subject.
    ///
    /// Complexity: O(attributes of the plan + size of their values).
    public init(_ subject: Subject, for plan: Plan) {
        self.plan = plan
        let names = plan.attributes.names
        values = Array(repeating: .missing, count: names.count)
        for (index, name) in names.enumerated() {
            switch subject.value(of: name) {
            case .untyped(let text): values[index] = append(text, as: .untyped)
            case .typed(let value): values[index] = append(value)
            case nil: break
            }
        }
    }

    /// Removes the unit ID before another one is set. Many units with the same attributes can share one prepared
    /// subject.
    package mutating func removeUnit() {
        let start = unitStart ?? bytes.count
        unitStart = start
        bytes.removeLast(bytes.count - start)
    }

    /// Sets an attribute that holds the unit ID, or a part of it.
    package mutating func addUnitPart(_ attribute: Int, _ part: ArraySlice<UInt8>) {
        values[attribute] = .untyped(start: bytes.count, length: part.count)
        bytes.append(contentsOf: part)
    }

    package func holds(_ attribute: Int) -> Bool { !values[attribute].isAbsent }

    private mutating func append(_ text: String, as kind: AttributeValue.Kind) -> AttributeValue {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return AttributeValue(kind, start: start, length: bytes.count - start)
    }

    private mutating func append(_ value: JSONValue) -> AttributeValue {
        switch value {
        case .null: return AttributeValue(.null)
        case .boolean(let flag): return AttributeValue(.boolean, length: flag ? 1 : 0)
        case .string(let text): return append(text, as: .text)
        case .number(let number): return append(number)
        case .array(let elements):
            let start = values.count
            values.append(contentsOf: repeatElement(.missing, count: elements.count))
            for (index, element) in elements.enumerated() { values[start + index] = append(element) }
            return AttributeValue(.array, start: start, length: elements.count)
        case .object(let object):
            let start = values.count
            values.append(contentsOf: repeatElement(.missing, count: object.members.count * 2))
            for (index, member) in object.members.enumerated() {
                values[start + index * 2] = append(member.key, as: .text)
                values[start + index * 2 + 1] = append(member.value)
            }
            return AttributeValue(.object, start: start, length: object.members.count)
        }
    }

    private mutating func append(_ number: JSONNumber) -> AttributeValue {
        guard let text = UnitID.digits(of: number) else { return AttributeValue(.number, number: number.double) }
        let digits = append(text, as: .text)
        return AttributeValue(.number, start: digits.start, length: digits.length, number: number.double)
    }
}
