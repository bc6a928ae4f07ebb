import AllotConfiguration

/// Allot's names of the other system's attributes.
struct AttributeNames {
    private let names: [UTF8Key: String]

    /// - Throws: A problem if two attributes of the payload would have one name, or if it has no attribute of a name.
    init(_ names: [String: String], in project: ImportedProject) throws(ImportError) {
        self.names = Dictionary(names.map { (UTF8Key($0), $1) }, uniquingKeysWith: { first, _ in first })
        var used: Set<UTF8Key> = []
        _ = project.renamingAttributes { name in
            used.insert(UTF8Key(name))
            return name
        }
        var sources: [UTF8Key: String] = [:]
        for name in used.sorted() {
            let new = self.name(name.text)
            if let other = sources[UTF8Key(new)] {
                throw .attribute(
                    "the attributes \(QuotedText(other)) and \(QuotedText(name.text)) would both be "
                        + "\(QuotedText(new)); give one of them another name with --unit")
            }
            sources[UTF8Key(new)] = name.text
        }
        for name in names.keys.sorted(by: UTF8Order.precedes) where !used.contains(UTF8Key(name)) {
            let known = used.sorted().map(\.text)
            throw .attribute(
                "--unit names the attribute \(QuotedText(name)), which the payload does not use; it uses "
                    + known.prefix(20).map { QuotedText($0).description }.joined(separator: ", ")
                    + (known.count > 20 ? ", …" : ""))
        }
    }

    func name(_ name: String) -> String {
        names[UTF8Key(name)] ?? name
    }
}
