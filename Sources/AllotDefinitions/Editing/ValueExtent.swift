/// Finds where values and comments end in the text of a definitions file, as the tree has only the starts of values.
///
/// JSON is read as YAML here. The results are not relied on: the edited text is read again and compared.
struct ValueExtent {
    let bytes: [UInt8]
    /// The ends of scalars, and of lists and maps in brackets, by their starts.
    private var ends: [Int: Int] = [:]
    private var scalars: Set<Int> = []

    /// Reads a text. Values after a syntax error have no known end.
    init(_ text: SourceText) {
        bytes = text.bytes
        var offsets = bytes.indices.filter { !text.isContinuation(at: $0) }
        offsets.append(bytes.count)
        var open: [(start: Int, isInBrackets: Bool)] = []
        do {
            let parser = try YAMLParser(bytes)
            while true {
                let event = try parser.next()
                let (start, end) = (offsets[event.characters.lowerBound], offsets[event.characters.upperBound])
                switch event.content {
                case .streamEnd: return
                case .scalar where start < end:
                    ends[start] = end
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

    /// The end of a scalar, or of a list or map in brackets, that starts at an offset. Returns `nil` if none does.
    func end(ofValueAt start: Int) -> Int? {
        ends[start]
    }

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

    /// The offset of the next line break, or of the text's end.
    func endOfLine(_ offset: Int) -> Int {
        bytes[offset...].firstIndex(where: \.isLineEnd) ?? bytes.count
    }

    /// Whether there is only white space between the start of the line and an offset.
    func isFirstOfLine(_ offset: Int) -> Bool {
        bytes[..<offset].last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }?.isLineEnd ?? true
    }
}
