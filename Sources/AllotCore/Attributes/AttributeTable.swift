import AllotConfiguration

/// The attributes that a plan uses, each with an index.
public struct AttributeTable: Sendable {
    /// The full names. Dots lead into objects.
    public private(set) var names: [String] = []
    private var indices: [UTF8Key: Int] = [:]

    package init() {}

    /// The index of a name, which is added if it is new.
    package mutating func enter(_ name: String) -> Int {
        if let index = indices[UTF8Key(name)] { return index }
        indices[UTF8Key(name)] = names.count
        names.append(name)
        return names.count - 1
    }

    /// The index of a name. Returns `nil` if the plan does not use the attribute.
    public func index(of name: String) -> Int? { indices[UTF8Key(name)] }
}
