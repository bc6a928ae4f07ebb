import AllotConfiguration

/// A subject without types that is filled in place, for one plan, in memory that is used again.
///
///     form.removeAll()
///     form.bytes.append(contentsOf: "country=DE".utf8)
///     form.setUntyped(name: 0..<7, value: 8..<10)
///     evaluator.evaluate(form)
package struct SubjectForm: Sendable {
    /// What names and values point into; all that they point at must be UTF-8.
    package var bytes: [UInt8] = []
    private(set) var values: [AttributeValue]
    private let names: ByteTable
    private let defaultUnit: Int?

    /// Makes a form for the attributes of a plan.
    package init(_ plan: Plan) {
        values = Array(repeating: .missing, count: plan.attributes.names.count)
        names = ByteTable(plan.attributes.names.enumerated().map { (Array($0.element.utf8), $0.offset) })
        defaultUnit = plan.attributes.index(of: Subject.defaultUnit)
    }

    /// Makes the form empty.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        for index in values.indices { values[index] = .missing }
    }

    /// Sets an attribute; one that the plan does not look at is passed over.
    package mutating func setUntyped(name: Range<Int>, value: Range<Int>) {
        guard let index = names.find(bytes.span.extracting(name)) else { return }
        setUntyped(index, value: value)
    }

    /// Sets an attribute by its index in the plan's table.
    package mutating func setUntyped(_ attribute: Int, value: Range<Int>) {
        values[attribute] = .untyped(start: value.lowerBound, length: value.count)
    }

    /// Sets the attribute `user_id`.
    package mutating func setUnit(_ value: Range<Int>) {
        guard let defaultUnit else { return }
        values[defaultUnit] = .untyped(start: value.lowerBound, length: value.count)
    }
}
