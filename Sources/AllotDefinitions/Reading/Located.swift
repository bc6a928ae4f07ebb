import AllotConfiguration

/// A named thing of one of the shared files, with the places that later checks point at.
struct Located<Value: Sendable>: Sendable {
    let value: Value
    let file: String
    let field: Field
}

/// The names of one kind of thing, as far as they are known: what a file that cannot be read may define is not called
/// unknown.
struct KnownNames: Sendable {
    private(set) var names: Set<UTF8Key> = []
    /// Whether there can be no other name.
    private(set) var isComplete = true

    /// Nothing is known.
    static let unknown = KnownNames(names: [], isComplete: false)

    /// Whether it is certain that nothing has this name.
    func lacks(_ name: String) -> Bool {
        isComplete && !names.contains(UTF8Key(name))
    }

    mutating func insert(_ name: String) {
        names.insert(UTF8Key(name))
    }

    /// What the name was meant to be, or what the names are.
    func hint(_ name: String, what: String) -> String {
        FileReader.hint(name, names.sorted().map(\.text), what: what)
    }
}
