import AllotConfiguration
import AllotCore

/// Reads a YAML file as a tree of positioned nodes, strictly: what could be read in two ways is an error. JSON's
/// literals alone are left of YAML's schema (`NO`, `on`, `0x10` and `2026-11-21` are text); anchors, aliases, merge
/// keys, tags, further documents, lists or maps as keys, keys written twice, invisible characters and deep nesting are
/// errors.
enum YAMLSource {
    /// The tree of a text. Returns `nil` if the tree would not say everything that is written. After a syntax error (a
    /// bracket that is not closed, say) the rest of the text is not checked. Complexity: O(size of the text), without
    /// recursion.
    static func parse(_ text: SourceText, problems: inout ProblemList) -> SourceNode? {
        guard text.hasOnlyYAMLCharacters(problems: &problems) else { return nil }
        var builder = YAMLTreeBuilder(text, problems: problems)
        do throws(YAMLSyntaxError) {
            let parser = try YAMLParser(text.bytes)
            while builder.add(try parser.next()) {}
        } catch { builder.add(error) }
        problems = builder.problems
        return builder.tree
    }

    /// The value of text without quotes. Only `true` and `false` are booleans, only `null`, `~` and nothing are null,
    /// only JSON's numbers are numbers; everything else is text.
    static func content(ofPlain text: String) -> SourceNode.Content {
        switch text {
        case "", "~", "null": .null
        case "true": .boolean(true)
        case "false": .boolean(false)
        case _ where JSONNumber.isNumber(text): .number(text)
        default: .text(text)
        }
    }
}

/// Builds the tree of one YAML document from its events, and reports what definitions do not support.
private struct YAMLTreeBuilder {
    private(set) var problems: ProblemList
    private let text: SourceText
    private var root: SourceNode?
    /// The lists and maps that are not closed yet, from the outermost inwards.
    private var open: [OpenCollection] = []
    /// Whether the tree says everything that is written, with nothing unsupported left out.
    private var isComplete = true
    private var hasDocument = false
    private var anchors: Set<String> = []
    /// The last scalar or alias, which is often the cause of a syntax error.
    private var lastScalar: YAMLEvent?

    private struct OpenCollection {
        let position: SourcePosition
        let isMap: Bool
        let isInBrackets: Bool
        let isKey: Bool
        var elements: [SourceNode] = []
        var map = UniqueEntries()
        var key: Key?
    }

    private enum Key {
        case text(String, LiteralStyle, SourcePosition)
        /// Something that cannot be a key and has been reported.
        case refused
    }

    init(_ text: SourceText, problems: ProblemList) { (self.text, self.problems) = (text, problems) }

    var tree: SourceNode? { isComplete ? root : nil }

    mutating func add(_ event: YAMLEvent) -> Bool {
        checkProperties(of: event)
        switch event.content {
        case .streamEnd:
            if root == nil { refuse("the file is empty; fill it, or remove it", at: nil) }
            return false
        case .documentStart(let hasTagDirectives): return startDocument(event, hasTagDirectives)
        case .alias(let name): addAlias(name, event)
        case .scalar(let text, let style): addScalar(text, style, event)
        case .collectionStart(let isMap, let isInBrackets):
            guard open.count < SourceTree.deepest else {
                refuse(
                    "lists and maps are nested more than \(SourceTree.deepest) levels deep; make the value flatter",
                    at: event.position)
                return false
            }
            let isKey = isKeyNext
            if isKey { refuse(YAMLMessage.collectionAsKey, at: event.position) }
            open.append(
                OpenCollection(position: event.position, isMap: isMap, isInBrackets: isInBrackets, isKey: isKey))
        case .collectionEnd: close()
        case .other: break
        }
        return true
    }

    /// Adds the error that ended the reading, unless it is the consequence of an alias on its line.
    mutating func add(_ error: YAMLSyntaxError) {
        isComplete = false
        let bracket = open.last { $0.isInBrackets }.map { (position: $0.position, isMap: $0.isMap) }
        let explanation = YAMLMessage(error, in: text, openBracket: bracket, lastScalar: lastScalar)
        // In text that starts with * and goes on after a space, the alias has been reported.
        if let lastScalar, case .alias = lastScalar.content, lastScalar.position.line == explanation.position.line {
            return
        }
        problems.add(explanation.text, at: explanation.position)
    }

    private mutating func refuse(_ message: String, at position: SourcePosition?, path: SourcePath = SourcePath()) {
        problems.add(message, at: position, path: path)
        isComplete = false
    }

    private mutating func startDocument(_ event: YAMLEvent, _ hasTagDirectives: Bool) -> Bool {
        if hasDocument {
            problems.add(
                "a second document starts here, and a file holds one; move it to a file of its own, or remove ---",
                at: event.position)
            return false
        }
        hasDocument = true
        if hasTagDirectives { refuse(YAMLMessage.directive, at: event.position) }
        return true
    }

    // MARK: Unsupported parts

    private mutating func checkProperties(of event: YAMLEvent) {
        if let anchor = event.anchor {
            problems.add(YAMLMessage.anchor, at: event.position)
            anchors.insert(anchor)
        }
        if event.hasTag {
            problems.add(
                "tags (!name) are not supported; put the value in quotes if it is text, or remove the tag",
                at: event.position)
        }
    }

    private mutating func addAlias(_ name: String, _ event: YAMLEvent) {
        lastScalar = event
        isComplete = false
        if !anchors.contains(name) {
            problems.add(
                "\(QuotedText("*" + name)) is an alias, which is not supported; put text that starts with * in quotes",
                at: event.position)
        }
        if isKeyNext {
            open[open.count - 1].key = .refused
        } else {
            add(SourceNode(position: event.position, content: .null))
        }
    }

    // MARK: The tree

    private var isKeyNext: Bool { open.last.map { $0.isMap && $0.key == nil } ?? false }

    private mutating func addScalar(_ text: String, _ style: YAMLEvent.ScalarStyle, _ event: YAMLEvent) {
        lastScalar = event
        if isKeyNext {
            open[open.count - 1].key = key(text, style, at: event.position)
        } else if open.isEmpty, style == .plain, text.isEmpty {
            // A document without content.
        } else {
            let isPlain = style == .plain && !event.hasTag
            let content = isPlain ? YAMLSource.content(ofPlain: text) : .text(text)
            let style: LiteralStyle = !isPlain ? .quoted : text.isEmpty ? .leftOut : .plain
            add(SourceNode(position: event.position, content: content, style: style))
        }
    }

    private mutating func key(_ text: String, _ style: YAMLEvent.ScalarStyle, at position: SourcePosition) -> Key {
        switch (style, text) {
        case (.block, _): refuse("text after | or > cannot be a key; write the key on one line", at: position)
        case (.plain, "<<"):
            refuse(
                "merge keys (<<) are not supported; write the members out, or use a segment", at: position, path: path)
        case (.plain, ""): refuse("a key is missing; write it, or \"\" for an empty one", at: position, path: path)
        default: return .text(text, style == .plain ? .plain : .quoted, position)
        }
        return .refused
    }

    private mutating func add(_ node: SourceNode) {
        let last = open.count - 1
        guard last >= 0 else {
            root = node
            return
        }
        guard open[last].isMap else {
            open[last].elements.append(node)
            return
        }
        let key = open[last].key
        open[last].key = nil
        guard case .text(let name, let style, let position) = key else { return }
        let entry = SourceEntry(key: name, keyStyle: style, keyPosition: position, value: node)
        if let problem = open[last].map.add(entry) {
            problems.add(problem, at: position, path: path.appending(key: name))
        }
    }

    private mutating func close() {
        guard let closed = open.popLast() else { return }
        if closed.isKey {
            open[open.count - 1].key = .refused
        } else {
            let content: SourceNode.Content = closed.isMap ? .map(closed.map.entries) : .list(closed.elements)
            add(SourceNode(position: closed.position, content: content))
        }
    }

    /// The path of the innermost list or map. Complexity: O(depth), so only for messages.
    private var path: SourcePath {
        var path = SourcePath()
        for collection in open.dropLast() {
            if case .text(let key, _, _) = collection.key {
                path = path.appending(key: key)
            } else if !collection.isMap {
                path = path.appending(index: collection.elements.count)
            }
        }
        return path
    }
}
