@_spi(Groups) @testable import AllotCore

/// Subjects that are decided together: the attributes of all, one subject after another, and then what their lists
/// hold.
struct SubjectGroup {
    let count: Int
    private(set) var values: [AttributeValue] = []
    private(set) var bytes: [UInt8] = []

    init(_ subjects: [PreparedSubject]) {
        count = subjects.count
        var elements: [AttributeValue] = []
        for (row, subject) in subjects.enumerated() {
            let attributeCount = subject.plan.attributes.names.count
            // Elements are counted from their subject's first value.
            let shift = (count - row - 1) * attributeCount + elements.count
            let moved = subject.values.map { value in
                AttributeValue(
                    value.kind, start: value.start + (value.kind == .array ? shift : bytes.count), length: value.length,
                    number: value.number)
            }
            values += moved[..<attributeCount]
            elements += moved[attributeCount...]
            bytes += subject.bytes
        }
        values += elements
    }
}

extension AttributeBuffer {
    /// Replaces all attributes.
    mutating func fill(_ attributes: [String: String]) {
        removeAll()
        for (name, text) in attributes {
            let start = bytes.count
            bytes += Array(name.utf8)
            let middle = bytes.count
            bytes += Array(text.utf8)
            setUntyped(name: start..<middle, value: middle..<bytes.count)
        }
    }
}

extension Subject {
    init(untyped attributes: [String: String]) {
        self.init()
        for (name, text) in attributes { setUntyped(name, text) }
    }
}

extension Evaluator {
    mutating func evaluate(_ group: SubjectGroup) { evaluate(group: group.count, group.values.span, group.bytes.span) }
}
