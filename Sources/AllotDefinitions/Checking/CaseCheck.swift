import AllotConfiguration

/// Finds names of one kind that differ in case only: many databases and file systems take them for one.
struct CaseCheck {
    private let kind: String
    private var names: [String: String] = [:]

    init(_ kind: String) { self.kind = kind }

    /// The warning about a name that differs in case only from one before it; `nil` if it does not.
    mutating func warning(_ name: String) -> String? {
        guard let twin = names.updateValue(name, forKey: name.lowercased()), !UTF8Order.areEqual(twin, name) else {
            return nil
        }
        return "the \(kind) \(QuotedText(twin)) and \(QuotedText(name)) differ in case only, and many databases and "
            + "file systems take them for one; rename one of them"
    }
}

extension FileReader {
    mutating func checkCase(of kind: String, _ fields: Fields) {
        var check = CaseCheck(kind)
        for (name, field) in fields.entries {
            if let message = check.warning(name) { warning(message, at: field, atKey: true) }
        }
    }
}
