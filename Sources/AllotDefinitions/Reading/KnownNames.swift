import AllotConfiguration

/// A file whose name is fixed, which defines what experiments share.
protocol SharedFile: Sendable {
    init()
    static var unreadable: Self { get }
    init(_ root: SourceNode, reader: inout FileReader)
}

/// A definition or a name in one of the shared files, with the place that later checks report.
struct Positioned<Value: Sendable>: Sendable {
    let value: Value
    let file: String
    let field: Field

    func unit(_ attribute: String) -> Positioned<String> {
        Positioned<String>(value: attribute, file: file, field: field.member("unit") ?? field)
    }

    func problem(_ message: String, _ severity: DefinitionProblem.Severity = .error) -> DefinitionProblem {
        DefinitionProblem(severity, file: file, at: field, message)
    }
}

extension Positioned<String> {
    /// The attributes of a unit, each at its element of a list.
    var unitParts: [Positioned<String>] {
        let names = CompositeUnit.parts(of: value)
        guard names.count > 1, let elements = field.elements, elements.count == names.count else {
            return names.map { Positioned(value: $0, file: file, field: field) }
        }
        return zip(names, elements).map { Positioned(value: $0, file: file, field: $1) }
    }
}

/// The names of one kind of definition, as far as they are known: names that an unreadable file may define are not
/// reported as unknown.
struct KnownNames: Sendable {
    private(set) var names: Set<UTF8Key> = []
    private(set) var isComplete = true
    static let unknown = KnownNames(names: [], isComplete: false)

    func lacks(_ name: String) -> Bool { isComplete && !names.contains(UTF8Key(name)) }
    mutating func insert(_ name: String) { names.insert(UTF8Key(name)) }
}

/// Hints for unknown names. The known names are sorted once, and each unknown one is compared with them once.
struct NameHints: Sendable {
    private let names: KnownNames
    /// The beginning of a list of the names.
    private let what: String
    private lazy var sorted = names.names.sorted().map(\.text)
    private var hints: [UTF8Key: String] = [:]

    init(_ names: KnownNames, what: String) { (self.names, self.what) = (names, what) }

    mutating func hint(_ name: String) -> String {
        if let known = hints[UTF8Key(name)] { return known }
        let hint = FileReader.hint(name, sorted, what: what)
        hints[UTF8Key(name)] = hint
        return hint
    }
}
