import AllotConfiguration

/// Something that one of the shared files defines or mentions, with the place that later checks point at.
struct Positioned<Value: Sendable>: Sendable {
    let value: Value
    let file: String
    let field: Field
}

/// The names of one kind of definition, as far as they are known: names that an unreadable file may define are not
/// reported as unknown.
struct KnownNames: Sendable {
    private(set) var names: Set<UTF8Key> = []
    /// Whether there can be no other name.
    private(set) var isComplete = true

    /// The names of a file that cannot be read.
    static let unknown = KnownNames(names: [], isComplete: false)

    /// Whether it is certain that nothing has this name.
    func lacks(_ name: String) -> Bool {
        isComplete && !names.contains(UTF8Key(name))
    }

    mutating func insert(_ name: String) {
        names.insert(UTF8Key(name))
    }

    /// The name that was probably meant, or a list of the names.
    func hint(_ name: String, what: String) -> String {
        FileReader.hint(name, names.sorted().map(\.text), what: what)
    }
}
