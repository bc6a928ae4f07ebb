import AllotConfiguration
import AllotCore

/// A value with its place in a file and its path from the root.
package struct Field: Sendable {
    package let node: SourceNode
    package let path: SourcePath
    /// Where the key of the value starts; for a value without a key, where the value starts.
    package let keyPosition: SourcePosition

    package init(_ node: SourceNode, path: SourcePath = SourcePath(), keyPosition: SourcePosition? = nil) {
        (self.node, self.path) = (node, path)
        self.keyPosition = keyPosition ?? node.position
    }

    package var position: SourcePosition { node.position }

    /// The place alone, which keeps nothing of the file in memory.
    var withoutContent: Field {
        Field(SourceNode(position: position, content: .null), path: path, keyPosition: keyPosition)
    }

    package func member(_ key: String) -> Field? {
        guard case .map(let entries) = node.content else { return nil }
        return Fields(entries, path: path)[key]
    }
}

extension Field: ConditionNode {
    package var json: JSONValue { node.json }

    package var style: LiteralStyle { node.style }
    package var members: [(key: String, value: Field)]? { entries?.sorted { UTF8Order.precedes($0.key, $1.key) } }

    package var entries: [(key: String, value: Field)]? {
        guard case .map(let entries) = node.content else { return nil }
        return Fields(entries, path: path).entries
    }

    package var elements: [Field]? {
        guard case .list(let elements) = node.content else { return nil }
        return elements.enumerated().map { Field($1, path: path.appending(index: $0)) }
    }
}

package struct Fields: Sendable {
    private let written: [SourceEntry]
    private let path: SourcePath

    init(_ written: [SourceEntry], path: SourcePath) { (self.written, self.path) = (written, path) }

    package var entries: [(key: String, value: Field)] {
        written.indices.map { (key: written[$0].key, value: field(at: $0)) }
    }

    package var isEmpty: Bool { written.isEmpty }
    var keyStyles: [LiteralStyle] { written.map(\.keyStyle) }

    /// The field of a key. Complexity: O(entries), which for the few known keys of a map is less than a table's.
    package subscript(key: String) -> Field? {
        // By index, because an entry is large to copy.
        written.indices.first { UTF8Order.areEqual(written[$0].key, key) }.map(field)
    }

    func unknown(_ known: [String]) -> [(key: String, value: Field)] {
        written.indices.filter { index in !known.contains { UTF8Order.areEqual($0, written[index].key) } }
            .map { (key: written[$0].key, value: field(at: $0)) }
    }

    private func field(at index: Int) -> Field {
        Field(
            written[index].value, path: path.appending(key: written[index].key),
            keyPosition: written[index].keyPosition)
    }
}

/// Reads the values of one file as the expected types, and collects every problem.
package struct FileReader: Sendable {
    package private(set) var problems: ProblemList
    package let limits: DefinitionLimits
    /// The number of errors so far, listed or not.
    private var errorCount = 0

    package init(file: String, limits: DefinitionLimits = DefinitionLimits()) {
        problems = ProblemList(file: file)
        self.limits = limits
    }

    package var file: String { problems.file }

    package mutating func isFaultless(_ body: (inout FileReader) -> Void) -> Bool {
        let count = errorCount
        body(&self)
        return errorCount == count
    }

    package mutating func error(_ message: String, at field: Field, atKey: Bool = false) {
        errorCount += 1
        problems.add(message, at: atKey ? field.keyPosition : field.position, path: field.path)
    }

    package mutating func warning(_ message: String, at field: Field, atKey: Bool = false) {
        problems.add(message, .warning, at: atKey ? field.keyPosition : field.position, path: field.path)
    }

    // MARK: Maps and lists

    /// The entries of a map such as `form`; `nil` (and an error) for anything else. If only some keys are known, any
    /// other one is an error with its fix, or with the nearest known one as a hint.
    package mutating func fields(
        _ field: Field, of what: @autoclosure () -> String, form: @autoclosure () -> String, known: [String]? = nil,
        fixes: [String: String] = [:]
    ) -> Fields? {
        guard case .map(let entries) = field.node.content else {
            error("\(what()) is \(field.node.described); write \(form())", at: field)
            return nil
        }
        let fields = Fields(entries, path: field.path)
        guard let known else { return fields }
        let keys = known.count == 1 ? "the only key is" : "the keys are"
        for entry in fields.unknown(known) {
            let fix = fixes[entry.key] ?? Self.hint(entry.key, known, what: keys)
            error("unknown key \(QuotedText(entry.key)) in \(what()); \(fix)", at: entry.value, atKey: true)
        }
        return fields
    }

    /// The elements of a list; `nil` (and an error) for anything else.
    package mutating func elements(_ field: Field, of what: String, form: String) -> [Field]? {
        guard let elements = field.elements else {
            let form =
                switch field.node.content {
                case .text(let text): DoubtfulText.listFix(for: text)
                case .boolean, .number: "write [\(field.node.json.canonicalText)]"
                default: "a list is expected, such as \(form)"
                }
            error("\(what) is \(field.node.described); \(form)", at: field)
            return nil
        }
        return elements
    }

    /// `did you mean "traffic"?`, or a list of the names.
    package static func hint(_ name: String, _ known: [String], what: String) -> String {
        if let nearest = NearestName.hint(for: name, among: known) { return "did you mean \(QuotedText(nearest))?" }
        let shown = known.prefix(hintLimit).joined(separator: ", ")
        return known.isEmpty ? "none is defined" : "\(what) \(shown)\(known.count > hintLimit ? ", …" : "")"
    }

    private static let hintLimit = 20

    // MARK: Scalars

    /// Text. For a number or boolean the error says to put it in quotes.
    package mutating func text(_ field: Field, _ what: String) -> String? {
        switch field.node.content {
        case .text(let text): return text
        case .number(let digits):
            error(
                "\(what) is \(field.node.described); text is expected, so write \(QuotedText(digits)) in quotes",
                at: field)
        case .boolean(let flag):
            error("\(what) is \(flag); text is expected, so write \"\(flag)\" in quotes", at: field)
        case .null: error("\(what) is null; text is expected, so write it, or leave the key out", at: field)
        case .list, .map: error("\(what) is \(field.node.described); text is expected", at: field)
        }
        return nil
    }

    /// Text of a certain form, which the error for anything else states.
    package mutating func text(_ field: Field, _ what: String, form: @autoclosure () -> String) -> String? {
        if case .text(let text) = field.node.content { return text }
        error("\(what) is \(field.node.described); \(form())", at: field)
        return nil
    }

    package mutating func text(_ fields: Fields, _ key: String) -> String? { fields[key].flatMap { text($0, key) } }

    /// A whole number in a range. Returns `nil` for anything else, with an error that states the form.
    mutating func wholeNumber(
        _ field: Field, _ what: String, in range: ClosedRange<Int>, form: @autoclosure () -> String
    ) -> Int? {
        if case .number(let digits) = field.node.content, let number = Int(digits), range.contains(number) {
            return number
        }
        error("\(what) is \(field.node.described); \(form())", at: field)
        return nil
    }

    /// One of the names of a key, such as the types. Returns `nil` for anything else, with an error.
    mutating func oneOf(_ names: [String], _ fields: Fields, _ key: String) -> String? {
        let form = "the \(key.hasSuffix("s") ? key : key + "s") are"
        guard let field = fields[key], let name = text(field, key, form: "\(form) \(names.joined(separator: ", "))")
        else { return nil }
        if names.contains(name) { return name }
        error("unknown \(key) \(QuotedText(name)); \(Self.hint(name, names, what: form))", at: field)
        return nil
    }

    mutating func name(_ field: Field, _ what: String) -> String? {
        guard let text = text(field, what) else { return nil }
        return isName(text, what, at: field) ? text : nil
    }
}
