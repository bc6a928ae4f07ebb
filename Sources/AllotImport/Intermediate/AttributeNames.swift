import AllotConfiguration

struct AttributeNames {
    private var names: [UTF8Key: String]

    /// - Throws: A problem if two attributes of the payload would have one name, or if it has no attribute of a name.
    init(_ names: [String: String], in project: ImportedProject) throws(ImportError) {
        self.names = Dictionary(names.map { (UTF8Key($0), $1) }, uniquingKeysWith: { first, _ in first })
        var used: Set<UTF8Key> = []
        _ = project.renamingAttributes { name in
            used.insert(UTF8Key(name))
            return name
        }
        // A unit ID that is not an attribute of the other system gets a name of Allot's.
        if let standard = project.unitName, self.names[UTF8Key(project.mainUnit)] == nil {
            let key = UTF8Key(standard)
            // Where no attribute has the standard name, a name for it is one for the unit ID too.
            let given = used.contains(key) ? nil : self.names.removeValue(forKey: key)
            self.names[UTF8Key(project.mainUnit)] = given ?? standard
        }
        var sources: [UTF8Key: String] = [:]
        for name in used.sorted() {
            let new = self.name(name.text)
            if let other = sources[UTF8Key(new)] {
                let isUnit = project.unitName != nil && UTF8Order.areEqual(other, project.mainUnit)
                let both = isUnit ? ("unit ID", "the attribute ") : ("attributes", "")
                throw .attribute(
                    "the \(both.0) \(QuotedText(other)) and \(both.1)\(QuotedText(name.text)) would both be "
                        + "\(QuotedText(new)); give one of them another name")
            }
            sources[UTF8Key(new)] = name.text
        }
        for name in self.names.keys.sorted() where !used.contains(name) {
            let known = used.sorted().map(\.text).quoted(atMost: 20)
            throw .attribute("the payload does not use the attribute \(QuotedText(name.text)); it uses \(known)")
        }
    }

    func name(_ name: String) -> String { names[UTF8Key(name)] ?? name }
}
