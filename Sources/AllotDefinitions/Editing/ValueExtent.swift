/// Finds where values and comments end in the text of a definitions file, as the tree has only the starts of values.
/// JSON is read as YAML here. The results are not relied on: the edited text is read again and compared.
struct ValueExtent {
    private let text: SourceText
    /// The ends of scalars, and of lists and maps in brackets, by their starts.
    private var ends: [Int: Int] = [:]
    private var scalars: Set<Int> = []

    init(_ text: SourceText) {
        self.text = text
        var offsets = bytes.indices.filter { !text.isContinuation(at: $0) }
        offsets.append(bytes.count)
        var open: [(start: Int, isInBrackets: Bool)] = []
        do {
            let parser = try YAMLParser(Self.withoutSurrogates(bytes))
            while true {
                let event = try parser.next()
                let (start, end) = (offsets[event.characters.lowerBound], offsets[event.characters.upperBound])
                switch event.content {
                case .streamEnd: return
                case .scalar where start < end:
                    // That of a text after "|" or ">" is the start of another line.
                    ends[start] = text.bytes[start..<end].lastIndex { !$0.isLineEnd }.map { $0 + 1 } ?? end
                    scalars.insert(start)
                case .collectionStart(_, let isInBrackets): open.append((start, isInBrackets))
                case .collectionEnd:
                    if let collection = open.popLast(), collection.isInBrackets { ends[collection.start] = end }
                default: break
                }
            }
        } catch {
            // JSON that libyaml cannot read. The editor refuses values without a known end.
        }
    }

    /// The text with other escapes of the same length in place of surrogates, which JSON has and libyaml refuses.
    private static func withoutSurrogates(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for offset in bytes.indices.dropFirst(2)
        where bytes[offset] | 0x20 == UInt8(ascii: "d") && bytes[offset - 1] == UInt8(ascii: "u")
            && bytes[offset - 2] == UInt8(ascii: "\\")
        { result[offset] = UInt8(ascii: "0") }
        return result
    }

    var bytes: [UInt8] { text.bytes }
    func end(ofValueAt start: Int) -> Int? { ends[start] }

    /// The comments within a range, each from its `#` to the end of its line.
    func comments(in range: Range<Int>) -> [String] {
        var comments: [String] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            if scalars.contains(offset), let end = ends[offset] {
                offset = end
            } else if bytes[offset] == UInt8(ascii: "#") {
                let end = min(endOfLine(offset), range.upperBound)
                comments.append(String(decoding: bytes[offset..<end], as: UTF8.self))
                offset = end
            } else {
                offset += 1
            }
        }
        return comments
    }

    func endOfLine(_ offset: Int) -> Int { bytes[offset...].firstIndex(where: \.isLineEnd) ?? bytes.count }

    func isFirstOfLine(_ offset: Int) -> Bool {
        bytes[..<offset].last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }?.isLineEnd ?? true
    }

    func end(of node: SourceNode) -> Int? {
        let start = offset(node.position)
        switch node.content {
        case .null: return end(ofValueAt: start) ?? start
        case .list(let elements): return end(ofValueAt: start) ?? elements.last.flatMap { end(of: $0) }
        // Without brackets a map starts where its first key does.
        case .map(let entries) where byte(at: node.position) != UInt8(ascii: "{"):
            return entries.last.flatMap { end(of: $0.value) }
        case .boolean, .number, .text, .map: return end(ofValueAt: start)
        }
    }

    // MARK: Lines

    func offset(_ position: SourcePosition) -> Int { text.offset(of: position) }

    func byte(at position: SourcePosition) -> UInt8? {
        let offset = offset(position)
        return offset < bytes.count ? bytes[offset] : nil
    }

    func isLineEnd(before offset: Int) -> Bool { offset > 0 && bytes[offset - 1].isLineEnd }

    var lineBreak: String {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return "\n" }
        return end > 0 && bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    static func indentation(_ position: SourcePosition) -> String { String(repeating: " ", count: position.column - 1) }
}
