internal import CLibYAML

struct YAMLEvent: Sendable {
    enum Content: Sendable {
        case streamEnd
        case documentStart(hasTagDirectives: Bool)
        case scalar(String, style: ScalarStyle)
        case alias(name: String)
        case collectionStart(isMap: Bool, isInBrackets: Bool)
        case collectionEnd
        /// The start of the stream and the end of a document, which no tree needs.
        case other
    }

    enum ScalarStyle: Sendable {
        case plain
        /// In single or double quotes.
        case quoted
        case block
    }

    let content: Content
    /// The start of the event: of its anchor or tag, if it has one.
    let position: SourcePosition
    /// The characters from its start to its end, counted from the start of the text.
    let characters: Range<Int>
    private(set) var anchor: String?
    private(set) var hasTag = false
}

struct YAMLSyntaxError: Error {
    let problem: String
    let position: SourcePosition
    /// The construct around it, `while parsing a flow mapping`; empty if libyaml does not name it.
    let context: String
    let contextPosition: SourcePosition?
}

/// libyaml's parser, which cuts text into events without recursion, and owns the C objects and a copy of the text. This
/// is the only file that imports libyaml.
struct YAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) throws(YAMLSyntaxError) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) != 0 else {
            parser.deallocate()
            throw YAMLSyntaxError(problem: "out of memory", position: .start, context: "", contextPosition: nil)
        }
        self.parser = parser
        text = .allocate(capacity: bytes.count)
        _ = text.initialize(fromContentsOf: bytes)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    func next() throws(YAMLSyntaxError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) != 0 else { throw YAMLSyntaxError(parser.pointee) }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event)
    }
}

extension YAMLEvent {
    fileprivate init(_ event: yaml_event_t) {
        position = SourcePosition(event.start_mark)
        characters = event.start_mark.index..<max(event.start_mark.index, event.end_mark.index)
        switch event.type {
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: content = .streamEnd
        case YAML_DOCUMENT_START_EVENT:
            let directives = event.data.document_start.tag_directives
            content = .documentStart(hasTagDirectives: directives.start != directives.end)
        case YAML_ALIAS_EVENT: content = .alias(name: Self.text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let style: ScalarStyle =
                switch scalar.style {
                case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
                case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
                default: .plain
                }
            content = .scalar(String(decoding: bytes, as: UTF8.self), style: style)
            (anchor, hasTag) = (Self.text(scalar.anchor), scalar.tag != nil)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            content = .collectionStart(isMap: false, isInBrackets: start.style == YAML_FLOW_SEQUENCE_STYLE)
            (anchor, hasTag) = (Self.text(start.anchor), start.tag != nil)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            content = .collectionStart(isMap: true, isInBrackets: start.style == YAML_FLOW_MAPPING_STYLE)
            (anchor, hasTag) = (Self.text(start.anchor), start.tag != nil)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: content = .collectionEnd
        default: content = .other
        }
    }

    private static func text(_ bytes: UnsafePointer<yaml_char_t>?) -> String? { bytes.map { String(cString: $0) } }
}

extension YAMLSyntaxError {
    fileprivate init(_ parser: yaml_parser_t) {
        problem = parser.problem.map { String(cString: $0) } ?? "out of memory"
        position = SourcePosition(parser.problem == nil ? parser.mark : parser.problem_mark)
        context = parser.context.map { String(cString: $0) } ?? ""
        contextPosition = parser.context.map { _ in SourcePosition(parser.context_mark) }
    }
}

extension SourcePosition {
    fileprivate init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }
}
