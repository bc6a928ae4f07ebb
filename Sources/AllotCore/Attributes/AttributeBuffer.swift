import AllotConfiguration

/// The untyped attributes of one subject, in memory that is reused for the next: a plan's lean form of ``Subject``.
package struct AttributeBuffer: Sendable {
    /// The text of the names and values, which must be UTF-8 in their ranges.
    package var bytes: [UInt8] = []
    private(set) var values: [AttributeValue]
    private let names: ByteTable
    private let defaultUnit: Int?

    package init(_ plan: Plan) {
        values = Array(repeating: .missing, count: plan.attributes.names.count)
        names = ByteTable(plan.attributes.names.enumerated().map { (Array($0.element.utf8), $0.offset) })
        defaultUnit = plan.attributes.index(of: Subject.defaultUnit)
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        for index in values.indices { values[index] = .missing }
    }

    /// Sets an attribute. Returns `false`, and does nothing, if the plan does not use it.
    @discardableResult package mutating func setUntyped(name: Range<Int>, value: Range<Int>) -> Bool {
        guard let index = names.find(bytes.span.extracting(name)) else { return false }
        setUntyped(index, value: value)
        return true
    }

    package mutating func setUntyped(_ attribute: Int, value: Range<Int>) {
        values[attribute] = .untyped(start: value.lowerBound, length: value.count)
    }

    /// Sets the attribute `user_id`.
    package mutating func setUnit(_ value: Range<Int>) {
        guard let defaultUnit else { return }
        setUntyped(defaultUnit, value: value)
    }
}
